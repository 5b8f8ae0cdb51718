import type { Cached, KubeObject } from '@windlass/apimachinery';
import { RingBuffer } from '@windlass/base';

/** One thing that happened. Deltas come out in the order in which they went in. */
export type Delta<T extends KubeObject> =
  | { readonly type: 'Added' | 'Updated'; readonly key: string; readonly object: Cached<T> }
  | { readonly type: 'Deleted'; readonly key: string; readonly object: Cached<T> }
  /** The whole state: what is not in it is gone. Atomic: nobody sees half of it. */
  | {
      readonly type: 'Replaced';
      /** The consumer's to keep. */
      readonly objects: Map<string, Cached<T>>;
      readonly resourceVersion: string;
      /** False when versions may have been used twice: then equal versions prove nothing. */
      readonly versionsAreUnique: boolean;
    }
  /** Remind the handlers of what there is. It carries no objects, so it can never bring back an older state. */
  | { readonly type: 'Sync' }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string };

export const MAX_BATCH = 1000;

/**
 * The way from the reflector to the cache: what one read, one list or one resync brought, in the order of the server.
 * Nothing waits here for long. The cache takes everything out in the call that put it in, because the cache must not
 * be late for a handler's sake; what a slow handler has not been told yet waits with its Listener.
 *
 * - Deltas leave in the order in which they came: those of one key, and those of different keys.
 * - They leave in batches of at most MAX_BATCH. Handlers are told after each batch, so that they stay near the cache.
 * - A Replaced is alone in its batch: the cache takes on the whole state, or none of it, before anyone is told.
 *
 * add: O(1). popBatch: O(1).
 */
export class DeltaFifo<T extends KubeObject> {
  /** None is empty. */
  readonly #batches = new RingBuffer<Delta<T>[]>();
  /** The batch that is filled; undefined after a Replaced, and when all have left. */
  #last: Delta<T>[] | undefined = undefined;

  add(delta: Delta<T>): void {
    if (delta.type === 'Replaced') {
      this.#batches.push([delta]);
      this.#last = undefined;
    } else if (this.#last === undefined || this.#last.length >= MAX_BATCH) {
      this.#last = [delta];
      this.#batches.push(this.#last);
    } else this.#last.push(delta);
  }

  /** The next deltas; empty when there are none. The caller's to keep. */
  popBatch(): Delta<T>[] {
    const batch = this.#batches.shift();
    // What comes next must not be added to a batch that has left.
    if (batch === this.#last) this.#last = undefined;
    return batch ?? [];
  }
}
