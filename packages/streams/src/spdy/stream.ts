import { BytePipe } from '../byte-pipe.ts';
import type { ByteStream } from '../byte-stream.ts';
import { StreamClosedError } from '../errors.ts';
import type { SpdyFrame } from './frames.ts';
import type { SpdyHeaders } from './headers.ts';

type SentFrame = Extract<SpdyFrame, { type: 'data' | 'rst-stream' | 'window-update' }>;

/** What a stream needs of its session. */
export interface StreamSession {
  /** Resolves when there is room for more. */
  send(frame: SentFrame): Promise<void>;
  /** Both sides have ended. */
  onEnded(stream: SpdyStream): void;
}

export const RST_STATUS = { refused: 3, cancel: 5 } as const;

/** A frame may have 16 MiB; smaller ones let other streams in between. */
const MAX_FRAME_BYTES = 64 * 1024;
/** The peer is told of what was taken whenever it is this much: half of what it may have under way at first. */
const WINDOW_STEP_BYTES = 32 * 1024;

/** One of the streams of a SPDY session. */
export class SpdyStream implements ByteStream {
  readonly id: number;
  /** Of the side that opened it. */
  readonly headers: SpdyHeaders;
  readonly #session: StreamSession;
  readonly #input = new BytePipe();
  #hasSentEnd = false;
  #hasReceivedEnd = false;
  #taken = 0;

  constructor(id: number, headers: SpdyHeaders, session: StreamSession) {
    this.id = id;
    this.headers = headers;
    this.#session = session;
  }

  get input(): AsyncIterable<Uint8Array> {
    return this.#input;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength; at += MAX_FRAME_BYTES) {
      if (this.#hasSentEnd) throw new StreamClosedError(`the stream ${this.id} has ended`);
      const piece = bytes.subarray(at, at + MAX_FRAME_BYTES);
      await this.#session.send({ type: 'data', streamId: this.id, isFin: false, bytes: piece });
    }
  }

  async end(): Promise<void> {
    if (this.#hasSentEnd) return;
    this.#hasSentEnd = true;
    await this.#tell({ type: 'data', streamId: this.id, isFin: true, bytes: new Uint8Array() });
    this.#checkEnd();
  }

  /** Ends both directions at once. Idempotent. */
  async reset(status: number = RST_STATUS.cancel): Promise<void> {
    if (this.#hasSentEnd && this.#hasReceivedEnd) return;
    await this.#tell({ type: 'rst-stream', streamId: this.id, status });
    this.lost(undefined);
  }

  /** Data came. Resolves when the reader has room for more, which may hold up the whole session. */
  async received(bytes: Uint8Array): Promise<void> {
    if (this.#hasReceivedEnd) return;
    await this.#input.write(bytes);
    this.#taken += bytes.byteLength;
    if (this.#taken < WINDOW_STEP_BYTES) return;
    const delta = this.#taken;
    this.#taken = 0;
    // Not waited for: who reads must go on reading while its own side is full, or two peers that both send would wait
    // for each other for ever.
    this.#tell({ type: 'window-update', streamId: this.id, delta }).catch(() => {});
  }

  /** The peer has ended its side. */
  receivedEnd(): void {
    this.#hasReceivedEnd = true;
    this.#input.end();
    this.#checkEnd();
  }

  /** The stream or its session was cut. */
  lost(error: Error | undefined): void {
    this.#hasSentEnd = true;
    this.#hasReceivedEnd = true;
    this.#input.end(error);
    this.#session.onEnded(this);
  }

  #checkEnd(): void {
    if (this.#hasSentEnd && this.#hasReceivedEnd) this.#session.onEnded(this);
  }

  /** A peer that is gone needs to be told nothing. */
  async #tell(frame: SentFrame): Promise<void> {
    try {
      await this.#session.send(frame);
    } catch (error) {
      if (!(error instanceof StreamClosedError)) throw error;
    }
  }
}
