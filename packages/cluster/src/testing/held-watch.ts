import type { ApiRequest, RawWatchEvent } from '@windlass/apimachinery';
import { TransportError } from '@windlass/client';

type Batch = readonly RawWatchEvent[];

/** A watch whose events can be held back, and which can be broken. */
export class HeldWatch implements AsyncIterableIterator<Batch> {
  readonly request: ApiRequest;
  readonly #source: AsyncIterator<Batch>;
  readonly #on: { readonly onActivity: () => void; readonly onEnd: () => void };
  readonly #broken = Promise.withResolvers<never>();
  #held: PromiseWithResolvers<void> | undefined = undefined;
  /** What was asked of the source and has not come yet; kept when a hold interrupts the reader. */
  #next: Promise<IteratorResult<Batch, unknown>> | undefined = undefined;
  #waiting = false;

  constructor(
    request: ApiRequest,
    source: AsyncIterable<Batch>,
    on: { readonly onActivity: () => void; readonly onEnd: () => void },
  ) {
    this.request = request;
    this.#source = source[Symbol.asyncIterator]();
    this.#on = on;
    // Nobody may be reading when it breaks.
    this.#broken.promise.catch(() => {});
  }

  /** Whether its reader waits for more, or is held back. */
  get isDrained(): boolean {
    return this.#waiting;
  }

  hold(): void {
    this.#held ??= Promise.withResolvers<void>();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  drop(): void {
    this.#broken.reject(new TransportError('the connection broke', { code: 'CONNECTION_LOST', sent: true }));
    void this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    this.#waiting = true;
    try {
      this.#next ??= this.#source.next();
      const result = await Promise.race([this.#next, this.#broken.promise]);
      // What came while it was held stays back until it is released.
      while (this.#held !== undefined) await Promise.race([this.#held.promise, this.#broken.promise]);
      this.#next = undefined;
      if (result.done === true) {
        this.#on.onEnd();
        return { done: true, value: undefined };
      }
      return { done: false, value: result.value };
    } catch (error) {
      this.#on.onEnd();
      throw error;
    } finally {
      this.#waiting = false;
      this.#on.onActivity();
    }
  }

  async return(): Promise<IteratorResult<Batch, undefined>> {
    this.#on.onEnd();
    await this.#source.return?.();
    return { done: true, value: undefined };
  }
}
