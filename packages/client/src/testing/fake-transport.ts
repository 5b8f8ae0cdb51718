import type {
  ApiRequest,
  ApiResponse,
  ApiWatchResponse,
  RawWatchEvent,
  Transport,
} from '@windlass/apimachinery';
import { abortError, onAbort, throwIfAborted } from '@windlass/base';

export type FakeAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export interface FakeTransportOptions {
  /** Answers a request, or throws. @default 404 */
  readonly onRequest?: (request: ApiRequest) => FakeAnswer | Promise<FakeAnswer>;
  /** Refuses a watch by answering with a status. @default every watch is accepted */
  readonly onWatch?: (request: ApiRequest) => FakeAnswer | undefined;
}

/** A Transport without a server: a function answers, and watches are fed by hand. */
export class FakeTransport implements Transport {
  /** What was asked, in order. */
  readonly requests: ApiRequest[] = [];
  /** The watches that were accepted, in order. */
  readonly watches: FakeWatch[] = [];
  readonly #options: FakeTransportOptions;
  #closed = false;

  constructor(options: FakeTransportOptions = {}) {
    this.#options = options;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    throwIfAborted(request.signal);
    const answer = await (this.#options.onRequest?.(request) ?? { status: 404 });
    return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: answer.body };
  }

  async watch(request: ApiRequest): Promise<ApiWatchResponse> {
    this.requests.push(request);
    throwIfAborted(request.signal);
    const refusal = this.#options.onWatch?.(request);
    if (refusal !== undefined) {
      return { status: refusal.status ?? 500, headers: refusal.headers ?? {}, body: refusal.body };
    }
    const watch = new FakeWatch(request);
    this.watches.push(watch);
    return { status: 200, headers: {}, events: watch };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const watch of this.watches) watch.end();
  }
}

/** One watch as the server sees it: what is sent here, its reader gets. */
export class FakeWatch implements AsyncIterableIterator<readonly RawWatchEvent[]> {
  readonly request: ApiRequest;
  readonly #batches: (readonly RawWatchEvent[])[] = [];
  readonly #release: () => void;
  #failure: Error | undefined;
  #ended = false;
  #closed = false;
  #reader: PromiseWithResolvers<void> | undefined;

  constructor(request: ApiRequest) {
    this.request = request;
    this.#release = onAbort(request.signal, () => {
      if (request.signal !== undefined) this.fail(abortError(request.signal));
    });
  }

  /** Whether the reader has gone. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Events that arrive together. */
  send(...events: readonly RawWatchEvent[]): void {
    this.#batches.push(events);
    this.#wake();
  }

  /** The server ends the watch, as it does after `timeoutSeconds`. */
  end(): void {
    this.#ended = true;
    this.#release();
    this.#wake();
  }

  /** The connection breaks. */
  fail(error: Error): void {
    this.#failure = error;
    this.#release();
    this.#wake();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly RawWatchEvent[], undefined>> {
    for (;;) {
      if (this.#closed) return { done: true, value: undefined };
      const value = this.#batches.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return { done: true, value: undefined };
      this.#reader = Promise.withResolvers<void>();
      await this.#reader.promise;
    }
  }

  async return(): Promise<IteratorResult<readonly RawWatchEvent[], undefined>> {
    this.#closed = true;
    this.#release();
    this.#wake();
    return { done: true, value: undefined };
  }

  #wake(): void {
    this.#reader?.resolve();
    this.#reader = undefined;
  }
}
