import type { WriteEvent } from './states/write-event.ts';

/**
 * Events in the order of their revisions; the oldest can be dropped. push and drop: O(1) amortised. Finding
 * a revision: O(log n).
 */
export class EventLog {
  // Slots before the head are empty, and are cut off once they are the larger part.
  #slots: (WriteEvent | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#slots.length - this.#head;
  }

  get oldest(): WriteEvent | undefined {
    return this.#slots[this.#head];
  }

  /** The one that so many are after; undefined when there are not so many. */
  before(count: number): WriteEvent | undefined {
    const index = this.#slots.length - 1 - count;
    return index < this.#head ? undefined : this.#slots[index];
  }

  push(event: WriteEvent): void {
    this.#slots.push(event);
  }

  dropOldest(): void {
    if (this.size === 0) return;
    this.#slots[this.#head++] = undefined;
    if (this.#head * 2 > this.#slots.length) {
      this.#slots = this.#slots.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Those after `revision`, oldest first. The log must not be changed meanwhile. */
  *after(revision: number): IterableIterator<WriteEvent> {
    for (let index = this.#firstAfter(revision); index < this.#slots.length; index++) {
      const event = this.#slots[index];
      if (event !== undefined) yield event;
    }
  }

  #firstAfter(revision: number): number {
    let low = this.#head;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#slots[middle];
      if (event !== undefined && event.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
