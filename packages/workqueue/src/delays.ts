import { type Clock, Heap, type HeapItem, type Timer } from '@windlass/base';
import { ReasonLog } from './reasons.ts';

/** One pending delayed add. */
export class Delay<K, R> implements HeapItem {
  readonly key: K;
  readyAt: number;
  priority: number;
  /** Made by `addRateLimited`: a failure while it is pending is not counted again. */
  isRetry = false;
  reasons: ReasonLog<R> | undefined = undefined;
  heapIndex = -1;

  constructor(key: K, readyAt: number, priority: number) {
    this.key = key;
    this.readyAt = readyAt;
    this.priority = priority;
  }

  addReason(reason: R): void {
    this.reasons ??= new ReasonLog<R>();
    this.reasons.add(reason);
  }
}

/**
 * Keys that wait for their time: a heap by time, a map by key, one timer for the earliest. Adding,
 * moving and cancelling cost O(log n) whatever the number that waits.
 */
export class Delays<K, R> {
  readonly #clock: Clock;
  readonly #onDue: (delay: Delay<K, R>) => void;
  readonly #byKey = new Map<K, Delay<K, R>>();
  readonly #heap = new Heap<Delay<K, R>>((a, b) => a.readyAt < b.readyAt);
  #timer: Timer | undefined = undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, onDue: (delay: Delay<K, R>) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#heap.size;
  }

  get(key: K): Delay<K, R> | undefined {
    return this.#byKey.get(key);
  }

  add(delay: Delay<K, R>): void {
    this.#byKey.set(delay.key, delay);
    this.#heap.push(delay);
    if (delay.readyAt < this.#timerAt) this.#arm();
  }

  move(delay: Delay<K, R>, readyAt: number): void {
    delay.readyAt = readyAt;
    this.#heap.update(delay);
    this.#arm();
  }

  cancel(delay: Delay<K, R>): void {
    this.#byKey.delete(delay.key);
    this.#heap.remove(delay);
    this.#arm();
  }

  clear(): void {
    this.#byKey.clear();
    this.#heap.clear();
    this.#arm();
  }

  /** In no particular order. */
  [Symbol.iterator](): IterableIterator<Delay<K, R>> {
    return this.#heap[Symbol.iterator]();
  }

  #arm(): void {
    const next = this.#heap.peek();
    const at = next === undefined ? Number.POSITIVE_INFINITY : next.readyAt;
    if (at === this.#timerAt) return;
    this.#timer?.cancel();
    this.#timerAt = at;
    this.#timer =
      next === undefined
        ? undefined
        : this.#clock.setTimeout(() => this.#fire(), at - this.#clock.monotonic());
  }

  #fire(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    for (let next = this.#heap.peek(); next !== undefined && next.readyAt <= now; next = this.#heap.peek()) {
      this.#heap.pop();
      this.#byKey.delete(next.key);
      this.#onDue(next);
    }
    this.#arm();
  }
}
