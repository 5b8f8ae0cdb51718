import type { ApiStreamResponse } from '@windlass/apimachinery';
import { CancelledError, toError } from '@windlass/base';
import { Exchange } from './exchange.ts';
import type { ManagedFieldsSharing } from './managed-fields-sharing.ts';
import { decodeBody } from './response-body.ts';

type Result = IteratorResult<Uint8Array, undefined>;

const DONE: Result = { done: true, value: undefined };

/**
 * A request whose answer is bytes that come over time. When too many wait unread, reading from the connection stops
 * until they are taken. There is one reader; `return` may be called while a `next` waits, and ends it.
 */
export class StreamExchange extends Exchange implements AsyncIterableIterator<Uint8Array> {
  readonly #sharing: ManagedFieldsSharing;
  readonly #maxBufferedBytes: number;
  readonly #start = Promise.withResolvers<ApiStreamResponse>();
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  #chunks: Buffer[] = [];
  #buffered = 0;
  #isOver = false;
  #isClosed = false;
  #reader: PromiseWithResolvers<void> | undefined;

  constructor(what: string, sharing: ManagedFieldsSharing, maxBufferedBytes: number) {
    super(what);
    this.#sharing = sharing;
    this.#maxBufferedBytes = maxBufferedBytes;
  }

  /** Resolves when the server has answered: with the stream, or with the whole body of an error. */
  get established(): Promise<ApiStreamResponse> {
    return this.#start.promise;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Result> {
    for (;;) {
      if (this.#isClosed) return DONE;
      if (this.#chunks.length > 0) return { done: false, value: this.#take() };
      if (this.failure !== undefined) throw this.failure;
      if (this.#isOver) return DONE;
      this.#reader = Promise.withResolvers<void>();
      await this.#reader.promise;
    }
  }

  async return(): Promise<Result> {
    this.#isClosed = true;
    this.#chunks = [];
    if (!this.#isOver) this.fail(new CancelledError('the reader of the answer has gone'));
    return DONE;
  }

  protected started(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#headers = headers;
    if (status === 200) this.#start.resolve({ status, headers, bytes: this });
  }

  protected data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    if (this.#status !== 200) return;
    if (this.#buffered >= this.#maxBufferedBytes) this.controller?.pause();
    this.#wake();
  }

  protected ended(): void {
    this.#isOver = true;
    if (this.#status === 200) this.#wake();
    else void this.#refused();
  }

  protected failed(error: Error): void {
    this.#start.reject(error);
    // Nobody may ask for the start any more: the reader of the stream gets the error too.
    this.#start.promise.catch(() => {});
    this.#wake();
  }

  /** All that has come. The reading goes on while it is handled. */
  #take(): Uint8Array {
    const bytes = Buffer.concat(this.#chunks, this.#buffered);
    this.#chunks = [];
    this.#buffered = 0;
    if (this.controller?.paused === true) this.controller.resume();
    return bytes;
  }

  async #refused(): Promise<void> {
    try {
      const body: unknown = await decodeBody(this.#chunks, this.#headers, this.what, this.#sharing);
      this.#start.resolve({ status: this.#status, headers: this.#headers, body });
    } catch (error) {
      this.#start.reject(toError(error));
    }
  }

  #wake(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.resolve();
  }
}
