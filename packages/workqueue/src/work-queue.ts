import { InvalidArgumentError, type Timer } from '@windlass/base';
import { DelayHeap } from './delay-heap.ts';
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
import { NONE, PROCESSING_DIRTY } from './slots.ts';
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
  readonly #delays = new DelayHeap(this.slots);
  #timer: Timer | undefined = undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(options: WorkQueueOptions<K> = {}) {
    super(options);
    this.#limiter = options.rateLimiter ?? exponential<K>();
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
    const pending = this.#pending(key);
    if (pending !== NONE && this.slots.isRetry(pending)) {
      this.slots.setDelayPriority(pending, Math.max(this.slots.delayPriority(pending), priority));
      if (options?.reason !== undefined) this.slots.addDelayReason(pending, options.reason);
      return true;
    }
    const delayMs = this.#limiter.when(key);
    if (!(delayMs > 0)) return this.add(key, options);
    this.slots.setIsRetry(this.#delay(key, delayMs, priority, options?.reason), true);
    return true;
  }

  /** Moves a pending delayed add to `delayMs` from now, earlier or later. False when none is pending. */
  reschedule(key: K, delayMs: number): boolean {
    if (!Number.isFinite(delayMs)) throw new InvalidArgumentError('delayMs', delayMs, 'a finite number');
    const pending = this.#pending(key);
    if (pending === NONE) return false;
    this.#delays.move(pending, this.clock.monotonic() + Math.max(0, delayMs));
    this.#arm();
    return true;
  }

  /** Takes back a pending delayed add. False when none is pending. A queued key is not touched. */
  cancel(key: K): boolean {
    const pending = this.#pending(key);
    if (pending === NONE) return false;
    this.#endDelay(pending);
    this.slots.dropDelayReasons(pending);
    this.#arm();
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
    for (let slot = this.#delays.peek(); slot !== NONE; slot = this.#delays.peek()) {
      this.#endDelay(slot);
      this.slots.dropDelayReasons(slot);
    }
    this.#arm();
    return super.shutDown(options);
  }

  /** The queue's state for people to look at. Costs O(n log n): not for a hot path. */
  snapshot(limit: number = DEFAULT_SNAPSHOT_LIMIT): QueueSnapshot<K, R> {
    const now = this.clock.monotonic();
    const { slots } = this;
    const processingKeys = [...slots.processing()].map((slot) => ({
      key: slots.key(slot),
      runningMs: Math.max(0, now - slots.startedAt(slot)),
      addedAgain: slots.state(slot) === PROCESSING_DIRTY,
    }));
    const delayed = [...this.#delays].sort((a, b) => this.#delays.dueAt(a) - this.#delays.dueAt(b));
    const queuedKeys: QueueSnapshot<K, R>['queuedKeys'][number][] = [];
    for (const slot of this.queuedSlots()) {
      if (queuedKeys.length >= limit) break;
      queuedKeys.push({
        key: slots.key(slot),
        priority: slots.priority(slot),
        waitedMs: Math.max(0, now - slots.since(slot)),
        retries: this.retries(slots.key(slot)),
        reasons: slots.reasons(slot) ?? noReasons<R>(),
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
      delayedKeys: delayed.slice(0, limit).map((slot) => ({
        key: slots.key(slot),
        dueInMs: Math.max(0, this.#delays.dueAt(slot) - now),
        priority: slots.delayPriority(slot),
        retries: this.retries(slots.key(slot)),
      })),
    };
  }

  /** The slot of the key's pending delayed add, or NONE. */
  #pending(key: K): number {
    const slot = this.slots.find(key);
    return slot !== NONE && this.slots.heapIndex(slot) !== NONE ? slot : NONE;
  }

  #delay(key: K, delayMs: number, priority: number, reason: R | undefined): number {
    const { slots } = this;
    const dueAt = this.clock.monotonic() + delayMs;
    const slot = slots.claim(key);
    if (slots.heapIndex(slot) === NONE) {
      this.#delays.push(slot, dueAt);
      slots.setDelayPriority(slot, priority);
    } else {
      slots.setDelayPriority(slot, Math.max(slots.delayPriority(slot), priority));
      if (dueAt < this.#delays.dueAt(slot)) this.#delays.move(slot, dueAt);
    }
    if (reason !== undefined) slots.addDelayReason(slot, reason);
    if (dueAt < this.#timerAt) this.#arm();
    return slot;
  }

  #endDelay(slot: number): void {
    this.#delays.remove(slot);
    this.slots.setIsRetry(slot, false);
  }

  /** One timer, for the delay that falls due first. */
  #arm(): void {
    const next = this.#delays.peek();
    const at = next === NONE ? Number.POSITIVE_INFINITY : this.#delays.dueAt(next);
    if (at === this.#timerAt) return;
    this.#timer?.cancel();
    this.#timerAt = at;
    this.#timer =
      next === NONE ? undefined : this.clock.setTimeout(() => this.#fire(), at - this.clock.monotonic());
  }

  #fire(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.clock.monotonic();
    for (let slot = this.#delays.peek(); slot !== NONE; slot = this.#delays.peek()) {
      if (this.#delays.dueAt(slot) > now) break;
      this.#endDelay(slot);
      this.enqueue(slot, this.slots.delayPriority(slot));
      this.slots.mergeDelayReasons(slot);
    }
    this.#arm();
    this.serveWaiters();
  }
}
