import { type Cached, type KubeObject, keyOf } from '@windlass/apimachinery';
import type { Predicate } from './predicates.ts';
import type { Reconcile, ReconcileContext } from './reconciler.ts';
import type { ReconcileOutcome } from './result.ts';

/** What happened to an object. */
export type HandledEvent = 'add' | 'update' | 'delete';

/**
 * A handler that is written for what happens, not for what is. It is called with the newest state, and what
 * happens to an object in between is one call.
 *
 * - `add` comes first for each object, again until it succeeds.
 * - `update` may come with nothing new: after a requeue, and as a reminder.
 * - `delete` comes once the object is gone, with its last state, again until it succeeds. An object that is
 *   only about to go (`isBeingDeleted`) is an update.
 */
export type HandleEvent<T extends KubeObject> = (
  type: HandledEvent,
  object: Cached<T>,
  context: ReconcileContext,
) => ReconcileOutcome | PromiseLike<ReconcileOutcome>;

/** Turns a handler of events into a reconciler, with what it must remember in between. */
export class EventHandling<T extends KubeObject> {
  readonly #handle: HandleEvent<T>;
  readonly #find: (key: string) => Cached<T> | undefined;
  /** By key, what is gone and not told yet, oldest first. */
  readonly #gone = new Map<string, Cached<T>[]>();
  /** By key, the uid of which `add` has succeeded. */
  readonly #told = new Map<string, string>();

  constructor(handle: HandleEvent<T>, find: (key: string) => Cached<T> | undefined) {
    this.#handle = handle;
    this.#find = find;
  }

  /** Sees every event, and lets each pass. */
  readonly tap: Predicate<T> = (event) => {
    if (event.type !== 'delete') return true;
    const { object } = event;
    const key = keyOf(object);
    this.#gone.set(key, [...(this.#gone.get(key) ?? []), object]);
    return true;
  };

  readonly reconcile: Reconcile = async (key, context) => {
    for (let gone = this.#gone.get(key)?.[0]; gone !== undefined; gone = this.#gone.get(key)?.[0]) {
      await this.#handle('delete', gone, context);
      this.#told.delete(key);
      const rest = this.#gone.get(key)?.slice(1) ?? [];
      if (rest.length > 0) this.#gone.set(key, rest);
      else this.#gone.delete(key);
    }
    const object = this.#find(key);
    if (object === undefined) return undefined;
    const uid = object.metadata.uid;
    if (this.#told.get(key) === uid) return this.#handle('update', object, context);
    const outcome = await this.#handle('add', object, context);
    this.#told.set(key, uid);
    return outcome;
  };
}
