import { abortError, Heap, type HeapItem, onAbort } from '@windlass/base';

interface Waiter extends HeapItem {
  readonly revision: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Those who wait for a revision to be reached. wait, and each release: O(log n). */
export class RevisionWaiters {
  readonly #waiters = new Heap<Waiter>((a, b) => a.revision < b.revision);

  wait(revision: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(abortError(signal));
        return;
      }
      const waiter: Waiter = {
        revision,
        heapIndex: -1,
        resolve: () => {
          release();
          resolve();
        },
        reject: (error) => {
          release();
          reject(error);
        },
      };
      this.#waiters.push(waiter);
      const release = onAbort(signal, () => {
        this.#waiters.remove(waiter);
        if (signal !== undefined) reject(abortError(signal));
      });
    });
  }

  reached(revision: number): void {
    while ((this.#waiters.peek()?.revision ?? Number.POSITIVE_INFINITY) <= revision) {
      this.#waiters.pop()?.resolve();
    }
  }

  close(error: Error): void {
    for (let waiter = this.#waiters.pop(); waiter !== undefined; waiter = this.#waiters.pop()) {
      waiter.reject(error);
    }
  }
}
