import { isStatus, type RawWatchEvent, StatusError } from '@windlass/apimachinery';
import { type LinkedSignal, linkSignals } from '@windlass/base';
import { eventsBeforeError, type WatchEvent } from './watch-event.ts';

type Batch<T> = readonly WatchEvent<T>[];
type Source = AsyncIterator<readonly RawWatchEvent[]>;

/**
 * A watch as it is read: opened by the first `next`, closed by `return`, by the signal, or by its end.
 * `return` may come while a `next` waits; a generator would let it wait for the next event.
 */
export class WatchStream<T> implements AsyncIterableIterator<Batch<T>> {
  readonly #open: (signal: AbortSignal) => Promise<AsyncIterable<readonly RawWatchEvent[]>>;
  readonly #parent: AbortSignal | undefined;
  #link: LinkedSignal | undefined;
  #source: Source | undefined;
  #error: Error | undefined;
  #over = false;

  constructor(
    open: (signal: AbortSignal) => Promise<AsyncIterable<readonly RawWatchEvent[]>>,
    signal: AbortSignal | undefined,
  ) {
    this.#open = open;
    this.#parent = signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Batch<T>, undefined>> {
    try {
      for (;;) {
        if (this.#error !== undefined) throw this.#error;
        if (this.#over) return { done: true, value: undefined };
        const result = await (this.#source ?? (await this.#connect())).next();
        if (result.done === true) {
          this.#end();
          return { done: true, value: undefined };
        }
        const batch = this.#upToError(result.value);
        if (batch.length > 0) return { done: false, value: batch };
      }
    } catch (error) {
      // Gone by the reader's own wish, it has nothing to complain about.
      const wanted = this.#over && this.#error === undefined;
      this.#end();
      this.#error = undefined;
      if (wanted) return { done: true, value: undefined };
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Batch<T>, undefined>> {
    this.#over = true;
    const source = this.#source;
    this.#link?.abort();
    await source?.return?.();
    this.#end();
    return { done: true, value: undefined };
  }

  async #connect(): Promise<Source> {
    this.#link = linkSignals(this.#parent);
    const events = await this.#open(this.#link.signal);
    this.#source = events[Symbol.asyncIterator]();
    return this.#source;
  }

  /** The events as they are, without a copy unless an ERROR follows them. */
  #upToError(events: readonly RawWatchEvent[]): Batch<T> {
    const good = eventsBeforeError(events);
    if (good < events.length) {
      const status = events[good]?.object;
      this.#error = new StatusError(
        isStatus(status) ? status : { message: 'the watch ended with an error of no known form' },
      );
      void this.#source?.return?.();
    }
    // What is not ERROR has the form of a WatchEvent; its object is what the caller says it is.
    const typed = events as readonly unknown[] as Batch<T>;
    return good === events.length ? typed : typed.slice(0, good);
  }

  #end(): void {
    this.#over = true;
    this.#link?.[Symbol.dispose]();
    this.#link = undefined;
    this.#source = undefined;
  }
}

/** The same events one by one. */
export class FlatWatchStream<T> implements AsyncIterableIterator<WatchEvent<T>> {
  readonly #batches: WatchStream<T>;
  #batch: Batch<T> = [];
  #index = 0;

  constructor(batches: WatchStream<T>) {
    this.#batches = batches;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    for (;;) {
      const event = this.#batch[this.#index++];
      if (event !== undefined) return { done: false, value: event };
      const result = await this.#batches.next();
      if (result.done === true) return result;
      this.#batch = result.value;
      this.#index = 0;
    }
  }

  async return(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    this.#batch = [];
    await this.#batches.return();
    return { done: true, value: undefined };
  }
}
