import type { KubeObject } from '@windlass/apimachinery';
import type { StorageFailedError } from './errors.ts';
import type { WriteEvent } from './states/write-event.ts';

/**
 * Where the engine makes its writes durable. It is told every write in the order of the revisions, and may
 * forget those that a compaction names: what is left is what the next start needs. One call at a time.
 */
export interface Journal {
  /** Why it cannot go on, also when nobody has called it since; undefined while it can. */
  readonly failure?: StorageFailedError | undefined;
  /**
   * Resolves when all of them are durable; rejects when none is, with a StorageFailedError. Each is one
   * revision after the one before, the first after the last of the call before.
   */
  append(writes: readonly WriteEvent[]): Promise<void>;
  /** As `append`. */
  compact(compaction: Compaction): Promise<void>;
  /** Resolves when so many bytes could be made durable now; rejects as `append` would. Leaves no trace. */
  probe(bytes: number): Promise<void>;
  close(): Promise<void>;
}

export interface Compaction {
  /** The new compacted revision. */
  readonly revision: number;
  /** The writes that nobody can read any more: superseded at or before that revision, or deletions. */
  readonly drop: readonly number[];
}

/** What a journal has kept, for the engine to start from. */
export interface JournalContents {
  readonly id: string;
  readonly revision: number;
  readonly compactedRevision: number;
  /**
   * In the order of their revisions: up to the compacted revision one for each object that was there,
   * after it every write.
   */
  readonly writes: readonly JournalRecord[];
}

export interface JournalRecord {
  readonly revision: number;
  readonly key: string;
  /** As it was stored, stamped: the object, or its JSON; undefined for a deletion. */
  readonly kept: KubeObject | string | undefined;
}
