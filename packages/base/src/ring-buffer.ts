const MIN_CAPACITY = 16;

/**
 * A first-in first-out buffer on a circle of slots that doubles when full and halves when it has been
 * emptied to a quarter, so that a burst does not pin its memory. push, shift: O(1) amortised. A slot is
 * cleared when it is read, so nothing is kept alive by having passed through.
 */
export class RingBuffer<T> {
  #slots = emptySlots<T>(MIN_CAPACITY);
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: T): void {
    if (this.#length === this.#slots.length) this.#resize(this.#slots.length * 2);
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = item;
    this.#length++;
  }

  peek(): T | undefined {
    return this.#length === 0 ? undefined : this.#slots[this.#head];
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#slots.length - 1);
    this.#length--;
    if (this.#slots.length > MIN_CAPACITY && this.#length * 4 <= this.#slots.length) {
      this.#resize(this.#slots.length / 2);
    }
    return item;
  }

  clear(): void {
    this.#slots = emptySlots(MIN_CAPACITY);
    this.#head = 0;
    this.#length = 0;
  }

  /** Oldest first. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let offset = 0; offset < this.#length; offset++) {
      // Every slot from the head on, as far as the length goes, holds an item.
      yield this.#slots[(this.#head + offset) & (this.#slots.length - 1)] as T;
    }
  }

  // The capacity is always a power of two, so that a mask does what a division would.
  #resize(capacity: number): void {
    const next = emptySlots<T>(capacity);
    for (let offset = 0; offset < this.#length; offset++) {
      next[offset] = this.#slots[(this.#head + offset) & (this.#slots.length - 1)];
    }
    this.#slots = next;
    this.#head = 0;
  }
}

function emptySlots<T>(capacity: number): (T | undefined)[] {
  return new Array<T | undefined>(capacity).fill(undefined);
}
