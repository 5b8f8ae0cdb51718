import { NONE, type Slots } from './slots.ts';

const MIN_CAPACITY = 64;

/**
 * The delayed slots, soonest first: a heap of four children a node, over slots that know their place, so
 * that moving or cancelling any one of them needs no search. The times stand in the order of the heap,
 * where the four children of a node are neighbours and nothing needs following to compare them: that is
 * why the general heap of `base` is not used here (`npm run bench -- workqueue`, the delayed rows).
 *
 * push, remove, move: O(log n). peek, dueAt: O(1).
 */
export class DelayHeap<K, R> {
  readonly #slots: Slots<K, R>;
  #heap = new Int32Array(MIN_CAPACITY);
  #times = new Float64Array(MIN_CAPACITY);
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

  /** When the delayed slot falls due. */
  dueAt(slot: number): number {
    return this.#times[this.#slots.heapIndex(slot)] as number;
  }

  push(slot: number, dueAt: number): void {
    if (this.#size === this.#heap.length) this.#grow();
    const index = this.#size++;
    this.#slots.setDelayed(slot, index);
    this.#siftUp(slot, dueAt, index);
  }

  remove(slot: number): void {
    const index = this.#slots.heapIndex(slot);
    if (index === NONE) return;
    this.#slots.setDelayed(slot, NONE);
    const lastIndex = --this.#size;
    if (lastIndex !== index) this.#settle(this.#at(lastIndex), this.#time(lastIndex), index);
  }

  /** Gives a delayed slot another time, earlier or later. */
  move(slot: number, dueAt: number): void {
    this.#settle(slot, dueAt, this.#slots.heapIndex(slot));
  }

  /** In no particular order. */
  *[Symbol.iterator](): IterableIterator<number> {
    for (let index = 0; index < this.#size; index++) yield this.#at(index);
  }

  #at(index: number): number {
    return this.#heap[index] as number;
  }

  #time(index: number): number {
    return this.#times[index] as number;
  }

  #place(slot: number, dueAt: number, index: number): void {
    this.#heap[index] = slot;
    this.#times[index] = dueAt;
    this.#slots.setHeapIndex(slot, index);
  }

  #settle(slot: number, dueAt: number, index: number): void {
    const rose = this.#siftUp(slot, dueAt, index);
    if (!rose) this.#siftDown(slot, dueAt, index);
  }

  #siftUp(slot: number, dueAt: number, start: number): boolean {
    let index = start;
    while (index > 0) {
      const parentIndex = (index - 1) >> 2;
      const parentDueAt = this.#time(parentIndex);
      if (dueAt >= parentDueAt) break;
      this.#place(this.#at(parentIndex), parentDueAt, index);
      index = parentIndex;
    }
    this.#place(slot, dueAt, index);
    return index !== start;
  }

  #siftDown(slot: number, dueAt: number, start: number): void {
    let index = start;
    for (;;) {
      const first = index * 4 + 1;
      if (first >= this.#size) break;
      let childIndex = first;
      let childDueAt = this.#time(first);
      const end = Math.min(first + 4, this.#size);
      for (let next = first + 1; next < end; next++) {
        const time = this.#time(next);
        if (time < childDueAt) {
          childIndex = next;
          childDueAt = time;
        }
      }
      if (childDueAt >= dueAt) break;
      this.#place(this.#at(childIndex), childDueAt, index);
      index = childIndex;
    }
    this.#place(slot, dueAt, index);
  }

  #grow(): void {
    const heap = new Int32Array(this.#size * 2);
    heap.set(this.#heap);
    this.#heap = heap;
    const times = new Float64Array(this.#size * 2);
    times.set(this.#times);
    this.#times = times;
  }
}
