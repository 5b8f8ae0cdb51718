import type { Cached, KubeObject } from '@windlass/apimachinery';

/** A change of the cache, as handlers are told of it. */
export type Notification<T extends KubeObject> =
  | {
      readonly type: 'add';
      readonly key: string;
      readonly now: Cached<T>;
      readonly isInInitialList: boolean;
    }
  | {
      readonly type: 'update';
      readonly key: string;
      readonly old: Cached<T>;
      readonly now: Cached<T>;
    }
  /** `old` is the last state known; with `isFinalStateUnknown` the deletion itself was missed. */
  | {
      readonly type: 'delete';
      readonly key: string;
      readonly old: Cached<T>;
      readonly isFinalStateUnknown: boolean;
    }
  /** Nothing changed: a resync, or a relist that found the object as it was. */
  | {
      readonly type: 'sync';
      readonly key: string;
      readonly now: Cached<T>;
      readonly cause: 'resync' | 'relist';
    };

/** What a handler is told about an object that was added. */
export interface AddInfo {
  readonly key: string;
  /** True for what was there before the handler: the first list, or the cache when the handler came late. */
  readonly isInInitialList: boolean;
}

/** What a handler is told about an object that was deleted. */
export interface DeleteInfo {
  readonly key: string;
  /** True when the deletion was missed: the object is the last state that was seen, not the last there was. */
  readonly isFinalStateUnknown: boolean;
}

/**
 * What happens to the objects of a kind. Calls come one at a time and, for one object, in order; a handler
 * that returns a promise gets the next call when it has settled. The cache has the new state by then, and
 * may have a newer one. A deleted object and a new one of the same name are two objects: the handler hears
 * of both. Objects are shared: do not change them. What a handler throws is counted and logged, and harms
 * nobody.
 */
export interface EventHandler<T extends KubeObject> {
  onAdd?(object: Cached<T>, info: AddInfo): void | PromiseLike<void>;
  /** For a resync `old` and `now` are the same object. */
  onUpdate?(old: Cached<T>, now: Cached<T>): void | PromiseLike<void>;
  onDelete?(object: Cached<T>, info: DeleteInfo): void | PromiseLike<void>;
}
