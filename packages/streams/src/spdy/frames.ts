// The frames of SPDY/3.1. Data is handed on piece by piece as it arrives; control frames are small, and read whole.
import { StreamProtocolError } from '../errors.ts';

export type SpdyFrame =
  | { readonly type: 'data'; readonly streamId: number; readonly isFin: boolean; readonly bytes: Uint8Array }
  | {
      readonly type: 'syn-stream';
      readonly streamId: number;
      readonly associatedId: number;
      /** 0 is the most urgent, 7 the least. */
      readonly priority: number;
      readonly isFin: boolean;
      readonly isUnidirectional: boolean;
      /** Packed headers. */
      readonly block: Uint8Array;
    }
  | {
      readonly type: 'syn-reply' | 'headers';
      readonly streamId: number;
      readonly isFin: boolean;
      readonly block: Uint8Array;
    }
  | { readonly type: 'rst-stream'; readonly streamId: number; readonly status: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'goaway'; readonly lastStreamId: number; readonly status: number }
  | { readonly type: 'window-update'; readonly streamId: number; readonly delta: number }
  /** What is not needed here: settings, and types that nobody has defined. */
  | { readonly type: 'other'; readonly kind: number };

const VERSION = 3;
const FLAG_FIN = 1;
const FLAG_UNIDIRECTIONAL = 2;
const HEADER_BYTES = 8;
/** More than any header block of Kubernetes has. */
const MAX_CONTROL_BYTES = 64 * 1024;
const MAX_ID = 0x7fffffff;
const NO_BYTES = Buffer.alloc(0);

const KIND = {
  'syn-stream': 1,
  'syn-reply': 2,
  'rst-stream': 3,
  ping: 6,
  goaway: 7,
  headers: 8,
  'window-update': 9,
} as const;

export function encodeSpdyFrame(frame: Exclude<SpdyFrame, { type: 'other' }>): Uint8Array[] {
  switch (frame.type) {
    case 'data': {
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32BE(frame.streamId, 0);
      header.writeUInt32BE(((frame.isFin ? FLAG_FIN : 0) << 24) | frame.bytes.byteLength, 4);
      return frame.bytes.byteLength === 0 ? [header] : [header, frame.bytes];
    }
    case 'syn-stream': {
      const flags = (frame.isFin ? FLAG_FIN : 0) | (frame.isUnidirectional ? FLAG_UNIDIRECTIONAL : 0);
      const fixed = words(frame.streamId, frame.associatedId, 0).subarray(0, 10);
      fixed[8] = frame.priority << 5;
      return control('syn-stream', flags, fixed, frame.block);
    }
    case 'syn-reply':
    case 'headers':
      return control(frame.type, frame.isFin ? FLAG_FIN : 0, words(frame.streamId), frame.block);
    case 'rst-stream':
      return control('rst-stream', 0, words(frame.streamId, frame.status));
    case 'ping':
      return control('ping', 0, words(frame.id));
    case 'goaway':
      return control('goaway', 0, words(frame.lastStreamId, frame.status));
    case 'window-update':
      return control('window-update', 0, words(frame.streamId, frame.delta));
    default:
      return frame satisfies never;
  }
}

function control(
  type: keyof typeof KIND,
  flags: number,
  fixed: Uint8Array,
  block: Uint8Array = NO_BYTES,
): Uint8Array[] {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(0x8000 | VERSION, 0);
  header.writeUInt16BE(KIND[type], 2);
  header.writeUInt32BE(((flags << 24) | (fixed.byteLength + block.byteLength)) >>> 0, 4);
  return block.byteLength === 0 ? [header, fixed] : [header, fixed, block];
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

interface DataUnderWay {
  readonly streamId: number;
  readonly isFin: boolean;
  left: number;
}

/** Reads frames out of bytes that come in pieces of any size. */
export class SpdyDecoder {
  #rest: Buffer = NO_BYTES;
  #data: DataUnderWay | undefined = undefined;

  /** @throws StreamProtocolError when the bytes are no frames */
  *push(chunk: Uint8Array): Generator<SpdyFrame, void, undefined> {
    let left = chunk;
    for (;;) {
      if (this.#data !== undefined) {
        const data = this.#data;
        const bytes = left.subarray(0, data.left);
        left = left.subarray(bytes.byteLength);
        data.left -= bytes.byteLength;
        const isDone = data.left === 0;
        if (isDone) this.#data = undefined;
        if (bytes.byteLength > 0 || isDone)
          yield { type: 'data', streamId: data.streamId, isFin: isDone && data.isFin, bytes };
        if (!isDone) return;
      }
      this.#rest = this.#rest.byteLength === 0 ? bufferOf(left) : Buffer.concat([this.#rest, left]);
      left = NO_BYTES;
      if (this.#rest.byteLength < HEADER_BYTES) return;
      const first = this.#rest.readUInt32BE(0);
      const second = this.#rest.readUInt32BE(4);
      const size = second & 0xffffff;
      if (first >>> 31 === 0) {
        if (first === 0) throw new StreamProtocolError('a data frame is of stream 0');
        this.#data = { streamId: first, isFin: ((second >>> 24) & FLAG_FIN) !== 0, left: size };
        left = this.#rest.subarray(HEADER_BYTES);
        this.#rest = NO_BYTES;
        continue;
      }
      if (size > MAX_CONTROL_BYTES)
        throw new StreamProtocolError(
          `a control frame has ${size} bytes; at most ${MAX_CONTROL_BYTES} are read`,
        );
      if (this.#rest.byteLength < HEADER_BYTES + size) return;
      const body = this.#rest.subarray(HEADER_BYTES, HEADER_BYTES + size);
      left = this.#rest.subarray(HEADER_BYTES + size);
      this.#rest = NO_BYTES;
      yield controlFrame(first, second >>> 24, body);
    }
  }
}

function controlFrame(first: number, flags: number, body: Buffer): SpdyFrame {
  const version = (first >>> 16) & 0x7fff;
  if (version !== VERSION)
    throw new StreamProtocolError(`a frame is of SPDY/${version}; only SPDY/3 is spoken`);
  const kind = first & 0xffff;
  const isFin = (flags & FLAG_FIN) !== 0;
  const word = (index: number): number => {
    if (body.byteLength < index * 4 + 4)
      throw new StreamProtocolError(`a control frame of type ${kind} is cut off`);
    return body.readUInt32BE(index * 4);
  };
  switch (kind) {
    case KIND['syn-stream']:
      if (body.byteLength < 10) throw new StreamProtocolError('a SYN_STREAM frame is cut off');
      return {
        type: 'syn-stream',
        streamId: word(0) & MAX_ID,
        associatedId: word(1) & MAX_ID,
        priority: (body[8] ?? 0) >>> 5,
        isFin,
        isUnidirectional: (flags & FLAG_UNIDIRECTIONAL) !== 0,
        block: body.subarray(10),
      };
    case KIND['syn-reply']:
      return { type: 'syn-reply', streamId: word(0) & MAX_ID, isFin, block: body.subarray(4) };
    case KIND.headers:
      return { type: 'headers', streamId: word(0) & MAX_ID, isFin, block: body.subarray(4) };
    case KIND['rst-stream']:
      return { type: 'rst-stream', streamId: word(0) & MAX_ID, status: word(1) };
    case KIND.ping:
      return { type: 'ping', id: word(0) };
    case KIND.goaway:
      return { type: 'goaway', lastStreamId: word(0) & MAX_ID, status: word(1) };
    case KIND['window-update']:
      return { type: 'window-update', streamId: word(0) & MAX_ID, delta: word(1) & MAX_ID };
    default:
      return { type: 'other', kind };
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
