import { InvalidArgumentError, type Timer } from '@windlass/base';
import { Delays } from './delays.ts';
import { Queue } from './queue.ts';
import { type AddOptions, priorityOf, type QueueOptions, type ShutDownOptions } from './queue-options.ts';
import { exponential } from './rate-limiters/exponential.ts';
import type { RateLimiter } from './rate-limiters/rate-limiter.ts';
import { NONE, PROCESSING_DIRTY } from './slots.ts';
import type { DelayedKey, ProcessingKey, QueuedKey, QueueSnapshot } from './snapshot.ts';

/** Options of a queue with delays and retries. */
export interface WorkQueueOptions<K> extends QueueOptions {
  /**
   * Decides how long `addRateLimited` waits.
   * @default exponential per key, 5 ms to 1000 s. There is no bucket shared by all keys: it would let
   * many failing keys delay a healthy one without bound.
   */
  readonly rateLimiter?: RateLimiter<K>;
}

/** How many keys of each kind a snapshot names. */
export const DEFAULT_SNAPSHOT_LIMIT = 100;

/**
 * A Queue whose keys may also come later: after a delay, or after the delay that a rate limiter sets.
 * A delayed key and a queued one are independent: an add now does not cancel an add later.
 */
export class WorkQueue<K = string, R = string> extends Queue<K, R> {
  readonly #limiter: RateLimiter<K>;
  readonly #delays = new Delays<K, R>(this.slots);
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
    checkDelay('delayMs', delayMs);
    const priority = priorityOf(options);
    if (this.lifecycle !== 'open') return false;
    this.metrics?.retried();
    if (delayMs <= 0) return this.add(key, options);
    this.#delay(this.slots.claim(key), delayMs, priority, options?.reason);
    return true;
  }

  /**
   * Adds the key after the delay that the rate limiter sets, and counts one more failure. While the
   * key's last such delay is still pending, a further failure changes neither: work that other events
   * trigger during a back-off must not lengthen it. Returns false after shut down.
   */
  addRateLimited(key: K, options?: AddOptions<R>): boolean {
    const priority = priorityOf(options);
    if (this.lifecycle !== 'open') return false;
    this.metrics?.retried();
    const pending = this.#pending(key);
    if (pending !== NONE && this.#delays.isRetry(pending)) {
      this.#delays.join(pending, priority, options?.reason);
      return true;
    }
    const delayMs = this.#limiter.when(key);
    checkDelay('what when() of the rate limiter returns', delayMs);
    if (delayMs <= 0) return this.add(key, options);
    // Claimed only now: the limiter is not ours, and may use the queue.
    const slot = this.slots.claim(key);
    this.#delay(slot, delayMs, priority, options?.reason);
    this.#delays.setIsRetry(slot, true);
    return true;
  }

  /** Moves a pending delayed add to `delayMs` from now, earlier or later. False when none is pending. */
  reschedule(key: K, delayMs: number): boolean {
    checkDelay('delayMs', delayMs);
    const pending = this.#pending(key);
    if (pending === NONE) return false;
    const now = this.clock.monotonic();
    this.#delays.move(pending, now + Math.max(0, delayMs));
    this.#arm(now);
    return true;
  }

  /** Takes back a pending delayed add. False when none is pending. A queued key is not touched. */
  cancel(key: K): boolean {
    const pending = this.#pending(key);
    if (pending === NONE) return false;
    this.#delays.cancel(pending);
    this.#arm(this.clock.monotonic());
    return true;
  }

  /**
   * The key succeeded, or is given up: its failures no longer count, and the next one is a first one even
   * if a delayed add is still pending. `done` is still to be called.
   */
  forget(key: K): void {
    this.#limiter.forget(key);
    const pending = this.#pending(key);
    if (pending !== NONE) this.#delays.setIsRetry(pending, false);
  }

  /** Failures of the key since it was last forgotten, for callers with a retry limit of their own. */
  retries(key: K): number {
    return this.#limiter.retries(key);
  }

  /** How long until the key's pending delayed add; undefined when none is pending. */
  dueInMs(key: K): number | undefined {
    const pending = this.#pending(key);
    if (pending === NONE) return undefined;
    return Math.max(0, this.#delays.dueAt(pending) - this.clock.monotonic());
  }

  /** How many of the delayed keys wait because they failed. Goes through all of them: not for a hot path. */
  countRetrying(): number {
    let count = 0;
    for (const slot of this.#delays.slots()) if (this.#delays.isRetry(slot)) count++;
    return count;
  }

  /** As for any queue. Delayed adds are given up, with `drain` too: their time may be hours away. */
  override shutDown(options?: ShutDownOptions): Promise<void> {
    this.#delays.clear();
    this.#arm(this.clock.monotonic());
    return super.shutDown(options);
  }

  /**
   * The queue's state for people to look at, with at most `limit` keys of each kind. Goes through every
   * slot in use: not for a hot path.
   */
  snapshot(limit: number = DEFAULT_SNAPSHOT_LIMIT): QueueSnapshot<K, R> {
    if (!(limit >= 0)) throw new InvalidArgumentError('limit', limit, 'a number of at least 0');
    const now = this.clock.monotonic();
    const processing = Array.from(this.slots.processing(), (slot) => this.#processingKey(slot, now));
    return {
      name: this.name,
      state: this.lifecycle,
      queued: this.length,
      processing: this.processingCount,
      delayed: this.delayedCount,
      waitingWorkers: this.waitingWorkers,
      queuedKeys: first(limit, this.queuedSlots(), (slot) => this.#queuedKey(slot, now)),
      processingKeys: processing.sort((a, b) => b.runningMs - a.runningMs).slice(0, limit),
      delayedKeys: first(limit, this.#delays, (slot) => this.#delayedKey(slot, now)),
    };
  }

  #queuedKey(slot: number, now: number): QueuedKey<K, R> {
    const key = this.slots.key(slot);
    return {
      key,
      priority: this.slots.priority(slot),
      waitedMs: Math.max(0, now - this.slots.since(slot)),
      retries: this.retries(key),
      reasons: this.reasons.copy(slot),
    };
  }

  #processingKey(slot: number, now: number): ProcessingKey<K> {
    return {
      key: this.slots.key(slot),
      runningMs: Math.max(0, now - this.slots.startedAt(slot)),
      addedAgain: this.slots.state(slot) === PROCESSING_DIRTY,
    };
  }

  #delayedKey(slot: number, now: number): DelayedKey<K, R> {
    const key = this.slots.key(slot);
    return {
      key,
      priority: this.#delays.priority(slot),
      dueInMs: Math.max(0, this.#delays.dueAt(slot) - now),
      retries: this.retries(key),
      reasons: this.#delays.reasons(slot),
    };
  }

  /** The slot of the key's pending delayed add, or NONE. */
  #pending(key: K): number {
    if (this.#delays.size === 0) return NONE;
    const slot = this.slots.find(key);
    return slot !== NONE && this.#delays.has(slot) ? slot : NONE;
  }

  #delay(slot: number, delayMs: number, priority: number, reason: R | undefined): void {
    const now = this.clock.monotonic();
    this.#delays.add(slot, now + delayMs, priority, reason);
    if (now + delayMs < this.#timerAt) this.#arm(now);
  }

  /** One timer, for the delay that falls due first. */
  #arm(now: number): void {
    const at = this.#delays.firstDueAt;
    if (at === this.#timerAt) return;
    this.#timer?.cancel();
    this.#timerAt = at;
    this.#timer = this.#delays.size === 0 ? undefined : this.clock.setTimeout(() => this.#fire(), at - now);
  }

  #fire(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.clock.monotonic();
    for (let due = this.#delays.takeDue(now); due.length > 0; due = this.#delays.takeDue(now)) {
      for (const slot of due) {
        this.enqueue(slot, this.#delays.priority(slot));
        this.reasons.addAll(slot, this.#delays.takeReasons(slot));
      }
    }
    this.#arm(now);
    this.serveWaiters();
  }
}

function checkDelay(name: string, delayMs: number): void {
  if (!Number.isFinite(delayMs)) throw new InvalidArgumentError(name, delayMs, 'a finite number');
}

function first<T>(limit: number, slots: Iterable<number>, describe: (slot: number) => T): T[] {
  const described: T[] = [];
  for (const slot of slots) {
    if (described.length >= limit) break;
    described.push(describe(slot));
  }
  return described;
}
