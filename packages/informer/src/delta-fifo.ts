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
 * Deltas are kept in the batches in which they leave. add: O(1). popBatch: O(deletions in the batch).
 */
export class DeltaFifo<T extends KubeObject> {
  /** None is empty. The last one is filled until it is full, or closed by a Replaced. */
  readonly #batches = new RingBuffer<Delta<T>[]>();
  #last: Delta<T>[] | undefined = undefined;
  /** For each key whose newest waiting delta is a deletion, that delta. */
  readonly #deletions = new Map<string, Delta<T>>();
  #length = 0;
  #isSyncWaiting = false;

  get length(): number {
    return this.#length;
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
    this.#push(delta);
  }

  /** The next deltas, at most MAX_BATCH; empty when there are none. The caller's to keep. */
  popBatch(): Delta<T>[] {
    const batch = this.#batches.shift();
    if (batch === undefined) return [];
    if (this.#batches.length === 0) this.#last = undefined;
    this.#length -= batch.length;
    if (this.#deletions.size > 0) for (const delta of batch) this.#forgetDeletion(delta);
    if (this.#isSyncWaiting && batch.some(({ type }) => type === 'Sync')) this.#isSyncWaiting = false;
    return batch;
  }

  #push(delta: Delta<T>): void {
    if (this.#last === undefined || this.#last.length >= MAX_BATCH) {
      this.#last = [];
      this.#batches.push(this.#last);
    }
    this.#last.push(delta);
    this.#length++;
  }

  #replace(delta: Delta<T>): void {
    this.#batches.clear();
    this.#deletions.clear();
    this.#batches.push([delta]);
    this.#length = 1;
    this.#last = undefined;
    if (this.#isSyncWaiting) this.#push({ type: 'Sync' });
  }

  #forgetDeletion(delta: Delta<T>): void {
    if (delta.type === 'Deleted' && this.#deletions.get(delta.key) === delta)
      this.#deletions.delete(delta.key);
  }
}
