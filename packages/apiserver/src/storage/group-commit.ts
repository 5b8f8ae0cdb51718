import { type Clock, type Logger, toError } from '@windlass/base';
import { StorageFailedError } from './errors.ts';
import type { Compaction, Journal } from './journal.ts';
import { bytesOf, type StoredState } from './states/stored-state.ts';
import type { WriteEvent } from './states/write-event.ts';
import { StorageHealth } from './storage-health.ts';
import type { StoredObject } from './store.ts';

/** What the engine does when the journal has answered. */
export interface CommitTarget {
  /** The writes are durable, after `ms`: make them visible. */
  apply(writes: readonly WriteEvent[], ms: number): void;
  /** The next part of what is to be forgotten; undefined when nothing is. */
  nextCompaction(): Compaction | undefined;
  compacted(compaction: Compaction): void;
  compactionFailed(error: StorageFailedError): void;
  /** Every write that was accepted and not applied is lost. */
  failed(error: StorageFailedError): void;
}

interface PendingWrite {
  readonly event: WriteEvent;
  readonly resolve: (stored: StoredObject) => void;
  readonly reject: (error: Error) => void;
}

interface Probe extends PromiseWithResolvers<void> {
  readonly bytes: number;
}

// A batch is copied once for the journal, and everybody in it waits for the whole of it.
const MAX_BATCH_WRITES = 1000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Makes writes durable, many at a time: while one batch is on its way, writes collect into the next. So
 * the number of syncs follows the disk, and the number of writes each carries follows the load.
 *
 * Writes are accepted on top of those that are pending. When a batch fails, everything accepted since
 * stands on it and fails with it.
 */
export class GroupCommit {
  readonly #journal: Journal;
  readonly #target: CommitTarget;
  readonly #clock: Clock;
  // By key, the last write that is accepted and not durable.
  readonly #pending = new Map<string, WriteEvent>();
  #collecting: PendingWrite[] = [];
  #running = false;
  #settlement = Promise.withResolvers<void>();
  #failure: StorageFailedError | undefined;
  /** Whoever asks whether so many bytes could be written. */
  #probe: Probe | undefined;
  readonly #health: StorageHealth;

  constructor(
    journal: Journal,
    target: CommitTarget,
    surroundings: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#journal = journal;
    this.#target = target;
    this.#clock = surroundings.clock;
    this.#health = new StorageHealth({ ...surroundings, probe: (bytes) => this.#askForProbe(bytes) });
  }

  /** Set once the journal cannot go on. */
  get failure(): StorageFailedError | undefined {
    return this.#failure ?? this.#journal.failure;
  }

  /** What keeps writes from being stored; undefined when nothing does. */
  async problem(): Promise<string | undefined> {
    return this.failure?.message ?? (await this.#health.problem()) ?? this.failure?.message;
  }

  pending(key: string): WriteEvent | undefined {
    return this.#pending.get(key);
  }

  /** Resolves when the journal has next answered, with success or not. */
  settled(): Promise<void> {
    return this.#settlement.promise;
  }

  /** Resolves when nothing is pending. */
  async idle(): Promise<void> {
    while (this.#running) await this.settled();
  }

  accept(event: WriteEvent): Promise<StoredObject> {
    this.#pending.set(event.key, event);
    return new Promise((resolve, reject) => {
      this.#collecting.push({ event, resolve, reject });
      this.wake();
    });
  }

  /** Runs until there is nothing to write and nothing to forget. */
  wake(): void {
    if (this.#running) return;
    this.#running = true;
    // Whoever else writes in this turn shares the first batch.
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#failure === undefined) {
      const batch = this.#takeBatch();
      if (batch.length > 0) await this.#commit(batch);
      // After the writes and not with them: when the disk is full, forgetting is what makes room.
      const compaction = this.#failure === undefined ? this.#target.nextCompaction() : undefined;
      if (compaction !== undefined) await this.#compact(compaction);
      else if (this.#probe !== undefined) await this.#answerProbe(this.#probe);
      else if (batch.length === 0) break;
    }
    if (this.#failure !== undefined) this.#refuseProbe(this.#failure);
    // In the turn that found nothing to do, so that no write can slip in between.
    this.#running = false;
    this.#settle();
  }

  async #commit(batch: readonly PendingWrite[]): Promise<void> {
    const writes = batch.map((write) => write.event);
    const started = this.#clock.monotonic();
    // Of the largest: how many go together is chance.
    const bytes = writes.reduce((most, event) => Math.max(most, bytesIn(event)), 0);
    this.#health.started();
    try {
      await this.#journal.append(writes);
    } catch (error) {
      const failure = asFailure(error);
      this.#health.failed(failure, bytes);
      this.#fail(batch, failure);
      return;
    }
    this.#health.succeeded(bytes);
    this.#target.apply(writes, this.#clock.monotonic() - started);
    for (const event of writes) {
      if (this.#pending.get(event.key) === event) this.#pending.delete(event.key);
    }
    for (const write of batch) write.resolve(write.event.stored);
    this.#settle();
  }

  async #compact(compaction: Compaction): Promise<void> {
    try {
      await this.#journal.compact(compaction);
    } catch (error) {
      const failure = asFailure(error);
      this.#target.compactionFailed(failure);
      if (!failure.recoverable) this.#fail([], failure);
      return;
    }
    this.#target.compacted(compaction);
  }

  #askForProbe(bytes: number): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#probe ??= { ...Promise.withResolvers<void>(), bytes };
    const { promise } = this.#probe;
    this.wake();
    return promise;
  }

  #refuseProbe(failure: StorageFailedError): void {
    this.#probe?.reject(failure);
    this.#probe = undefined;
  }

  async #answerProbe(probe: Probe): Promise<void> {
    this.#probe = undefined;
    this.#health.started();
    try {
      await this.#journal.probe(probe.bytes);
      this.#health.succeeded(probe.bytes);
      probe.resolve();
    } catch (error) {
      const failure = asFailure(error);
      this.#health.failed(failure, probe.bytes);
      if (!failure.recoverable) this.#fail([], failure);
      probe.reject(failure);
    }
  }

  #takeBatch(): PendingWrite[] {
    let count = 0;
    for (let bytes = 0; count < this.#collecting.length && count < MAX_BATCH_WRITES; count++) {
      const event = this.#collecting[count]?.event;
      bytes += event === undefined ? 0 : bytesIn(event);
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
    }
    if (count === this.#collecting.length) {
      const all = this.#collecting;
      this.#collecting = [];
      return all;
    }
    return this.#collecting.splice(0, count);
  }

  #fail(batch: readonly PendingWrite[], error: StorageFailedError): void {
    const lost = [...batch, ...this.#collecting];
    this.#collecting = [];
    this.#pending.clear();
    if (!error.recoverable) this.#failure = error;
    this.#target.failed(error);
    for (const write of lost) write.reject(error);
    this.#settle();
  }

  #settle(): void {
    this.#settlement.resolve();
    this.#settlement = Promise.withResolvers();
  }
}

function bytesIn(event: WriteEvent): number {
  return event.type === 'put' ? bytesOf(event.stored).length : 0;
}

/** How the key stands after the write. */
export function stateAfter(event: WriteEvent): StoredState | undefined {
  return event.type === 'delete' ? undefined : event.stored;
}

// What a journal throws that is no answer of its kind is a defect: the disk's state is then unknown.
function asFailure(thrown: unknown): StorageFailedError {
  if (thrown instanceof StorageFailedError) return thrown;
  return new StorageFailedError('the journal failed in a way it should not; start again, and report this', {
    recoverable: false,
    cause: toError(thrown),
  });
}
