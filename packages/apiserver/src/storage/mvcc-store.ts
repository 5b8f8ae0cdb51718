import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { type Clock, type Logger, type Metrics, turnMarks } from '@windlass/base';
import { requireKey, requireWhole } from './arguments.ts';
import { planCompaction } from './compaction.ts';
import {
  FutureRevisionError,
  RevisionConflictError,
  type StorageFailedError,
  StoreClosedError,
} from './errors.ts';
import { type CommitTarget, GroupCommit, stateAfter } from './group-commit.ts';
import type { Journal, JournalContents } from './journal.ts';
import { MvccState } from './mvcc-state.ts';
import { Retention, type RetentionOptions } from './retention.ts';
import { RevisionWaiters } from './revision-waiters.ts';
import type { Prepared } from './states/prepared.ts';
import { StoredState } from './states/stored-state.ts';
import { WriteEvent } from './states/write-event.ts';
import type {
  ListOptions,
  ReadOptions,
  Store,
  StoredList,
  StoredObject,
  StoreKey,
  StoreWatch,
  WatchOptions,
} from './store.ts';
import { type StoreMetrics, storeMetrics } from './store-metrics.ts';
import { WatchHub } from './watch-hub.ts';
import { Watcher } from './watcher.ts';

/** What every backend on this engine takes. */
export interface MvccStoreOptions extends RetentionOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const DEFAULT_MAX_BUFFERED = 10_000;
// A compaction of many events goes in parts, so that no write waits long for it.
const COMPACTION_PART = 1000;

/**
 * The engine of the stores that live in this process: everything in memory, and a journal that makes it
 * durable. Without a journal a write is visible at once; with one, when the journal has it.
 *
 *   put ─► accepted (compared with what is pending) ─► journal ─► visible ─► watchers, then the answer
 */
export class MvccStore implements Store {
  readonly id: string;
  readonly isShared = false;
  readonly servers = undefined;
  readonly expiresEvents = false;
  readonly #state = new MvccState();
  readonly #metrics: StoreMetrics;
  readonly #hub: WatchHub;
  readonly #retention: Retention;
  readonly #waiters = new RevisionWaiters();
  readonly #compactions = new RevisionWaiters();
  readonly #journal: Journal | undefined;
  readonly #commits: GroupCommit | undefined;
  #accepted: number;
  #compactTo = 0;
  #closing: Promise<void> | undefined;

  constructor(journal: Journal | undefined, contents: JournalContents, options: MvccStoreOptions) {
    this.id = contents.id;
    this.#state.restore(contents);
    this.#accepted = contents.revision;
    this.#metrics = storeMetrics(options.metrics);
    this.#hub = new WatchHub(this.#state, this.#state.history, this.#metrics);
    this.#journal = journal;
    this.#commits = journal && new GroupCommit(journal, this.#commitTarget(options.logger), options);
    this.#retention = new Retention(options, this.#state, (revision) => this.compact(revision));
    this.#noteChange();
  }

  get revision(): number {
    return this.#state.revision;
  }

  get compactedRevision(): number {
    return this.#state.compactedRevision;
  }

  get failure(): StorageFailedError | undefined {
    return this.#commits?.failure;
  }

  async problem(): Promise<string | undefined> {
    if (this.#closing !== undefined) return new StoreClosedError().message;
    return this.#commits?.problem();
  }

  async get(key: StoreKey, options: ReadOptions = {}): Promise<StoredObject | undefined> {
    this.#requireOpen();
    requireWhole('revision', options.revision ?? 0, 0);
    return this.#state.get(key, options.revision);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<StoredList> {
    this.#requireOpen();
    requireWhole('revision', options.revision ?? 0, 0);
    requireWhole('limit', options.limit ?? 0, 0);
    return this.#state.list(prefix, options);
  }

  async put(
    key: StoreKey,
    object: DeepReadonly<KubeObject>,
    expected: number,
    prepared?: Prepared,
  ): Promise<StoredObject> {
    requireKey(key);
    requireWhole('expected', expected, 0);
    return this.#write(key, expected, (current, revision) => {
      return new WriteEvent('put', this.#stateOf(current?.key ?? key, object, revision, prepared), current);
    });
  }

  #stateOf(
    key: StoreKey,
    object: DeepReadonly<KubeObject>,
    revision: number,
    prepared: Prepared | undefined,
  ): StoredState {
    if (prepared !== undefined) return StoredState.prepared(key, object, revision, prepared);
    // The journal needs the bytes; in memory they are made when somebody asks.
    return this.#commits === undefined
      ? StoredState.of(key, object, revision)
      : StoredState.withBytes(key, object, revision);
  }

  async delete(key: StoreKey, expected: number): Promise<StoredObject> {
    requireWhole('expected', expected, 1);
    return this.#write(key, expected, (current, revision) => {
      const stored = StoredState.deletion(current?.key ?? key, current, revision);
      return new WriteEvent('delete', stored, current);
    });
  }

  watch(prefix: string, options: WatchOptions): StoreWatch {
    this.#requireOpen();
    const { fromRevision, signal, maxBuffered = DEFAULT_MAX_BUFFERED } = options;
    requireWhole('fromRevision', fromRevision, 0);
    return new Watcher(this.#hub, prefix, fromRevision, maxBuffered, signal);
  }

  async compact(revision: number): Promise<void> {
    this.#requireWritable();
    requireWhole('revision', revision, 0);
    if (revision > this.revision) throw new FutureRevisionError(revision, this.revision);
    if (revision <= this.compactedRevision) return;
    if (this.#commits === undefined) {
      this.#state.drop(revision);
      this.#noteChange();
      return;
    }
    this.#compactTo = Math.max(this.#compactTo, revision);
    this.#commits.wake();
    await this.#compactions.wait(revision, undefined);
  }

  async waitFor(revision: number, signal?: AbortSignal): Promise<void> {
    this.#requireOpen();
    requireWhole('revision', revision, 0);
    if (revision > this.revision) await this.#waiters.wait(revision, signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#retention.stop();
    await this.#commits?.idle();
    const closed = new StoreClosedError();
    this.#hub.close(closed);
    this.#waiters.close(closed);
    this.#compactions.close(closed);
    await this.#journal?.close();
  }

  /**
   * Compares with what was accepted last, so that a write may stand on one that is not durable yet. But
   * nobody learns of that one before it is durable: a write that only it refuses waits for its outcome.
   */
  async #write(
    key: StoreKey,
    expected: number,
    make: (current: StoredState | undefined, revision: number) => WriteEvent,
  ): Promise<StoredObject> {
    for (;;) {
      this.#requireWritable();
      const visible = this.#state.get(key, undefined);
      const pending = this.#commits?.pending(key);
      const current = pending === undefined ? visible : stateAfter(pending);
      if (revisionOf(current) === expected) return this.#accept(make(current, this.#accepted + 1));
      if (pending === undefined || revisionOf(visible) !== expected) {
        throw new RevisionConflictError(key, expected, visible);
      }
      await this.#commits?.settled();
    }
  }

  #accept(event: WriteEvent): StoredObject | Promise<StoredObject> {
    this.#accepted = event.revision;
    if (this.#commits !== undefined) return this.#commits.accept(event);
    this.#apply([event]);
    return event.stored;
  }

  #apply(writes: readonly WriteEvent[]): void {
    for (const event of writes) {
      this.#state.apply(event);
      this.#hub.publish(event);
    }
    this.#waiters.reached(this.revision);
    this.#noteChange();
  }

  #noteChange(): void {
    this.#metrics.state(this.revision, this.compactedRevision, this.#state.history.size);
    this.#retention.noteChange();
  }

  #commitTarget(logger: Logger): CommitTarget {
    return {
      apply: (writes, ms) => {
        this.#metrics.committed(writes.length, ms);
        turnMarks.doing('commit');
        this.#apply(writes);
      },
      nextCompaction: () => planCompaction(this.#state.history, this.#compactTo, COMPACTION_PART),
      compacted: ({ revision }) => {
        this.#state.drop(revision);
        this.#compactions.reached(revision);
        this.#noteChange();
      },
      compactionFailed: (error) => {
        this.#compactTo = 0;
        this.#compactions.close(error);
      },
      failed: (error) => {
        this.#accepted = this.revision;
        if (!error.recoverable) this.#compactions.close(error);
        this.#metrics.failed();
        logger.error('writes could not be made durable', { error, recoverable: error.recoverable });
      },
    };
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosedError();
  }

  #requireWritable(): void {
    this.#requireOpen();
    if (this.failure !== undefined) throw this.failure;
  }
}

function revisionOf(stored: StoredState | undefined): number {
  return stored === undefined ? 0 : stored.revision;
}
