import type { KubeObject } from '@windlass/apimachinery';
import type { WatchEvent } from './watch-event.ts';
import type { WatchStream } from './watch-stream.ts';

/** The events of a stream one by one. */
export class FlatWatchStream<T extends KubeObject> implements AsyncIterableIterator<WatchEvent<T>> {
  readonly #batches: WatchStream<T>;
  #batch: readonly WatchEvent<T>[] = [];
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
