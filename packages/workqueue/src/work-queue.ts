import { InvalidArgumentError } from '@windlass/base';
import { Delay, Delays } from './delays.ts';
import { PROCESSING_DIRTY } from './entry.ts';
import {
  type AddOptions,
  checkedPriority,
  DEFAULT_PRIORITY,
  Queue,
  type QueueOptions,
  type ShutDownOptions,
} from './queue.ts';
import { exponential } from './rate-limiters/exponential.ts';
import type { RateLimiter } from './rate-limiters/rate-limiter.ts';
import { noReasons } from './reasons.ts';
import type { QueueSnapshot } from './snapshot.ts';

export interface WorkQueueOptions<K> extends QueueOptions {
  /**
   * Decides how long `addRateLimited` waits.
   * @default exponential per key, 5 ms to 1000 s. There is no bucket shared by all keys: it would let
   * many failing keys delay a healthy one without bound.
   */
  readonly rateLimiter?: RateLimiter<K>;
}

const DEFAULT_SNAPSHOT_LIMIT = 100;

/**
 * A Queue whose keys may also come later: after a delay, or after the delay that a rate limiter sets.
 * A delayed key and a queued one are independent: an add now does not cancel an add later.
 */
export class WorkQueue<K = string, R = string> extends Queue<K, R> {
  readonly #limiter: RateLimiter<K>;
  readonly #delays: Delays<K, R>;

  constructor(options: WorkQueueOptions<K> = {}) {
    super(options);
    this.#limiter = options.rateLimiter ?? exponential<K>();
    this.#delays = new Delays(this.clock, (delay) => this.addReady(delay.key, delay.priority, delay.reasons));
  }

  /** Keys whose time has not come. */
  get delayedCount(): number {
    return this.#delays.size;
  }

  /**
   * Adds the key when `delayMs` have passed; at once when that is 0 or less. Of two pending delays for a
   * key the earlier wins, and keeps the higher priority and the reasons of both. After shut down it does
   * nothing and returns false.
   */
  addAfter(key: K, delayMs: number, options?: AddOptions<R>): boolean {
    if (!Number.isFinite(delayMs)) throw new InvalidArgumentError('delayMs', delayMs, 'a finite number');
    const priority = checkedPriority(options?.priority ?? DEFAULT_PRIORITY);
    if (this.lifecycle !== 'open') return false;
    this.metrics?.retried();
    if (delayMs <= 0) return this.add(key, options);
    this.#delay(key, delayMs, priority, options?.reason);
    return true;
  }

  /**
   * Adds the key after the delay that the rate limiter sets, and counts one more failure. While the
   * key's last such delay is still pending, a further failure changes nothing: work that other events
   * trigger during a back-off must not lengthen it. Returns false after shut down.
   */
  addRateLimited(key: K, options?: AddOptions<R>): boolean {
    const priority = checkedPriority(options?.priority ?? DEFAULT_PRIORITY);
    if (this.lifecycle !== 'open') return false;
    this.metrics?.retried();
    const pending = this.#delays.get(key);
    if (pending?.isRetry === true) {
      pending.priority = Math.max(pending.priority, priority);
      if (options?.reason !== undefined) pending.addReason(options.reason);
      return true;
    }
    const delayMs = this.#limiter.when(key);
    if (!(delayMs > 0)) return this.add(key, options);
    this.#delay(key, delayMs, priority, options?.reason).isRetry = true;
    return true;
  }

  /** Moves a pending delayed add to `delayMs` from now, earlier or later. False when none is pending. */
  reschedule(key: K, delayMs: number): boolean {
    if (!Number.isFinite(delayMs)) throw new InvalidArgumentError('delayMs', delayMs, 'a finite number');
    const pending = this.#delays.get(key);
    if (pending === undefined) return false;
    this.#delays.move(pending, this.clock.monotonic() + Math.max(0, delayMs));
    return true;
  }

  /** Takes back a pending delayed add. False when none is pending. A queued key is not touched. */
  cancel(key: K): boolean {
    const pending = this.#delays.get(key);
    if (pending === undefined) return false;
    this.#delays.cancel(pending);
    return true;
  }

  /** The key succeeded, or is given up: its failures no longer count. `done` is still to be called. */
  forget(key: K): void {
    this.#limiter.forget(key);
  }

  /** Failures of the key since it was last forgotten, for callers with a retry limit of their own. */
  retries(key: K): number {
    return this.#limiter.retries(key);
  }

  override shutDown(options?: ShutDownOptions): Promise<void> {
    this.#delays.clear();
    return super.shutDown(options);
  }

  /** The queue's state for people to look at. Costs O(n log n): not for a hot path. */
  snapshot(limit: number = DEFAULT_SNAPSHOT_LIMIT): QueueSnapshot<K, R> {
    const now = this.clock.monotonic();
    const processingKeys = [...this.processingEntries()].map((entry) => ({
      key: entry.key,
      runningMs: now - entry.startedAt,
      addedAgain: entry.state === PROCESSING_DIRTY,
    }));
    const delayed = [...this.#delays].sort((a, b) => a.readyAt - b.readyAt);
    const queuedKeys: QueueSnapshot<K, R>['queuedKeys'][number][] = [];
    for (const entry of this.queuedEntries()) {
      if (queuedKeys.length >= limit) break;
      queuedKeys.push({
        key: entry.key,
        priority: entry.priority,
        waitedMs: now - entry.queuedAt,
        retries: this.retries(entry.key),
        reasons: entry.reasons ?? noReasons<R>(),
      });
    }
    return {
      name: this.name,
      state: this.lifecycle,
      queued: this.length,
      processing: this.processingCount,
      delayed: this.#delays.size,
      waitingWorkers: this.waitingWorkers,
      queuedKeys,
      processingKeys: processingKeys.sort((a, b) => b.runningMs - a.runningMs).slice(0, limit),
      delayedKeys: delayed.slice(0, limit).map((delay) => ({
        key: delay.key,
        dueInMs: Math.max(0, delay.readyAt - now),
        priority: delay.priority,
        retries: this.retries(delay.key),
      })),
    };
  }

  #delay(key: K, delayMs: number, priority: number, reason: R | undefined): Delay<K, R> {
    const readyAt = this.clock.monotonic() + delayMs;
    let delay = this.#delays.get(key);
    if (delay === undefined) {
      delay = new Delay<K, R>(key, readyAt, priority);
      this.#delays.add(delay);
    } else {
      delay.priority = Math.max(delay.priority, priority);
      if (readyAt < delay.readyAt) this.#delays.move(delay, readyAt);
    }
    if (reason !== undefined) delay.addReason(reason);
    return delay;
  }
}
