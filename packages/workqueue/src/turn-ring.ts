import { NONE } from './slots.ts';

/** Small enough that V8 keeps the array inside its own heap: a level that is hardly used costs little. */
const INITIAL_CAPACITY = 8;
/** No ring shrinks below this, so that a short queue does not resize over and over. */
const KEPT_CAPACITY = 64;

/**
 * A first-in first-out ring of turns: a slot, and the number of the queueing that put it here. Whoever
 * takes one out compares the number with the slot's present one, and so sees whether it still holds;
 * that makes taking a slot out of the middle free. push, shift: O(1) amortised.
 */
export class TurnRing {
  /** Slot and number side by side; the capacity is a power of two, so that a mask does what a division would. */
  #turns = new Int32Array(INITIAL_CAPACITY * 2);
  #mask = INITIAL_CAPACITY - 1;
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(slot: number, number: number): void {
    if (this.#length > this.#mask) this.#resize((this.#mask + 1) * 2);
    const at = ((this.#head + this.#length) & this.#mask) * 2;
    this.#turns[at] = slot;
    this.#turns[at + 1] = number;
    this.#length++;
  }

  /** The slot of the oldest turn, or NONE. */
  peekSlot(): number {
    // The mask keeps the place within the array.
    return this.#length === 0 ? NONE : (this.#turns[this.#head * 2] as number);
  }

  /** The number of the oldest turn; there must be one. */
  peekNumber(): number {
    // The mask keeps the place within the array.
    return this.#turns[this.#head * 2 + 1] as number;
  }

  /** Takes out the oldest turn; there must be one. */
  shift(): void {
    this.#head = (this.#head + 1) & this.#mask;
    this.#length--;
    if (this.#mask >= KEPT_CAPACITY && this.#length * 4 < this.#mask) this.#resize((this.#mask + 1) / 2);
  }

  /** Keeps only the turns that hold, in their order. */
  filter(holds: (slot: number, number: number) => boolean): void {
    const kept = [...this.entries()].filter(([slot, number]) => holds(slot, number));
    this.clear();
    for (const [slot, number] of kept) this.push(slot, number);
  }

  clear(): void {
    this.#head = 0;
    this.#length = 0;
    if (this.#mask >= KEPT_CAPACITY) this.#resize(KEPT_CAPACITY);
  }

  /** Oldest first, as slot and number. */
  *entries(): IterableIterator<readonly [slot: number, number: number]> {
    for (let offset = 0; offset < this.#length; offset++) {
      const at = ((this.#head + offset) & this.#mask) * 2;
      // The mask keeps the place within the array.
      yield [this.#turns[at] as number, this.#turns[at + 1] as number];
    }
  }

  #resize(capacity: number): void {
    const next = new Int32Array(capacity * 2);
    const tail = Math.min(this.#length, this.#mask + 1 - this.#head);
    next.set(this.#turns.subarray(this.#head * 2, (this.#head + tail) * 2));
    next.set(this.#turns.subarray(0, (this.#length - tail) * 2), tail * 2);
    this.#turns = next;
    this.#mask = capacity - 1;
    this.#head = 0;
  }
}
