import { DelayHeap } from './delay-heap.ts';
import { type Reasons, ReasonTable } from './reasons.ts';
import { NONE, type Slots } from './slots.ts';

/**
 * The adds whose time has not come, at most one for each slot: a heap of their times, and what the run is
 * to carry once it is queued.
 */
export class Delays<K, R> {
  readonly #slots: Slots<K>;
  readonly #heap = new DelayHeap();
  readonly #reasons = new ReasonTable<R>();
  /** By slot, and only as far as slots were delayed: a queue that delays nothing does not pay for them. */
  #priorities = new Float64Array(0);
  #retries = new Uint8Array(0);

  constructor(slots: Slots<K>) {
    this.#slots = slots;
  }

  get size(): number {
    return this.#heap.size;
  }

  has(slot: number): boolean {
    return this.#heap.has(slot);
  }

  /** When the first of them falls due; Infinity when there is none. */
  get firstDueAt(): number {
    const slot = this.#heap.peek();
    return slot === NONE ? Number.POSITIVE_INFINITY : this.#heap.dueAt(slot);
  }

  /** The slot that falls due first if its time has come, else NONE. */
  due(now: number): number {
    return this.firstDueAt <= now ? this.#heap.peek() : NONE;
  }

  dueAt(slot: number): number {
    return this.#heap.dueAt(slot);
  }

  priority(slot: number): number {
    return this.#priorities[slot] as number;
  }

  /** Whether a failure asked for it: a further failure is then not counted again. */
  isRetry(slot: number): boolean {
    return this.#retries[slot] === 1;
  }

  setIsRetry(slot: number, isRetry: boolean): void {
    this.#retries[slot] = isRetry ? 1 : 0;
  }

  reasons(slot: number): Reasons<R> {
    return this.#reasons.copy(slot);
  }

  /** The earlier time wins, and the higher priority; reasons come together. */
  add(slot: number, dueAt: number, priority: number, reason: R | undefined): void {
    if (!this.#heap.has(slot)) this.#begin(slot, dueAt, priority);
    else if (dueAt < this.#heap.dueAt(slot)) this.#heap.move(slot, dueAt);
    this.join(slot, priority, reason);
  }

  /** Adds to what the pending run carries, and leaves its time. */
  join(slot: number, priority: number, reason: R | undefined): void {
    if (priority > this.priority(slot)) this.#priorities[slot] = priority;
    if (reason !== undefined) this.#reasons.add(slot, reason);
  }

  move(slot: number, dueAt: number): void {
    this.#heap.move(slot, dueAt);
  }

  /** The slot is no longer delayed. Returns the reasons it carried. */
  end(slot: number): Reasons<R> {
    this.#heap.remove(slot);
    this.#slots.setDelayed(slot, false);
    return this.#reasons.take(slot);
  }

  clear(): void {
    for (let slot = this.#heap.last(); slot !== NONE; slot = this.#heap.last()) this.end(slot);
  }

  /** Soonest first. The first n cost O(n log n), however many there are. */
  [Symbol.iterator](): IterableIterator<number> {
    return this.#heap[Symbol.iterator]();
  }

  #begin(slot: number, dueAt: number, priority: number): void {
    if (slot >= this.#priorities.length) this.#grow(slot);
    this.#heap.push(slot, dueAt);
    this.#priorities[slot] = priority;
    this.#retries[slot] = 0;
    this.#slots.setDelayed(slot, true);
  }

  #grow(slot: number): void {
    const capacity = Math.max(64, this.#priorities.length * 2, slot + 1);
    const priorities = new Float64Array(capacity);
    priorities.set(this.#priorities);
    this.#priorities = priorities;
    const retries = new Uint8Array(capacity);
    retries.set(this.#retries);
    this.#retries = retries;
  }
}
