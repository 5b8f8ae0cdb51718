import type {
  ApiRequest,
  ApiResponse,
  ApiWatchResponse,
  RawWatchEvent,
  Transport,
} from '@windlass/apimachinery';
import { type Clock, onAbort, type Random, type Timer } from '@windlass/base';
import { TransportError } from '@windlass/client';

type Batch = readonly RawWatchEvent[];

/**
 * A way to the server that can be made bad for a while, so that people see the loop heal. While nobody asks for it,
 * it costs one check for each request and each batch of events.
 */
export class Disturbances implements Transport {
  readonly #inner: Transport;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly stream?: NonNullable<Transport['stream']>;
  readonly upgrade?: NonNullable<Transport['upgrade']>;
  #hold: { readonly over: PromiseWithResolvers<void>; readonly timer: Timer } | undefined = undefined;
  #drop: { readonly share: number; readonly timer: Timer } | undefined = undefined;

  constructor(inner: Transport, { clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#inner = inner;
    this.#clock = clock;
    this.#random = random;
    if (inner.stream !== undefined) this.stream = inner.stream.bind(inner);
    if (inner.upgrade !== undefined) this.upgrade = inner.upgrade.bind(inner);
  }

  /** Watches tell nothing for so long, and then everything. */
  holdWatches(ms: number): void {
    const over = this.#hold?.over ?? Promise.withResolvers<void>();
    this.#hold?.timer.cancel();
    const timer = this.#clock.setTimeout(() => {
      this.#hold = undefined;
      over.resolve();
    }, ms);
    this.#hold = { over, timer };
  }

  /** So many of the requests, from 0 to 1, are lost for so long. */
  dropRequests(share: number, ms: number): void {
    this.#drop?.timer.cancel();
    this.#drop = { share, timer: this.#clock.setTimeout(() => (this.#drop = undefined), ms) };
  }

  /** All is well again. */
  end(): void {
    this.#drop?.timer.cancel();
    this.#drop = undefined;
    this.#hold?.timer.cancel();
    this.#hold?.over.resolve();
    this.#hold = undefined;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    if (this.#drop !== undefined && this.#random.next() < this.#drop.share)
      throw new TransportError('the connection was lost, as somebody asked on the page Try', {
        code: 'CONNECTION_LOST',
        sent: false,
      });
    return this.#inner.request(request);
  }

  async watch(request: ApiRequest): Promise<ApiWatchResponse> {
    const response = await this.#inner.watch(request);
    return response.events === undefined ? response : { ...response, events: this.#held(response.events) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.#inner[Symbol.asyncDispose]();
  }

  /** Not a generator: one that waits for its next event, or for the end of a hold, could not be closed. */
  #held(events: AsyncIterable<Batch>): AsyncIterableIterator<Batch> {
    const source = events[Symbol.asyncIterator]();
    const closing = new AbortController();
    const closed = new Promise<void>((resolve) => void onAbort(closing.signal, resolve));
    const end = { done: true, value: undefined } as const;
    return {
      next: async () => {
        const result = await source.next();
        while (this.#hold !== undefined && result.done !== true && !closing.signal.aborted)
          await Promise.race([this.#hold.over.promise, closed]);
        return closing.signal.aborted ? end : result;
      },
      return: async () => {
        closing.abort();
        await source.return?.();
        return end;
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
