import { Heap, type HeapItem } from '@windlass/base';
import { NONE } from './slots.ts';

const MIN_CAPACITY = 64;

/**
 * Slots and the times at which they fall due, soonest first, and those of one time in any order: a heap of
 * four children a node that knows where each slot is, so that moving or removing any one of them needs no
 * search. The times stand in the order of the heap, where the four children of a node are neighbours and
 * nothing needs following to compare them: that is why the general heap of `base` is not used here
 * (`npm run bench -- workqueue`, the delayed rows).
 *
 * push, remove, move: O(log n). has, dueAt, peek: O(1).
 */
export class DelayHeap {
  #heap = new Int32Array(MIN_CAPACITY);
  #times = new Float64Array(MIN_CAPACITY);
  #size = 0;
  /** By slot: where it is in the heap, plus one. Zero when it is not there. */
  #places = new Int32Array(0);

  get size(): number {
    return this.#size;
  }

  has(slot: number): boolean {
    return slot < this.#places.length && this.#places[slot] !== 0;
  }

  /** The slot that falls due first, or NONE. */
  peek(): number {
    return this.#size === 0 ? NONE : this.#at(0);
  }

  /** The slot whose removal is O(1), or NONE. */
  last(): number {
    return this.#size === 0 ? NONE : this.#at(this.#size - 1);
  }

  /** When the slot falls due; it must be here. */
  dueAt(slot: number): number {
    return this.#time(this.#index(slot));
  }

  /** The slot must not be here yet. */
  push(slot: number, dueAt: number): void {
    if (this.#size === this.#heap.length) this.#resize(this.#size * 2);
    if (slot >= this.#places.length) this.#growPlaces(slot);
    this.#siftUp(slot, dueAt, this.#size++);
  }

  /** The slot must be here. */
  remove(slot: number): void {
    const index = this.#index(slot);
    this.#places[slot] = 0;
    const lastIndex = --this.#size;
    if (lastIndex !== index) this.#settle(this.#at(lastIndex), this.#time(lastIndex), index);
    const capacity = this.#heap.length;
    if (capacity > MIN_CAPACITY && this.#size * 4 < capacity) this.#resize(capacity / 2);
  }

  /** Gives a slot that is here another time, earlier or later. */
  move(slot: number, dueAt: number): void {
    this.#settle(slot, dueAt, this.#index(slot));
  }

  /** In no order. */
  *slots(): IterableIterator<number> {
    for (let index = 0; index < this.#size; index++) yield this.#at(index);
  }

  /** Soonest first. The first n cost O(n log n), however many there are. */
  *[Symbol.iterator](): IterableIterator<number> {
    const next = new Heap<HeapItem & { readonly index: number }>(
      (a, b) => this.#time(a.index) < this.#time(b.index),
    );
    if (this.#size > 0) next.push({ index: 0, heapIndex: -1 });
    for (let node = next.pop(); node !== undefined; node = next.pop()) {
      yield this.#at(node.index);
      const first = node.index * 4 + 1;
      const end = Math.min(first + 4, this.#size);
      for (let index = first; index < end; index++) next.push({ index, heapIndex: -1 });
    }
  }

  #at(index: number): number {
    // Places below the size are set.
    return this.#heap[index] as number;
  }

  #time(index: number): number {
    // Places below the size are set.
    return this.#times[index] as number;
  }

  #index(slot: number): number {
    // A slot that is here has a place.
    return (this.#places[slot] as number) - 1;
  }

  #place(slot: number, dueAt: number, index: number): void {
    this.#heap[index] = slot;
    this.#times[index] = dueAt;
    this.#places[slot] = index + 1;
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
      let child = first;
      let childDueAt = this.#time(first);
      const end = Math.min(first + 4, this.#size);
      for (let next = first + 1; next < end; next++) {
        const time = this.#time(next);
        if (time < childDueAt) {
          child = next;
          childDueAt = time;
        }
      }
      if (childDueAt >= dueAt) break;
      this.#place(this.#at(child), childDueAt, index);
      index = child;
    }
    this.#place(slot, dueAt, index);
  }

  #resize(capacity: number): void {
    const heap = new Int32Array(capacity);
    heap.set(this.#heap.subarray(0, this.#size));
    this.#heap = heap;
    const times = new Float64Array(capacity);
    times.set(this.#times.subarray(0, this.#size));
    this.#times = times;
  }

  #growPlaces(slot: number): void {
    const places = new Int32Array(Math.max(MIN_CAPACITY, this.#places.length * 2, slot + 1));
    places.set(this.#places);
    this.#places = places;
  }
}
