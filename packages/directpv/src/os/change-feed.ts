import { onAbort } from '@windlass/base';

/**
 * Carries changes from whoever sees them to any number of readers. A reader that is behind gets each key's last
 * change once, so that what waits is never more than there are keys.
 */
export class ChangeFeed<T> {
  readonly #readers = new Set<(change: T) => void>();
  readonly #keyOf: (change: T) => string;

  constructor(keyOf: (change: T) => string) {
    this.#keyOf = keyOf;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  push(change: T): void {
    for (const tell of this.#readers) tell(change);
  }

  /** Changes from this call on, also those before the first one is asked for. */
  read(signal: AbortSignal): AsyncIterable<T> {
    const waiting = new Map<string, T>();
    let wake = Promise.withResolvers<void>();
    const tell = (change: T): void => {
      const key = this.#keyOf(change);
      waiting.delete(key);
      waiting.set(key, change);
      wake.resolve();
    };
    if (!signal.aborted) this.#readers.add(tell);
    onAbort(signal, () => {
      this.#readers.delete(tell);
      wake.resolve();
    });
    return {
      async *[Symbol.asyncIterator]() {
        while (!signal.aborted) {
          await wake.promise;
          wake = Promise.withResolvers();
          const changes = [...waiting.values()];
          waiting.clear();
          yield* changes;
        }
      },
    };
  }
}
