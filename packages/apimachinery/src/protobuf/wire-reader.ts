import type { JsonValue } from '../object.ts';
import { ProtobufDecodeError } from './errors.ts';
import { StringCache } from './string-cache.ts';

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

/** Enough for the 32 bits of a tag. */
const MAX_TAG_BYTES = 5;

/** Longer texts seldom repeat, and hashing them costs more than it saves. */
const CACHED_LENGTH = 48;
const CACHE_SLOTS = 8192;
let cache: StringCache | undefined;

/**
 * Reads protobuf's wire format. It never reads outside the bytes that it was given, and what is wrong
 * with them becomes a ProtobufDecodeError that says where.
 */
export class WireReader {
  readonly bytes: Buffer;
  readonly maxDepth: number;
  position = 0;
  depth = 0;
  /** What is being read, for errors. */
  messageName: string;
  /** Items of lists that are being read, those of the innermost on top: see `readRepeated`. */
  readonly stack: JsonValue[] = [];
  stackTop = 0;

  constructor(bytes: Uint8Array, messageName: string, maxDepth: number) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.messageName = messageName;
    this.maxDepth = maxDepth;
  }

  fail(problem: string, cause?: unknown): ProtobufDecodeError {
    return new ProtobufDecodeError(problem, this.position, this.messageName, cause);
  }

  /** A tag: the field's number times eight, plus its wire type. */
  tag(): number {
    const first = this.bytes[this.position];
    if (first === undefined || first >= 0x80) return this.#longTag();
    this.position++;
    return first < 8 ? this.#numberZero() : first;
  }

  /** Reads a length and answers where what it counts ends, which is not after `end`. */
  lengthEnd(end: number): number {
    const length = this.#length();
    const stop = this.position + length;
    if (stop > end) throw this.fail(`a length of ${length} exceeds what is left`);
    return stop;
  }

  /** Like Go's conversion, keeps the low 32 bits. */
  int32(): number {
    const first = this.bytes[this.position];
    if (first !== undefined && first < 0x80) {
      this.position++;
      return first;
    }
    this.#varint();
    return this.#low | 0;
  }

  /** Exact up to 2^53; beyond, the nearest number that JavaScript has. */
  int64(): number {
    const first = this.bytes[this.position];
    if (first !== undefined && first < 0x80) {
      this.position++;
      return first;
    }
    this.#varint();
    return (this.#high | 0) * 0x1_0000_0000 + (this.#low >>> 0);
  }

  uint64(): bigint {
    this.#varint();
    return (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0);
  }

  bool(): boolean {
    this.#varint();
    return (this.#low | this.#high) !== 0;
  }

  double(end: number): number {
    if (this.position + 8 > end) throw this.fail('a double is cut off');
    const value = this.bytes.readDoubleLE(this.position);
    this.position += 8;
    return value;
  }

  string(end: number): string {
    const stop = this.lengthEnd(end);
    const start = this.position;
    this.position = stop;
    if (stop - start <= CACHED_LENGTH) {
      if (stop === start) return '';
      cache ??= new StringCache(CACHE_SLOTS);
      const known = cache.ascii(this.bytes, start, stop);
      if (known !== undefined) return known;
    }
    return this.bytes.toString('utf8', start, stop);
  }

  base64(end: number): string {
    const stop = this.lengthEnd(end);
    const start = this.position;
    this.position = stop;
    return this.bytes.toString('base64', start, stop);
  }

  /** A view, which keeps the whole message in memory. */
  rawBytes(end: number): Buffer {
    const stop = this.lengthEnd(end);
    const start = this.position;
    this.position = stop;
    return this.bytes.subarray(start, stop);
  }

  /** Starts a nested message. */
  enter(): void {
    if (++this.depth > this.maxDepth) throw this.fail(`messages are nested more than ${this.maxDepth} deep`);
  }

  /** Ends a nested message. */
  leave(end: number): void {
    this.depth--;
    this.checkEnd(end);
  }

  /** A message must end exactly where it said. */
  checkEnd(end: number): void {
    if (this.position !== end) throw this.fail('a field runs past the end of its message');
  }

  /** Skips the value of a field that nobody knows, after its tag. */
  skip(tag: number, end: number): void {
    const wireType = tag & 7;
    switch (wireType) {
      case VARINT:
        this.#varint();
        break;
      case FIXED64:
        this.#skipBytes(8, end);
        break;
      case LENGTH:
        this.position = this.lengthEnd(end);
        break;
      case FIXED32:
        this.#skipBytes(4, end);
        break;
      case START_GROUP:
        this.#skipGroup(tag >>> 3, end);
        break;
      default:
        throw this.fail(`there is no wire type ${wireType} here`);
    }
  }

  #skipBytes(count: number, end: number): void {
    if (this.position + count > end) throw this.fail('a field is cut off');
    this.position += count;
  }

  #skipGroup(number: number, end: number): void {
    this.enter();
    for (;;) {
      if (this.position >= end) throw this.fail('a group has no end');
      const tag = this.tag();
      if ((tag & 7) === END_GROUP) {
        if (tag >>> 3 !== number) throw this.fail(`group ${number} has the end of group ${tag >>> 3}`);
        break;
      }
      this.skip(tag, end);
    }
    this.depth--;
  }

  #low = 0;
  #high = 0;

  #longTag(): number {
    const start = this.position;
    this.#varint();
    if (this.#high !== 0 || this.position - start > MAX_TAG_BYTES) throw this.fail('a tag is too large');
    const tag = this.#low >>> 0;
    return tag < 8 ? this.#numberZero() : tag;
  }

  #numberZero(): never {
    throw this.fail('a tag has field number 0');
  }

  #length(): number {
    const first = this.bytes[this.position];
    if (first !== undefined && first < 0x80) {
      this.position++;
      return first;
    }
    this.#varint();
    if (this.#high !== 0 || this.#low < 0) throw this.fail('a length is too large');
    return this.#low;
  }

  /** Into two halves of 32 bits. Ten bytes at most, of which the last may hold one bit. */
  #varint(): void {
    const { bytes } = this;
    let at = this.position;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) throw this.fail('a number is cut off');
      if (shift < 28) low |= (byte & 0x7f) << shift;
      else if (shift === 28) {
        low |= (byte & 0x0f) << 28;
        high = (byte & 0x7f) >>> 4;
      } else if (shift < 63) high |= (byte & 0x7f) << (shift - 32);
      else if (shift === 63) high |= (byte & 1) << 31;
      else throw this.fail('a number is longer than ten bytes');
      if (byte < 0x80) break;
    }
    this.position = at;
    this.#low = low;
    this.#high = high;
  }
}
