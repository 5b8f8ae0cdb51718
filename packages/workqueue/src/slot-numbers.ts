/**
 * A number for each slot, 0 unless set. Takes no memory until one is set that is not 0: in many queues nobody sets a
 * priority, and slots whose key only waits have never been run.
 *
 * get: O(1); set: O(1) amortised.
 */
export class SlotNumbers {
  #values = new Float64Array(0);

  get(slot: number): number {
    // Within the array it is a number.
    return slot < this.#values.length ? (this.#values[slot] as number) : 0;
  }

  set(slot: number, value: number): void {
    if (slot < this.#values.length) this.#values[slot] = value;
    else if (value !== 0) this.#grow(slot, value);
  }

  /** Forgets those of the slots from this one on. */
  shrink(slots: number): void {
    if (slots < this.#values.length) this.#values = this.#values.slice(0, slots);
  }

  #grow(slot: number, value: number): void {
    const values = new Float64Array(Math.max(64, this.#values.length * 2, slot + 1));
    values.set(this.#values);
    values[slot] = value;
    this.#values = values;
  }
}
