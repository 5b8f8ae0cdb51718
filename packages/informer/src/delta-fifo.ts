import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { RingBuffer } from '@windlass/base';

/** One thing that happened. Deltas come out in the order in which they went in. */
export type Delta<T> =
  | { readonly type: 'Added' | 'Updated'; readonly key: string; readonly object: DeepReadonly<T> }
  | { readonly type: 'Deleted'; readonly key: string; readonly object: DeepReadonly<T> }
  /** The whole state: what is not in it is gone. Atomic: nobody sees half of it. */
  | {
      readonly type: 'Replaced';
      readonly objects: ReadonlyMap<string, DeepReadonly<T>>;
      readonly resourceVersion: string;
      /** False when versions may have been used twice: then equal versions prove nothing. */
      readonly versionsAreUnique: boolean;
    }
  /** Remind the handlers of what there is. It carries no objects, so it can never bring back an older state. */
  | { readonly type: 'Sync' }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string };

export const MAX_BATCH = 1000;

/**
 * What the reflector has seen and the cache has not, in order. A key's deltas keep their order, and so do
 * those of different keys.
 *
 * - Two deletions of a key in a row are one.
 * - A Replaced makes everything before it that is still here worthless, except that deletions must be
 *   told: the consumer compares the new state with the cache, and so sees every key that is gone.
 * - At most one Sync waits at a time.
 * - popBatch ends a batch at a Replaced, which comes alone, so that the cache is whole between batches.
 *
 * add: O(1). popBatch: O(batch).
 */
export class DeltaFifo<T extends KubeObject> {
  readonly #deltas = new RingBuffer<Delta<T>>();
  /** Keys whose newest waiting delta is a deletion. */
  readonly #deleted = new Set<string>();
  #isSyncWaiting = false;

  get length(): number {
    return this.#deltas.length;
  }

  add(delta: Delta<T>): void {
    switch (delta.type) {
      case 'Added':
      case 'Updated':
        if (this.#deleted.size > 0) this.#deleted.delete(delta.key);
        break;
      case 'Deleted':
        if (this.#deleted.has(delta.key)) return;
        this.#deleted.add(delta.key);
        break;
      case 'Replaced':
        this.#clear();
        break;
      case 'Sync':
        if (this.#isSyncWaiting) return;
        this.#isSyncWaiting = true;
        break;
      case 'Bookmark':
        break;
      default:
        delta satisfies never;
    }
    this.#deltas.push(delta);
  }

  /** The next deltas, at most MAX_BATCH; empty when there are none. */
  popBatch(): Delta<T>[] {
    const batch: Delta<T>[] = [];
    while (batch.length < MAX_BATCH) {
      const next = this.#deltas.peek();
      if (next === undefined || (next.type === 'Replaced' && batch.length > 0)) break;
      this.#deltas.shift();
      batch.push(next);
      if (next.type === 'Deleted') this.#deleted.delete(next.key);
      else if (next.type === 'Sync') this.#isSyncWaiting = false;
      else if (next.type === 'Replaced') break;
    }
    return batch;
  }

  #clear(): void {
    this.#deltas.clear();
    this.#deleted.clear();
    this.#isSyncWaiting = false;
  }
}
