import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';

/**
 * Where the API server keeps its objects. One contract suite (store-contract.ts) holds every backend to
 * it.
 *
 * - There is one revision for the whole store. It grows by one with each write, and never goes back, not
 *   even over a crash. An object's `metadata.resourceVersion` is the revision of its last write.
 * - A write that was answered is durable, and a read sees it. A write that was not answered is there
 *   whole or not at all.
 * - Objects are immutable and shared: nobody changes what goes in or what comes out. The store puts the
 *   revision into `metadata.resourceVersion` of what it keeps; whatever stood there is replaced.
 * - Events of a watch come in the order of their revisions, with none missing and none twice.
 * - The past can be read and watched back to `compactedRevision`; further back is a CompactedError.
 *
 * Methods are asynchronous so that a store may be elsewhere; the ones here answer from memory.
 */
export interface Store extends AsyncDisposable {
  /** The revision of the last write that readers see. */
  readonly revision: number;
  /** What happened at or before this revision can no longer be read one by one. */
  readonly compactedRevision: number;

  get(key: StoreKey, options?: ReadOptions): Promise<StoredObject | undefined>;
  /** Everything whose key begins with the prefix, in the order of the keys. */
  list(prefix: string, options?: ListOptions): Promise<StoredList>;
  /**
   * Writes if the key's present revision is `expected`: 0 means that it must not be there. Otherwise
   * throws a RevisionConflictError with what is there.
   */
  put(key: StoreKey, object: KubeObject, expected: number): Promise<StoredObject>;
  /** As `put`. Answers what was deleted, stamped with the revision of the deletion. */
  delete(key: StoreKey, expected: number): Promise<StoredObject>;
  /** Every event after `fromRevision` whose key begins with the prefix. */
  watch(prefix: string, options: WatchOptions): StoreWatch;
  /** Forgets the past at and before `revision`. */
  compact(revision: number): Promise<void>;
  /** Resolves when `revision` has been reached; rejects when the signal aborts. */
  waitFor(revision: number, signal?: AbortSignal): Promise<void>;
}

/** `/<group>/<resource>/<namespace>/<name>`, or without the namespace for what is in none. */
export type StoreKey = string;

export interface StoredObject {
  readonly key: StoreKey;
  readonly object: DeepReadonly<KubeObject>;
  /** Of the last write; the same as the object's `metadata.resourceVersion`. */
  readonly revision: number;
}

export interface ReadOptions {
  /** Read the past at exactly this revision. Default: the present. */
  readonly revision?: number;
}

export interface ListOptions extends ReadOptions {
  /** Only keys at or after this one. */
  readonly startKey?: string;
  /** At most so many; 0 means all. */
  readonly limit?: number;
}

export interface StoredList {
  readonly items: readonly StoredObject[];
  /** At which the list was read. */
  readonly revision: number;
  /** How many keys of the prefix come after the last item. */
  readonly remaining: number;
}

export interface WatchOptions {
  readonly fromRevision: number;
  readonly signal?: AbortSignal;
  /**
   * How many events may wait for a slow reader. Then the watch ends with a SlowWatcherError, and the
   * reader resumes from the last revision it has seen.
   * @default 10000
   */
  readonly maxBuffered?: number;
}

export interface StoreEvent {
  readonly type: 'put' | 'delete';
  readonly key: StoreKey;
  readonly revision: number;
  /** The new state; for a deletion the last state, stamped with the revision of the deletion. */
  readonly object: DeepReadonly<KubeObject>;
  /** The state before; undefined when the write created it. */
  readonly previous: DeepReadonly<KubeObject> | undefined;
}

/** Batches of events, as many as there were. `return()` ends the watch. */
export interface StoreWatch extends AsyncIterable<readonly StoreEvent[]> {
  /** The store's revision up to which every event has been handed over: what a bookmark may say. */
  readonly progress: number;
}
