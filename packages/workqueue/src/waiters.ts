import { abortError, onAbort } from '@windlass/base';

/** Those who wait for an item, longest first. A value that was handed to one is his, whatever his signal does later. */
export class Waiters<T> {
  readonly #waiting = new Set<(value: T | undefined) => void>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Waits for a value, or for undefined when no more will come. Rejects when the signal aborts first. */
  wait(signal: AbortSignal | undefined): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const serve = (value: T | undefined): void => {
        release();
        resolve(value);
      };
      const release = onAbort(signal, () => {
        this.#waiting.delete(serve);
        if (signal !== undefined) reject(abortError(signal));
      });
      this.#waiting.add(serve);
    });
  }

  /** Hands out what `take` gives until it gives nothing, or nobody waits. */
  serve(take: () => T | undefined): void {
    for (const serve of this.#waiting) {
      const value = take();
      if (value === undefined) return;
      this.#waiting.delete(serve);
      serve(value);
    }
  }

  /** No more will come. */
  dismiss(): void {
    for (const serve of this.#waiting) serve(undefined);
    this.#waiting.clear();
  }
}
