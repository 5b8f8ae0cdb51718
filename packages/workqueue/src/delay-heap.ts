import { NONE, type Slots } from './slots.ts';

/**
 * The delayed slots, soonest first: a heap of four children a node, over slots that know their place,
 * so that moving or cancelling any one of them needs no search. It compares numbers in a typed array
 * instead of chasing objects, which is why the general heap of `base` is not used here.
 *
 * push, pop, remove, update: O(log n). peek: O(1).
 */
export class DelayHeap<K, R> {
  readonly #slots: Slots<K, R>;
  #heap = new Int32Array(64);
  #size = 0;

  constructor(slots: Slots<K, R>) {
    this.#slots = slots;
  }

  get size(): number {
    return this.#size;
  }

  /** The slot that falls due first, or NONE. */
  peek(): number {
    return this.#size === 0 ? NONE : this.#at(0);
  }

  push(slot: number): void {
    if (this.#size === this.#heap.length) {
      const grown = new Int32Array(this.#size * 2);
      grown.set(this.#heap);
      this.#heap = grown;
    }
    const index = this.#size++;
    this.#slots.setDelayed(slot, index);
    this.#siftUp(slot, index);
  }

  remove(slot: number): void {
    const index = this.#slots.heapIndex(slot);
    if (index === NONE) return;
    this.#slots.setDelayed(slot, NONE);
    const last = this.#at(--this.#size);
    if (last !== slot) this.#move(last, index);
  }

  /** Must be called after the slot's due time has changed. */
  update(slot: number): void {
    this.#move(slot, this.#slots.heapIndex(slot));
  }

  /** In no particular order. */
  *[Symbol.iterator](): IterableIterator<number> {
    for (let index = 0; index < this.#size; index++) yield this.#at(index);
  }

  #at(index: number): number {
    return this.#heap[index] as number;
  }

  #place(slot: number, index: number): void {
    this.#heap[index] = slot;
    this.#slots.setHeapIndex(slot, index);
  }

  #move(slot: number, index: number): void {
    this.#siftUp(slot, index);
    if (this.#slots.heapIndex(slot) === index) this.#siftDown(slot, index);
  }

  #siftUp(slot: number, start: number): void {
    const dueAt = this.#slots.dueAt(slot);
    let index = start;
    while (index > 0) {
      const parentIndex = (index - 1) >> 2;
      const parent = this.#at(parentIndex);
      if (dueAt >= this.#slots.dueAt(parent)) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(slot, index);
  }

  #siftDown(slot: number, start: number): void {
    const dueAt = this.#slots.dueAt(slot);
    let index = start;
    for (;;) {
      const first = index * 4 + 1;
      if (first >= this.#size) break;
      let childIndex = first;
      let child = this.#at(first);
      let childDueAt = this.#slots.dueAt(child);
      const end = Math.min(first + 4, this.#size);
      for (let next = first + 1; next < end; next++) {
        const candidate = this.#at(next);
        const candidateDueAt = this.#slots.dueAt(candidate);
        if (candidateDueAt < childDueAt) {
          child = candidate;
          childIndex = next;
          childDueAt = candidateDueAt;
        }
      }
      if (childDueAt >= dueAt) break;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(slot, index);
  }
}
