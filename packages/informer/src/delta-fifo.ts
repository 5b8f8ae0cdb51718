import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { RingBuffer } from '@windlass/base';

/** One thing that happened. Deltas come out in the order in which they went in. */
export type Delta<T> =
  | { readonly type: 'Added' | 'Updated'; readonly key: string; readonly object: DeepReadonly<T> }
  | { readonly type: 'Deleted'; readonly key: string; readonly object: DeepReadonly<T> }
  /** The whole state: what is not in it is gone. Atomic: nobody sees half of it. */
  | {
      readonly type: 'Replaced';
      /** The consumer's to keep. */
      readonly objects: Map<string, DeepReadonly<T>>;
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
 * - Two deletions of a key in a row are one: the older.
 * - A Replaced makes every object before it that is still here worthless. No deletion is lost by that: the
 *   consumer compares the new state with the cache, and so sees every key that is gone.
 * - At most one Sync waits at a time, and none is lost.
 * - A Replaced comes alone in its batch, so that the cache is whole between batches.
 *
 * add: O(1). popBatch: O(batch).
 */
export class DeltaFifo<T extends KubeObject> {
  readonly #deltas = new RingBuffer<Delta<T>>();
  /** For each key whose newest waiting delta is a deletion, that delta. */
  readonly #deletions = new Map<string, Delta<T>>();
  #isSyncWaiting = false;

  get length(): number {
    return this.#deltas.length;
  }

  add(delta: Delta<T>): void {
    switch (delta.type) {
      case 'Added':
      case 'Updated':
        if (this.#deletions.size > 0) this.#deletions.delete(delta.key);
        break;
      case 'Deleted':
        if (this.#deletions.has(delta.key)) return;
        this.#deletions.set(delta.key, delta);
        break;
      case 'Replaced':
        this.#replace(delta);
        return;
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
      if (next.type === 'Deleted') this.#forgetDeletion(next.key, next);
      else if (next.type === 'Sync') this.#isSyncWaiting = false;
      else if (next.type === 'Replaced') break;
    }
    return batch;
  }

  #replace(delta: Delta<T>): void {
    this.#deltas.clear();
    this.#deletions.clear();
    this.#deltas.push(delta);
    if (this.#isSyncWaiting) this.#deltas.push({ type: 'Sync' });
  }

  #forgetDeletion(key: string, deletion: Delta<T>): void {
    if (this.#deletions.get(key) === deletion) this.#deletions.delete(key);
  }
}
