import type { RawWatchEvent } from '@windlass/apimachinery';
import { CancelledError, type Clock } from '@windlass/base';
import { SilenceTimer } from '../watch/silence-timer.ts';
import { Exchange } from './exchange.ts';
import type { ManagedFieldsSharing } from './managed-fields-sharing.ts';
import { decodeBody } from './response-body.ts';
import { WatchDecoder } from './watch-decoder.ts';

export interface WatchExchangeOptions {
  readonly clock: Clock;
  /** Zero: never. */
  readonly idleTimeoutMs: number;
  readonly maxBufferedBytes: number;
  readonly maxLineBytes: number;
  readonly sharing: ManagedFieldsSharing;
}

/** How a watch began: with a stream of events, or with an error's body. */
export interface WatchStart {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly events?: AsyncIterable<readonly RawWatchEvent[]>;
}

type Result = IteratorResult<readonly RawWatchEvent[], undefined>;

const DONE: Result = { done: true, value: undefined };

/**
 * A request whose answer is a stream of events. Bytes wait unparsed until somebody asks for events;
 * when too many wait, reading from the connection stops until they are taken, and the server feels it.
 * There is one reader; `return` may be called while a `next` waits, and ends it.
 */
export class WatchExchange extends Exchange implements AsyncIterableIterator<readonly RawWatchEvent[]> {
  readonly #options: WatchExchangeOptions;
  readonly #decoder: WatchDecoder;
  readonly #start = Promise.withResolvers<WatchStart>();
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
  #chunks: Buffer[] = [];
  #buffered = 0;
  /** The server ended the stream. */
  #over = false;
  /** Nothing is left of it. */
  #drained = false;
  /** The reader has gone. */
  #closed = false;
  /** The `next` that waits. Set only while there is nothing to give. */
  #reader: PromiseWithResolvers<void> | undefined;
  #lastByteAt = 0;
  /** Ends it when no byte comes for too long. A WatchStream that reads it looks after that instead. */
  readonly silence: SilenceTimer = new SilenceTimer((error) => this.fail(error));

  constructor(what: string, options: WatchExchangeOptions) {
    super(what);
    this.#options = options;
    this.#decoder = new WatchDecoder(options.sharing, options.maxLineBytes);
  }

  /** Resolves when the server has answered: with the stream, or with the whole body of an error. */
  get established(): Promise<WatchStart> {
    return this.#start.promise;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Result> {
    for (;;) {
      if (this.#closed) return DONE;
      const events = this.#take();
      if (events.length > 0) return { done: false, value: events };
      if (this.#decoder.error !== undefined) this.fail(this.#decoder.error);
      if (this.failure !== undefined) throw this.failure;
      if (this.#over && this.#drained) return DONE;
      if (!this.#over) {
        this.#reader = Promise.withResolvers<void>();
        await this.#reader.promise;
      }
    }
  }

  async return(): Promise<Result> {
    this.#closed = true;
    this.#chunks = [];
    if (!this.#over) this.fail(new CancelledError('the reader of the watch has gone'));
    return DONE;
  }

  protected started(status: number, headers: Readonly<Record<string, string>>): void {
    this.#head = { status, headers };
    if (status !== 200) return;
    this.#start.resolve({ status, headers, events: this });
    this.#lastByteAt = this.#options.clock.monotonic();
    const { clock, idleTimeoutMs } = this.#options;
    this.silence.add({
      what: this.what,
      clock,
      ms: idleTimeoutMs,
      // While we do not read, silence says nothing about the server.
      silentMs: () => (this.controller?.paused === true ? 0 : clock.monotonic() - this.#lastByteAt),
    });
  }

  protected data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    this.#lastByteAt = this.#options.clock.monotonic();
    if (this.#head?.status !== 200) return;
    if (this.#buffered >= this.#options.maxBufferedBytes) this.controller?.pause();
    this.#wake();
  }

  protected ended(): void {
    this.#over = true;
    this.silence.stop();
    if (this.#head?.status === 200) this.#wake();
    else void this.#finishError();
  }

  protected failed(error: Error): void {
    this.silence.stop();
    this.#start.reject(error);
    // Nobody may have asked for the start yet, or any more: the stream's reader gets the error too.
    this.#start.promise.catch(() => {});
    this.#wake();
  }

  /** Parses what has come. The reading goes on while the events are handled. */
  #take(): RawWatchEvent[] {
    const chunks = this.#chunks;
    if (chunks.length === 0) return this.#over ? this.#takeLast() : [];
    this.#chunks = [];
    this.#buffered = 0;
    const events = this.#decoder.decode(chunks);
    if (this.controller?.paused === true) {
      this.#lastByteAt = this.#options.clock.monotonic();
      this.controller.resume();
    }
    return events;
  }

  #takeLast(): RawWatchEvent[] {
    if (this.#drained) return [];
    this.#drained = true;
    return this.#decoder.end();
  }

  async #finishError(): Promise<void> {
    const { status, headers } = this.#head ?? { status: 0, headers: {} };
    try {
      const body: unknown = await decodeBody(this.#chunks, headers, this.what, this.#options.sharing);
      this.#start.resolve({ status, headers, body });
    } catch (error) {
      this.#start.reject(error);
    }
  }

  #wake(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.resolve();
  }
}
