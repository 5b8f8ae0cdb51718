import { DelayHeap } from './delay-heap.ts';
import { type Reasons, ReasonTable } from './reasons.ts';
import { SlotNumbers } from './slot-numbers.ts';
import { NONE, type Slots } from './slots.ts';

/**
 * The adds whose time has not come, at most one for each slot: a heap of their times, and what the run is
 * to carry once it is queued.
 */
export class Delays<K, R> {
  readonly #slots: Slots<K>;
  readonly #heap = new DelayHeap();
  readonly #reasons = new ReasonTable<R>();
  readonly #priorities = new SlotNumbers();
  /** By slot, and only as far as slots were delayed: a queue that delays nothing does not pay for them. */
  #retries = new Uint8Array(0);
  /** When the slot was given its time, in steps that wrap around. */
  #stamps = new Int32Array(0);
  #steps = 0;

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

  dueAt(slot: number): number {
    return this.#heap.dueAt(slot);
  }

  priority(slot: number): number {
    return this.#priorities.get(slot);
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
    else if (dueAt < this.#heap.dueAt(slot)) this.move(slot, dueAt);
    this.join(slot, priority, reason);
  }

  /** Adds to what the pending run carries, and leaves its time. */
  join(slot: number, priority: number, reason: R | undefined): void {
    if (priority > this.priority(slot)) this.#priorities.set(slot, priority);
    if (reason !== undefined) this.#reasons.add(slot, reason);
  }

  move(slot: number, dueAt: number): void {
    this.#heap.move(slot, dueAt);
    this.#stamp(slot);
  }

  cancel(slot: number): void {
    this.#end(slot);
    this.#reasons.take(slot);
  }

  /**
   * Takes out the slots that fall due first, if their time has come: all of one time, in the order in which
   * they were given it. What they carry is to be taken by `takeReasons`.
   */
  takeDue(now: number): readonly number[] {
    const dueAt = this.firstDueAt;
    if (dueAt > now) return [];
    const due: number[] = [];
    for (let slot = this.#heap.peek(); this.firstDueAt === dueAt; slot = this.#heap.peek()) {
      this.#end(slot);
      due.push(slot);
    }
    // The difference wraps as the stamps do. The heap keeps no order among equals, which is what makes them cheap.
    return due.sort((a, b) => ((this.#stamps[a] as number) - (this.#stamps[b] as number)) | 0);
  }

  takeReasons(slot: number): Reasons<R> {
    return this.#reasons.take(slot);
  }

  clear(): void {
    for (let slot = this.#heap.last(); slot !== NONE; slot = this.#heap.last()) this.cancel(slot);
  }

  /** In no order. */
  slots(): IterableIterator<number> {
    return this.#heap.slots();
  }

  /** Soonest first. The first n cost O(n log n), however many there are. */
  [Symbol.iterator](): IterableIterator<number> {
    return this.#heap[Symbol.iterator]();
  }

  #end(slot: number): void {
    this.#heap.remove(slot);
    this.#slots.setDelayed(slot, false);
  }

  #stamp(slot: number): void {
    this.#steps = (this.#steps + 1) | 0;
    this.#stamps[slot] = this.#steps;
  }

  #begin(slot: number, dueAt: number, priority: number): void {
    if (slot >= this.#stamps.length) this.#grow(slot);
    this.#heap.push(slot, dueAt);
    this.#priorities.set(slot, priority);
    this.#retries[slot] = 0;
    this.#stamp(slot);
    this.#slots.setDelayed(slot, true);
  }

  #grow(slot: number): void {
    const capacity = Math.max(64, this.#stamps.length * 2, slot + 1);
    this.#retries = grown(this.#retries, new Uint8Array(capacity));
    this.#stamps = grown(this.#stamps, new Int32Array(capacity));
  }
}

function grown<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from);
  return to;
}
