import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { Event as CoreEvent } from '@windlass/apimachinery/api/core/v1';
import { type Clock, type Counter, type Logger, type Metrics, type Timer, toError } from '@windlass/base';
import { type Follower, StoreFollower } from '../access/store-follower.ts';
import { RevisionConflictError, StoreClosedError } from '../storage/errors.ts';
import type { Store, StoreKey } from '../storage/store.ts';

export interface EventExpiryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long an event stays after it was last written, in milliseconds. @default 3600000 */
  readonly ttlMs?: number;
}

const DEFAULT_TTL_MS = 3_600_000;
/** Events that are due at almost the same time go together. */
const MIN_PAUSE_MS = 1000;
/** So many deletions are under way at once: enough to share commits, too few to hold up others. */
const BATCH = 64;

interface Entry {
  readonly expiresAt: number;
  readonly revision: number;
}

/**
 * Deletes events some time after they were last written, as a lease would: a cluster writes them all the
 * time, and nobody else takes them away. Watchers see the deletions.
 *
 * What is there at the start is as old as its own times say, so that a restart lets nothing live longer.
 */
export class EventExpiry implements AsyncDisposable {
  readonly #options: EventExpiryOptions;
  readonly #ttlMs: number;
  readonly #follower: Follower;
  readonly #expired: Counter;
  /** In the order in which they expire: each write puts its key at the end, and all live equally long. */
  readonly #entries = new Map<StoreKey, Entry>();
  #isFollowing = false;
  #timer: Timer | undefined = undefined;
  #sweeping: Promise<void> | undefined = undefined;
  #isStopped = false;

  constructor(options: EventExpiryOptions) {
    const { store, logger, metrics } = options;
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? DEFAULT_TTL_MS;
    this.#expired = metrics
      .counter({ name: 'windlass_expired_events_total', help: 'Events deleted because their time was over' })
      .labels();
    this.#follower = new StoreFollower({
      store,
      type: CoreEvent,
      logger,
      onState: (key, object) => this.#set(key, object),
      onSettled: () => this.#schedule(),
    });
  }

  async start(): Promise<void> {
    await this.#follower.start();
    const oldestFirst = [...this.#entries].toSorted(([, a], [, b]) => a.expiresAt - b.expiresAt);
    this.#entries.clear();
    for (const [key, entry] of oldestFirst) this.#entries.set(key, entry);
    this.#isFollowing = true;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#follower.stop();
    await this.#sweeping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #set(key: StoreKey, object: DeepReadonly<KubeObject> | undefined): void {
    this.#entries.delete(key);
    if (object === undefined) return;
    const now = this.#options.clock.now();
    const writtenAt = this.#isFollowing ? now : Math.min(now, lastWrite(object) ?? now);
    const revision = Number(object.metadata?.resourceVersion ?? 0);
    this.#entries.set(key, { expiresAt: writtenAt + this.#ttlMs, revision });
  }

  #schedule(): void {
    if (!this.#isFollowing || this.#isStopped || this.#timer !== undefined || this.#sweeping !== undefined)
      return;
    const [first] = this.#entries.values();
    if (first === undefined) return;
    const pause = Math.max(first.expiresAt - this.#options.clock.now(), MIN_PAUSE_MS);
    const sweep = (): void => {
      this.#timer = undefined;
      this.#sweeping = this.#sweep().finally(() => {
        this.#sweeping = undefined;
        this.#schedule();
      });
    };
    this.#timer = this.#options.clock.setTimeout(sweep, pause, { keepAlive: false });
  }

  async #sweep(): Promise<void> {
    const now = this.#options.clock.now();
    while (!this.#isStopped) {
      const due: [StoreKey, Entry][] = [];
      for (const entry of this.#entries) {
        if (entry[1].expiresAt > now || due.length === BATCH) break;
        due.push(entry);
      }
      if (due.length === 0) return;
      for (const [key] of due) this.#entries.delete(key);
      await Promise.all(due.map(([key, { revision }]) => this.#expire(key, revision)));
    }
  }

  async #expire(key: StoreKey, revision: number): Promise<void> {
    try {
      await this.#options.store.delete(key, revision);
      this.#expired.inc();
    } catch (error) {
      // Written or deleted meanwhile: the follower hears of it.
      if (error instanceof RevisionConflictError || error instanceof StoreClosedError) return;
      this.#options.logger.warn('an event could not be deleted after its time', {
        key,
        error: toError(error),
      });
    }
  }
}

/** When somebody last wrote an object, as far as it says so itself. */
function lastWrite({ metadata }: DeepReadonly<KubeObject>): number | undefined {
  const times = [metadata?.creationTimestamp, ...(metadata?.managedFields ?? []).map(({ time }) => time)]
    .map((text) => (text === undefined ? Number.NaN : Date.parse(text)))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}
