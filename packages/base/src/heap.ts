import { WindlassError } from './errors.ts';

/** An item that knows its place in the heap it is in: -1 when in none. Only the heap writes it. */
export interface HeapItem {
  heapIndex: number;
}

/**
 * A heap of four children a node, of items that know their place, so that removing or moving any one
 * of them needs no search. Four children make the tree half as deep as two, which is faster although
 * each level compares more (`npm run bench -- workqueue`, the delayed rows).
 *
 * push, pop, remove, update: O(log n). peek, has: O(1). An item may be in one heap at a time.
 */
export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  /** @param before a strict order: true if `a` must come out before `b`. Must not throw. */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  has(item: T): boolean {
    return item.heapIndex >= 0 && this.#items[item.heapIndex] === item;
  }

  push(item: T): void {
    if (item.heapIndex >= 0) {
      throw new WindlassError('the item is in a heap already', { code: 'ALREADY_IN_HEAP', kind: 'bug' });
    }
    this.#items.push(item);
    this.#siftUp(item, this.#items.length - 1);
  }

  pop(): T | undefined {
    const top = this.#items[0];
    if (top !== undefined) this.remove(top);
    return top;
  }

  /** Takes the item out wherever it is. False if it is not here. */
  remove(item: T): boolean {
    if (!this.has(item)) return false;
    const index = item.heapIndex;
    const last = this.#items.pop();
    item.heapIndex = -1;
    if (last !== undefined && last !== item) {
      last.heapIndex = index;
      this.#items[index] = last;
      this.#move(last, index);
    }
    return true;
  }

  /** Must be called after the item's order has changed. */
  update(item: T): void {
    if (this.has(item)) this.#move(item, item.heapIndex);
  }

  clear(): void {
    for (const item of this.#items) item.heapIndex = -1;
    this.#items.length = 0;
  }

  /** In no particular order. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.values();
  }

  #move(item: T, index: number): void {
    this.#siftUp(item, index);
    if (item.heapIndex === index) this.#siftDown(item, index);
  }

  #siftUp(item: T, start: number): void {
    const items = this.#items;
    let index = start;
    while (index > 0) {
      const parentIndex = (index - 1) >> 2;
      // The index is within the array by construction.
      const parent = items[parentIndex] as T;
      if (!this.#before(item, parent)) break;
      items[index] = parent;
      parent.heapIndex = index;
      index = parentIndex;
    }
    items[index] = item;
    item.heapIndex = index;
  }

  #siftDown(item: T, start: number): void {
    const items = this.#items;
    const size = items.length;
    let index = start;
    for (;;) {
      const first = index * 4 + 1;
      if (first >= size) break;
      let childIndex = first;
      // Both indices are below `size`, and the array has no holes.
      let child = items[first] as T;
      const end = Math.min(first + 4, size);
      for (let next = first + 1; next < end; next++) {
        const candidate = items[next] as T; // `next` is below `size`, too
        if (this.#before(candidate, child)) {
          child = candidate;
          childIndex = next;
        }
      }
      if (!this.#before(child, item)) break;
      items[index] = child;
      child.heapIndex = index;
      index = childIndex;
    }
    items[index] = item;
    item.heapIndex = index;
  }
}
