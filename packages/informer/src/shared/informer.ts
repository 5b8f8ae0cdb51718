import type { KubeObject } from '@windlass/apimachinery';
import type { Indexers, ReadIndexer } from '../cache/indexer.ts';
import type { Lister } from '../cache/lister.ts';
import type { HandlerOptions } from '../handlers/handler-options.ts';
import type { EventHandler } from '../handlers/notification.ts';
import type { Registration } from '../handlers/registration.ts';
import type { WaitForVersionOptions } from '../versions/version-gate.ts';

/**
 * A watched and cached kind, as its users see it.
 *
 * - The cache's states are a subsequence of the server's, in order.
 * - Cache and indices are up to date before any handler is told.
 * - A handler gets what happens to one object in order. Handlers do not wait for each other.
 * - A handler that comes late first gets the present state.
 * - What comes out of it is shared by all users: never to be changed.
 */
export interface Informer<T extends KubeObject> {
  /** In metrics, logs and errors. */
  readonly name: string;
  readonly lister: Lister<T>;
  /** The cache. */
  readonly indexer: ReadIndexer<T>;
  /** Whether the cache has held the server's whole state. */
  readonly hasSynced: boolean;
  /** The version that the cache is at; empty before the first list. */
  readonly resourceVersion: string;
  readonly isStopped: boolean;
  /** What last went wrong with the server; undefined once it has sent something since. */
  readonly lastError: Error | undefined;
  /** Starts watching. Does nothing when it runs already. */
  start(): void;
  /** Resolves when the cache has held the server's whole state. */
  synced(signal?: AbortSignal): Promise<void>;
  /** For messages to people. */
  whyNotSynced(): string;
  /** Waits until the cache has seen this version: that of a write of one's own. */
  waitForVersion(resourceVersion: string, options?: WaitForVersionOptions): Promise<void>;
  /** Reads everything from the server anew: at once, unless it pauses after a failure. Not for a loop. */
  relist(): void;
  /** May be called at any time, but not after the end. */
  addIndexers(indexers: Indexers<T>): void;
  /** A handler is never called before this returns. One that comes late is first told of what there is. */
  addHandler(handler: EventHandler<T>, options?: HandlerOptions): Registration;
}
