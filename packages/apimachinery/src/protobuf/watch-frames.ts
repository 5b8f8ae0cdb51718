// A protobuf watch stream: frames of a length in four bytes, big-endian, and an event (type 1, object 2
// with its raw bytes 1), whose object is in an envelope of its own.
import type { RawWatchEvent, WatchEventType } from '../transport.ts';
import { decodeProtobuf, encodeProtobuf, type ProtobufEncodeOptions } from './envelope.ts';
import { ProtobufDecodeError } from './errors.ts';
import { MAX_DEPTH } from './limits.ts';
import { LENGTH, WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

const WATCH_EVENT = 'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent';
const HEADER = 4;

/** @default 100 MiB */
const DEFAULT_MAX_FRAME = 100 * 1024 * 1024;

/** Takes the stream's chunks, wherever they are cut, and gives the events that are whole. */
export class ProtobufWatchDecoder {
  readonly #maxFrame: number;
  #pending: Uint8Array[] = [];
  #pendingLength = 0;

  /** `maxFrameBytes`: a longer frame is an error. @default 100 MiB */
  constructor(options: { readonly maxFrameBytes?: number } = {}) {
    this.#maxFrame = options.maxFrameBytes ?? DEFAULT_MAX_FRAME;
  }

  push(chunk: Uint8Array): RawWatchEvent[] {
    this.#pending.push(chunk);
    this.#pendingLength += chunk.length;
    const events: RawWatchEvent[] = [];
    for (;;) {
      const length = this.#frameLength();
      if (length === undefined || this.#pendingLength < HEADER + length) return events;
      const bytes = this.#joined();
      events.push(decodeEvent(bytes.subarray(HEADER, HEADER + length)));
      this.#pending = [bytes.subarray(HEADER + length)];
      this.#pendingLength -= HEADER + length;
    }
  }

  /** True when the stream may end here: no frame has begun. */
  get atBoundary(): boolean {
    return this.#pendingLength === 0;
  }

  #frameLength(): number | undefined {
    if (this.#pendingLength < HEADER) return undefined;
    const [first] = this.#pending;
    const head = first !== undefined && first.length >= HEADER ? first : this.#joined();
    const length = new DataView(head.buffer, head.byteOffset, HEADER).getUint32(0);
    if (length > this.#maxFrame)
      throw new ProtobufDecodeError(`a frame of ${length} bytes exceeds ${this.#maxFrame}`, 0, WATCH_EVENT);
    return length;
  }

  /** Joins the chunks only when a frame is whole or its header is cut, so that no byte is moved often. */
  #joined(): Uint8Array {
    const [only, ...others] = this.#pending;
    if (only !== undefined && others.length === 0) return only;
    const joined = Buffer.concat(this.#pending);
    this.#pending = [joined];
    return joined;
  }
}

const EVENT_TYPES: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

const isEventType = (text: string): text is WatchEventType => EVENT_TYPES.has(text);

function decodeEvent(frame: Uint8Array): RawWatchEvent {
  const reader = new WireReader(frame, WATCH_EVENT, MAX_DEPTH);
  let type = '';
  let object: Uint8Array | undefined;
  const readObject = (end: number): void => {
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag !== 8 + LENGTH) reader.skip(tag, end);
      else {
        const stop = reader.lengthEnd(end);
        object = frame.subarray(reader.position, stop);
        reader.position = stop;
      }
    }
  };
  while (reader.position < frame.length) {
    const tag = reader.tag();
    if (tag === 8 + LENGTH) type = reader.string(frame.length);
    else if (tag === 16 + LENGTH) readObject(reader.lengthEnd(frame.length));
    else reader.skip(tag, frame.length);
  }
  if (!isEventType(type)) throw reader.fail(`the event type ${JSON.stringify(type)} is unknown`);
  if (object === undefined) throw reader.fail('an event has no object');
  return { type, object: decodeProtobuf(object) };
}

/** One event as a frame. Its object must name its apiVersion and kind. */
export function encodeWatchFrame(
  event: { readonly type: WatchEventType; readonly object: object },
  options: ProtobufEncodeOptions = {},
): Uint8Array<ArrayBuffer> {
  const object = encodeProtobuf(event.object, options);
  const writer = new WireWriter({ capacity: object.length + 64 });
  writer.bytes(object);
  writer.tag(1, LENGTH);
  writer.lengthSince(0);
  writer.tag(2, LENGTH);
  writer.string(event.type);
  writer.tag(1, LENGTH);
  const header = Buffer.allocUnsafe(HEADER);
  header.writeUInt32BE(writer.length);
  writer.raw(header);
  return writer.finish();
}
