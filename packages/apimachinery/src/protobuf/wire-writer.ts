import { ProtobufEncodeError } from './errors.ts';
import { MAX_DEPTH } from './limits.ts';

/**
 * Writes protobuf from its end to its start. A nested message is then written before its length must be,
 * so everything is written once and nothing is measured first.
 */
export class WireWriter {
  #bytes: Buffer;
  /** Where the written bytes begin. */
  #start: number;
  #depth = 0;
  /** What to do with a property that the message has no field for. */
  readonly dropsUnknown: boolean;

  constructor(options: { readonly capacity?: number; readonly dropsUnknown?: boolean } = {}) {
    this.#bytes = Buffer.allocUnsafeSlow(options.capacity ?? 1024);
    this.#start = this.#bytes.length;
    this.dropsUnknown = options.dropsUnknown ?? false;
  }

  /** Starts a nested message. An object that contains itself ends here. */
  enter(): void {
    if (++this.#depth > MAX_DEPTH) throw new ProtobufEncodeError('', `is nested more than ${MAX_DEPTH} deep`);
  }

  leave(): void {
    this.#depth--;
  }

  /** How much is written. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** A view of what was written; the writer is done after it. */
  finish(): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = this.#bytes;
    // Node's own buffers stand on an ArrayBuffer, never on a shared one, which the type does not say.
    return new Uint8Array(buffer as ArrayBuffer, byteOffset + this.#start, this.length);
  }

  tag(number: number, wireType: number): void {
    this.uint(number * 8 + wireType);
  }

  /** The length of all that was written since `length` was `since`. */
  lengthSince(since: number): void {
    this.uint(this.length - since);
  }

  /** A whole number from 0 to 2^53. */
  uint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1);
      this.#bytes[--this.#start] = value;
    } else this.#varint(value >>> 0, Math.floor(value / 0x1_0000_0000));
  }

  /** A whole number in two's complement of 64 bits: a negative one takes ten bytes. */
  int(value: number): void {
    if (value >= 0 && value < 0x80) {
      this.#reserve(1);
      this.#bytes[--this.#start] = value;
    } else this.#varint(value >>> 0, Math.floor(value / 0x1_0000_0000) >>> 0);
  }

  uint64(value: bigint): void {
    this.#varint(Number(value & 0xffff_ffffn), Number(value >> 32n));
  }

  /** 2^63 - 1, which no JavaScript number is. */
  maxInt64(): void {
    this.#varint(0xffff_ffff, 0x7fff_ffff);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#bytes.writeDoubleLE(value, this.#start);
  }

  /** With its length. */
  string(text: string): void {
    const { length } = text;
    this.#reserve(length);
    // Most texts are short and ASCII; going back over the characters then costs less than a call out.
    if (length <= 64) {
      let at = this.#start;
      let index = length - 1;
      for (; index >= 0; index--) {
        const code = text.charCodeAt(index);
        if (code >= 0x80) break;
        this.#bytes[--at] = code;
      }
      if (index === -1) {
        this.#start = at;
        this.uint(length);
        return;
      }
    }
    const size = Buffer.byteLength(text);
    this.#reserve(size);
    this.#start -= size;
    this.#bytes.write(text, this.#start, size, 'utf8');
    this.uint(size);
  }

  /** With their length. */
  bytes(bytes: Uint8Array): void {
    this.raw(bytes);
    this.uint(bytes.length);
  }

  /** Without their length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** The two halves of 32 bits, both unsigned. */
  #varint(low: number, high: number): void {
    const size = varintSize(low, high);
    this.#reserve(size);
    this.#start -= size;
    let at = this.#start;
    let lower = low;
    let upper = high;
    while (upper !== 0 || lower >= 0x80) {
      this.#bytes[at++] = (lower & 0x7f) | 0x80;
      lower = ((lower >>> 7) | (upper << 25)) >>> 0;
      upper >>>= 7;
    }
    this.#bytes[at] = lower;
  }

  #reserve(size: number): void {
    if (size <= this.#start) return;
    const { length } = this;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, length + size));
    const start = grown.length - length;
    this.#bytes.copy(grown, start, this.#start);
    this.#bytes = grown;
    this.#start = start;
  }
}

function varintSize(low: number, high: number): number {
  const bits = high === 0 ? 32 - Math.clz32(low | 1) : 64 - Math.clz32(high);
  return Math.ceil(bits / 7);
}
