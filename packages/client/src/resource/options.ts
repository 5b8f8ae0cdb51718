import type { FieldSelector, Selector, ShardSelector } from '@windlass/apimachinery';
import type { CallOptions } from '../policy/api-caller.ts';

/** How the `resourceVersion` of a list is meant. */
export type ResourceVersionMatch = 'Exact' | 'NotOlderThan';
/** What becomes of the objects that a deleted object owns. */
export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';
/** What the server does about fields that it does not know, or that are given twice. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Which objects of a kind are meant. */
export interface SelectorOptions {
  /** `app=web,tier in (a,b)`, or a parsed selector. @default everything */
  readonly labelSelector?: string | Selector;
  /** `status.phase=Running`. Servers know only some fields of each kind. @default everything */
  readonly fieldSelector?: string | FieldSelector;
}

/** Which part of a kind is meant. Not for deletions: a server that does not know it would delete everything. */
export interface ShardOptions {
  /**
   * Only part of the objects, by the hash of their uid or namespace: `ShardSelector.part(…)`. Servers that do not know
   * it, or whose gate ShardedListAndWatch is off, answer with all; then the list has no `metadata.shardInfo`.
   * @default everything
   */
  readonly shardSelector?: string | ShardSelector;
}

/** What becomes of objects without a name in an answer. */
export interface NamelessOptions {
  /**
   * Gives out objects without a name instead of refusing the answer: for a reader that looks at each object
   * itself, as informers do.
   * @default false
   */
  readonly allowNameless?: boolean;
}

/** Options of a read of one object. */
export interface GetOptions extends CallOptions {
  /** `0` allows an answer from the server's cache. @default the newest state */
  readonly resourceVersion?: string;
}

/** Options of a list. */
export interface ListOptions extends CallOptions, SelectorOptions, ShardOptions, NamelessOptions {
  /** `0` allows an answer from the server's cache. @default the newest state */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** At most this many; `metadata.continue` of the answer then names the rest. @default all */
  readonly limit?: number;
  /** Where an earlier answer left off. */
  readonly continue?: string;
}

/** Options of a watch. */
export interface WatchOptions extends SelectorOptions, ShardOptions, NamelessOptions {
  /** Only what happens after it. @default the current state first, as ADDED */
  readonly resourceVersion?: string;
  /** @default NotOlderThan with `sendInitialEvents`, which requires it */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /**
   * Events of type BOOKMARK, about once a minute. They also show that the connection lives. Without a
   * version to start from, servers take it to mean `sendInitialEvents`, which not all of them can do.
   * @default true with a `resourceVersion` other than 0, or with `sendInitialEvents`
   */
  readonly allowWatchBookmarks?: boolean;
  /** A streaming list: the current state as ADDED, then a BOOKMARK for which `isInitialEventsEnd` holds. */
  readonly sendInitialEvents?: boolean;
  /** The server ends the watch after this long. @default the server's choice, at least half an hour */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

/** What every write may be given. */
export interface WriteOptions extends CallOptions {
  /**
   * Check everything and store nothing. The answer to a create then has no version, whatever its type says.
   * @default false
   */
  readonly dryRun?: boolean;
  /** Who owns the fields that this changes. @default the client's */
  readonly fieldManager?: string;
  /** What becomes of fields that the server does not know. @default the client's, or else the server's (Warn) */
  readonly fieldValidation?: FieldValidation;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Take fields over from other managers instead of failing. @default false */
  readonly force?: boolean;
}

/** Options of a deletion. */
export interface DeleteOptions extends CallOptions {
  /** Zero: at once. @default what the object says */
  readonly gracePeriodSeconds?: number;
  /** What becomes of the objects that it owns. @default the kind's */
  readonly propagationPolicy?: PropagationPolicy;
  /** Delete only if it is still this one. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** @default false */
  readonly dryRun?: boolean;
}

/** Options of the deletion of all objects that match. */
export interface DeleteCollectionOptions extends DeleteOptions, SelectorOptions {}
