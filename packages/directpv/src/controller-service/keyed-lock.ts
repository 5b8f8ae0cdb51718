import { orAbort } from '@windlass/base';

/** One at a time for each key, in the order in which they came. Keys that nobody waits for take no memory. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  get size(): number {
    return this.#tails.size;
  }

  has(key: string): boolean {
    return this.#tails.has(key);
  }

  async run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const done = Promise.withResolvers<void>();
    // Who gives up while waiting must not let the next one in before its turn.
    const tail = before.then(() => done.promise);
    this.#tails.set(key, tail);
    try {
      await orAbort(before, signal);
      return await work();
    } finally {
      done.resolve();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
