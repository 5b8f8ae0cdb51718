import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import type { StorageFailedError } from './errors.ts';
import type { Prepared } from './states/prepared.ts';

/**
 * Where the API server keeps its objects. One contract suite (testing/store-contract.ts) holds every
 * backend to it.
 *
 * - There is one revision for the whole store. It grows by one with each write, and never goes back, not
 *   even over a crash. An object's `metadata.resourceVersion` is the revision of its last write.
 * - A write that was answered is durable, and a read sees it. A write that was not answered is there
 *   whole or not at all. No read, no watch and no conflict ever shows a write that is not durable yet.
 * - Objects are immutable and shared: nobody changes what goes in or what comes out, and both are frozen.
 *   The store puts the revision into `metadata.resourceVersion` of what it keeps; whatever stood there is
 *   replaced.
 * - Events of a watch come in the order of their revisions, with none missing and none twice.
 * - The past can be read and watched back to `compactedRevision`; further back is a CompactedError.
 *
 * Methods are asynchronous so that a store may be elsewhere; the ones here answer from memory. After
 * `close` everything throws a StoreClosedError.
 */
export interface Store extends AsyncDisposable {
  /** Names this line of revisions. The revisions of stores with different ids do not compare. */
  readonly id: string;
  /** The revision of the last write that readers see; 0 when there was none. */
  readonly revision: number;
  /** What happened at or before this revision can no longer be read one by one. */
  readonly compactedRevision: number;
  /** Whether others write too, such as another API server. */
  readonly isShared: boolean;
  /** The servers that share it; undefined where there is only one. */
  readonly servers: SharingServers | undefined;
  /** Whether events go by themselves when their time is over. */
  readonly expiresEvents: boolean;
  /** Why the store takes no more writes; undefined while it does. It still answers reads. */
  readonly failure: StorageFailedError | undefined;

  /**
   * What keeps writes from being stored now, such as a full disk; undefined when nothing does. When the last write
   * failed, or the last one was a while ago, it tries. Answers within a second or so, and never rejects.
   */
  problem(): Promise<string | undefined>;
  /**
   * @throws CompactedError when `revision` is before `compactedRevision`
   * @throws FutureRevisionError when `revision` has not been reached (see `waitFor`)
   */
  get(key: StoreKey, options?: ReadOptions): Promise<StoredObject | undefined>;
  /** Everything whose key begins with the prefix, in the order of the keys. Throws as `get`. */
  list(prefix: string, options?: ListOptions): Promise<StoredList>;
  /**
   * Writes if the key's present revision is `expected`: 0 means that it must not be there.
   * @param prepared what is known of a large object already; a store may ignore it
   * @throws RevisionConflictError with what is there instead
   * @throws StorageFailedError when it could not be made durable; nothing of it is visible
   */
  put(
    key: StoreKey,
    object: DeepReadonly<KubeObject>,
    expected: number,
    prepared?: Prepared,
  ): Promise<StoredObject>;
  /** As `put`. Answers what was deleted, stamped with the revision of the deletion. */
  delete(key: StoreKey, expected: number): Promise<StoredObject>;
  /** Every event after `fromRevision` whose key begins with the prefix. A future revision just waits. */
  watch(prefix: string, options: WatchOptions): StoreWatch;
  /**
   * Forgets the past before `revision`, of which the state itself can still be read. Does nothing when
   * that is forgotten already.
   * @throws FutureRevisionError when `revision` has not been reached
   */
  compact(revision: number): Promise<void>;
  /** Resolves when `revision` has been reached; rejects when the signal aborts or the store closes. */
  waitFor(revision: number, signal?: AbortSignal): Promise<void>;
  /** Writes that are under way are finished first; new ones are refused. Watches end. Idempotent. */
  close(): Promise<void>;
}

/** The addresses at which the servers that share a store serve. */
export interface SharingServers {
  /** For fifteen seconds from now. */
  announce(address: string): Promise<void>;
  withdraw(address: string): Promise<void>;
  list(): Promise<string[]>;
}

/**
 * `/<group>/<resource>/<namespace>/<name>`, or without the namespace for what is in none. Begins with a
 * slash, ends with none, and is well-formed Unicode. Keys are ordered as strings compare: by code unit.
 */
export type StoreKey = string;

/** A key's state. Its JSON is kept once made: see `bytesOf`. */
export interface StoredObject {
  readonly key: StoreKey;
  readonly object: DeepReadonly<KubeObject>;
  /** Of the last write; the same as the object's `metadata.resourceVersion`. */
  readonly revision: number;
}

/** How a key is read. */
export interface ReadOptions {
  /**
   * Whatever is at hand will do. A store that is elsewhere is otherwise asked whether somebody has written since.
   * @default false
   */
  readonly cached?: boolean;
  /** Read the past at exactly this revision. Default: the present. */
  readonly revision?: number;
}

/** Which keys of a prefix are listed, and how many. */
export interface ListOptions extends ReadOptions {
  /** Only keys at or after this one. To go on after a page: its last key and "\0". */
  readonly startKey?: string;
  /** At most so many; 0 means all. */
  readonly limit?: number;
}

/** A page of objects, as they were at one revision. */
export interface StoredList {
  readonly items: readonly StoredObject[];
  /** At which the list was read. */
  readonly revision: number;
  /** How many keys of the prefix come after the last item. */
  readonly remaining: number;
}

/** Where a watch begins, when it ends, and how far it may fall behind. */
export interface WatchOptions {
  readonly fromRevision: number;
  readonly signal?: AbortSignal;
  /**
   * How many events may wait for a slow reader, beside one batch. Then the watch ends with a
   * SlowWatcherError, and the reader resumes from the last revision it has seen. What it reads from the
   * past does not count: that is fetched as it asks.
   * @default 10000
   */
  readonly maxBuffered?: number;
}

/** One write, as a watch reports it. */
export interface StoreEvent {
  readonly type: 'put' | 'delete';
  readonly key: StoreKey;
  readonly revision: number;
  /** The new state; for a deletion the last state, stamped with the revision of the deletion. */
  readonly stored: StoredObject;
  /** The state before; undefined when the write created it. */
  readonly previous: StoredObject | undefined;
}

/**
 * Batches of events, as many as there were; an empty one only after `nudge`. Watches of one prefix that keep up get
 * the same arrays, so that whoever encodes a batch can keep the result by the array's identity.
 *
 * It ends when `return()` is called. It fails with the signal's error, and with a CompactedError, a
 * SlowWatcherError or a StoreClosedError; what was buffered is then dropped.
 */
export interface StoreWatch
  extends AsyncIterableIterator<readonly StoreEvent[], undefined, undefined>,
    AsyncDisposable {
  /** The store's revision up to which every event has been handed over: what a bookmark may say. */
  readonly progress: number;
  /** A reader that waits gets an empty batch: whoever reads can look at something else than events. */
  nudge(): void;
  return(): Promise<IteratorReturnResult<undefined>>;
}
