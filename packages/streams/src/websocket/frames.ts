// The frames of RFC 6455. The payload of a message is handed on piece by piece as it arrives, so that a frame may be
// of any size and none is kept in memory.
import { StreamProtocolError } from '../errors.ts';

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Some of a message, or a whole control frame. */
export type FramePiece =
  | {
      readonly type: 'text' | 'binary';
      readonly bytes: Uint8Array;
      /** Whether a message begins with this piece, and whether it ends with it. */
      readonly isStart: boolean;
      readonly isEnd: boolean;
    }
  | { readonly type: 'ping' | 'pong'; readonly bytes: Uint8Array }
  | { readonly type: 'close'; readonly code: number | undefined };

const MAX_CONTROL_BYTES = 125;
const NO_BYTES = Buffer.alloc(0);

/** @param mask four bytes; clients mask what they send */
export function encodeFrame(opcode: number, payload: Uint8Array, mask?: Uint8Array): Uint8Array[] {
  const size = payload.byteLength;
  const extra = size > 0xffff ? 8 : size > MAX_CONTROL_BYTES ? 2 : 0;
  const header = Buffer.alloc(2 + extra + (mask === undefined ? 0 : 4));
  header[0] = 0x80 | opcode;
  header[1] = (mask === undefined ? 0 : 0x80) | (extra === 8 ? 127 : extra === 2 ? 126 : size);
  if (extra === 2) header.writeUInt16BE(size, 2);
  if (extra === 8) header.writeBigUInt64BE(BigInt(size), 2);
  if (mask === undefined) return size === 0 ? [header] : [header, payload];
  header.set(mask, 2 + extra);
  return size === 0 ? [header] : [header, masked(payload, mask, 0)];
}

/** The payload of a close frame. */
export function closePayload(code: number, reason: string): Uint8Array {
  const text = Buffer.from(reason).subarray(0, MAX_CONTROL_BYTES - 2);
  const payload = Buffer.alloc(2 + text.byteLength);
  payload.writeUInt16BE(code, 0);
  payload.set(text, 2);
  return payload;
}

interface Frame {
  readonly opcode: number;
  readonly isFin: boolean;
  readonly mask: Uint8Array | undefined;
  readonly size: number;
  done: number;
}

/** Reads frames out of bytes that come in pieces of any size. */
export class FrameDecoder {
  readonly #isMasked: boolean;
  #rest: Buffer = NO_BYTES;
  #frame: Frame | undefined = undefined;
  #control: Uint8Array[] = [];
  /** The kind of the message that is under way. */
  #message: 'text' | 'binary' | undefined = undefined;
  #isStart = false;

  /** @param isMasked whether frames must be masked, as those of clients are; those of servers must not be */
  constructor({ isMasked }: { readonly isMasked: boolean }) {
    this.#isMasked = isMasked;
  }

  /** @throws StreamProtocolError when the bytes are no frames */
  *push(chunk: Uint8Array): Generator<FramePiece, void, undefined> {
    let left: Uint8Array = chunk;
    for (;;) {
      if (this.#frame === undefined) {
        this.#rest = this.#rest.byteLength === 0 ? bufferOf(left) : Buffer.concat([this.#rest, left]);
        const length = headerLength(this.#rest);
        if (length === undefined || this.#rest.byteLength < length) return;
        this.#frame = this.#begin(this.#rest.subarray(0, length));
        left = this.#rest.subarray(length);
        this.#rest = NO_BYTES;
      }
      const frame = this.#frame;
      const bytes = left.subarray(0, frame.size - frame.done);
      left = left.subarray(bytes.byteLength);
      const plain = frame.mask === undefined ? bytes : masked(bytes, frame.mask, frame.done);
      frame.done += bytes.byteLength;
      const isDone = frame.done === frame.size;
      if (isDone) this.#frame = undefined;
      if (frame.opcode >= OPCODE.close) {
        this.#control.push(plain);
        if (isDone) yield this.#endControl(frame.opcode);
      } else if (bytes.byteLength > 0 || isDone) yield this.#data(frame, plain, isDone);
      if (!isDone) return;
    }
  }

  #data(frame: Frame, bytes: Uint8Array, isDone: boolean): FramePiece {
    const isEnd = isDone && frame.isFin;
    const piece = { type: this.#message ?? 'binary', bytes, isStart: this.#isStart, isEnd };
    this.#isStart = false;
    if (isEnd) this.#message = undefined;
    return piece;
  }

  #endControl(opcode: number): FramePiece {
    const bytes = Buffer.concat(this.#control);
    this.#control = [];
    if (opcode === OPCODE.ping) return { type: 'ping', bytes };
    if (opcode === OPCODE.pong) return { type: 'pong', bytes };
    if (bytes.byteLength === 1) throw new StreamProtocolError('a close frame has half of a code');
    return { type: 'close', code: bytes.byteLength === 0 ? undefined : bytes.readUInt16BE(0) };
  }

  #begin(header: Buffer): Frame {
    const [first = 0, second = 0] = header;
    const opcode = first & 0x0f;
    const isFin = (first & 0x80) !== 0;
    const isMasked = (second & 0x80) !== 0;
    if ((first & 0x70) !== 0)
      throw new StreamProtocolError('a frame uses an extension that was not agreed on');
    if (isMasked !== this.#isMasked)
      throw new StreamProtocolError(`a frame is ${isMasked ? '' : 'not '}masked`);
    const size = sizeOf(header);
    if (opcode >= OPCODE.close) {
      if (opcode > OPCODE.pong) throw new StreamProtocolError(`unknown opcode ${opcode}`);
      if (!isFin || size > MAX_CONTROL_BYTES)
        throw new StreamProtocolError('a control frame is fragmented, or has more than 125 bytes');
    } else this.#beginData(opcode);
    return { opcode, isFin, mask: isMasked ? header.subarray(-4) : undefined, size, done: 0 };
  }

  #beginData(opcode: number): void {
    if (opcode > OPCODE.binary) throw new StreamProtocolError(`unknown opcode ${opcode}`);
    if ((opcode === OPCODE.continuation) !== (this.#message !== undefined))
      throw new StreamProtocolError('a message begins before the last one has ended, or goes on without one');
    if (opcode === OPCODE.continuation) return;
    this.#message = opcode === OPCODE.text ? 'text' : 'binary';
    this.#isStart = true;
  }
}

/** Undefined while too little is there to tell. */
function headerLength(bytes: Buffer): number | undefined {
  const second = bytes[1];
  if (second === undefined) return undefined;
  const size = second & 0x7f;
  return 2 + (size === 127 ? 8 : size === 126 ? 2 : 0) + ((second & 0x80) === 0 ? 0 : 4);
}

function sizeOf(header: Buffer): number {
  const size = (header[1] ?? 0) & 0x7f;
  if (size < 126) return size;
  if (size === 126) return header.readUInt16BE(2);
  const large = header.readBigUInt64BE(2);
  if (large > BigInt(Number.MAX_SAFE_INTEGER)) throw new StreamProtocolError('a frame is too large', 1009);
  return Number(large);
}

function masked(bytes: Uint8Array, mask: Uint8Array, offset: number): Uint8Array {
  const out = Buffer.allocUnsafe(bytes.byteLength);
  for (let index = 0; index < bytes.byteLength; index++)
    out[index] = (bytes[index] ?? 0) ^ (mask[(offset + index) & 3] ?? 0);
  return out;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
