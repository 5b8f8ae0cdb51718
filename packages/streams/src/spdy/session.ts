import type { Duplex } from 'node:stream';
import { StreamClosedError, StreamProtocolError } from '../errors.ts';
import { readFrom, writeTo } from '../socket-writer.ts';
import { encodeSpdyFrame, SpdyDecoder, type SpdyFrame } from './frames.ts';
import { HeaderPacker, HeaderUnpacker, type SpdyHeaders } from './headers.ts';
import { RST_STATUS, SpdyStream } from './stream.ts';

export interface SpdySessionOptions {
  /** Clients open streams with odd numbers, servers with even ones. */
  readonly role: 'client' | 'server';
  /** Whether the peer may open such a stream. @default all of them when there is an `onStream`, else none */
  readonly accepts?: (headers: SpdyHeaders) => boolean;
  /** The peer has opened a stream, and knows that it may use it. */
  readonly onStream?: (stream: SpdyStream) => void;
  /** How many streams may be open at once. @default 256 */
  readonly maxStreams?: number;
}

export const DEFAULT_MAX_STREAMS = 256;
const NO_HEADERS: SpdyHeaders = new Map();
const PRIORITY = 0;

/**
 * A socket that speaks SPDY/3.1, as Kubernetes' clients and nodes do for exec, attach and port-forward.
 *
 * Flow control is that of the connection: Go's implementation, which is on the other side, heeds no windows and sends
 * none. A stream whose reader is slow holds up the others once its buffer is full. Peers that heed windows get updates.
 */
export class SpdySession {
  readonly #socket: Duplex;
  readonly #options: SpdySessionOptions;
  readonly #maxStreams: number;
  readonly #decoder = new SpdyDecoder();
  readonly #packer = new HeaderPacker();
  readonly #unpacker = new HeaderUnpacker();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #replies = new Map<number, PromiseWithResolvers<void>>();
  #nextId: number;
  #lastPeerId = 0;
  /** Headers are packed in the order in which they are sent. */
  #sending: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(socket: Duplex, options: SpdySessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#maxStreams = options.maxStreams ?? DEFAULT_MAX_STREAMS;
    this.#nextId = options.role === 'client' ? 1 : 2;
  }

  /**
   * Reads until the peer ends the connection or it is lost. All streams have ended then.
   * @throws StreamProtocolError when the peer does not keep to the protocol
   */
  async run(): Promise<void> {
    let failure: Error | undefined;
    try {
      for await (const chunk of readFrom(this.#socket)) {
        for (const frame of this.#decoder.push(chunk)) if (!(await this.#received(frame))) return;
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      this.#ended(failure);
    }
  }

  /**
   * Opens a stream. Resolves when the peer has accepted it.
   * @throws StreamClosedError when the peer refuses, or the connection ends
   */
  async open(headers: SpdyHeaders): Promise<SpdyStream> {
    if (this.#isClosed) throw new StreamClosedError();
    const streamId = this.#nextId;
    this.#nextId += 2;
    const stream = this.#add(streamId, headers);
    const reply = Promise.withResolvers<void>();
    this.#replies.set(streamId, reply);
    await Promise.all([
      reply.promise,
      this.#sendHeaders(headers, (block) => ({
        type: 'syn-stream',
        streamId,
        associatedId: 0,
        priority: PRIORITY,
        isFin: false,
        isUnidirectional: false,
        block,
      })),
    ]);
    return stream;
  }

  /** Says goodbye, and ends the connection when all that was written is on its way. Idempotent, never rejects. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.#sending;
      await this.#send({ type: 'goaway', lastStreamId: this.#lastPeerId, status: 0 });
    } catch {
      // The peer is gone.
    }
    this.#socket.end();
  }

  #add(id: number, headers: SpdyHeaders): SpdyStream {
    const stream = new SpdyStream(id, headers, {
      send: (frame) => this.#send(frame),
      onEnded: (ended) => void this.#streams.delete(ended.id),
    });
    this.#streams.set(id, stream);
    return stream;
  }

  /** False when the peer has said goodbye. */
  async #received(frame: SpdyFrame): Promise<boolean> {
    switch (frame.type) {
      case 'data': {
        const stream = this.#streams.get(frame.streamId);
        await stream?.received(frame.bytes);
        if (frame.isFin) stream?.receivedEnd();
        return true;
      }
      case 'syn-stream':
        await this.#opened(frame);
        return true;
      case 'syn-reply':
        await this.#unpacker.unpack(frame.block);
        this.#replies.get(frame.streamId)?.resolve();
        this.#replies.delete(frame.streamId);
        if (frame.isFin) this.#streams.get(frame.streamId)?.receivedEnd();
        return true;
      case 'headers':
        // Nobody sends any, but the next block can only be read after this one.
        await this.#unpacker.unpack(frame.block);
        return true;
      case 'rst-stream':
        this.#replies.get(frame.streamId)?.reject(new StreamClosedError('the peer has refused the stream'));
        this.#replies.delete(frame.streamId);
        this.#streams.get(frame.streamId)?.lost(undefined);
        return true;
      case 'ping':
        // Ours are odd or even as our streams are, and need no answer.
        if (frame.id % 2 !== this.#nextId % 2) await this.#send(frame);
        return true;
      case 'goaway':
        return false;
      case 'window-update':
      case 'other':
        return true;
      default:
        return frame satisfies never;
    }
  }

  async #opened(frame: Extract<SpdyFrame, { type: 'syn-stream' }>): Promise<void> {
    const { streamId, isFin, block } = frame;
    const headers = await this.#unpacker.unpack(block);
    if (streamId % 2 === this.#nextId % 2 || streamId <= this.#lastPeerId)
      throw new StreamProtocolError(`the peer has opened stream ${streamId} after ${this.#lastPeerId}`);
    this.#lastPeerId = streamId;
    const { onStream, accepts = () => true } = this.#options;
    if (onStream === undefined || this.#streams.size >= this.#maxStreams || !accepts(headers)) {
      await this.#send({ type: 'rst-stream', streamId, status: RST_STATUS.refused });
      return;
    }
    const stream = this.#add(streamId, headers);
    if (isFin) stream.receivedEnd();
    // Go's clients wait for the reply before they read, and would not get it past data that waits to be read.
    await this.#sendHeaders(NO_HEADERS, (packed) => ({
      type: 'syn-reply',
      streamId,
      isFin: false,
      block: packed,
    }));
    onStream(stream);
  }

  #sendHeaders(
    headers: SpdyHeaders,
    frameOf: (block: Uint8Array) => Extract<SpdyFrame, { block: Uint8Array }>,
  ): Promise<void> {
    const sent = this.#sending.then(async () => this.#send(frameOf(await this.#packer.pack(headers))));
    this.#sending = sent.catch(() => {});
    return sent;
  }

  async #send(frame: Exclude<SpdyFrame, { type: 'other' }>): Promise<void> {
    await writeTo(this.#socket, encodeSpdyFrame(frame));
  }

  #ended(failure: Error | undefined): void {
    this.#isClosed = true;
    // A stream that is lost leaves the map, which a walk through it may see.
    for (const stream of this.#streams.values()) stream.lost(failure);
    for (const reply of this.#replies.values()) reply.reject(new StreamClosedError());
    this.#replies.clear();
    this.#packer.close();
    this.#unpacker.close();
    this.#socket.end();
  }
}
