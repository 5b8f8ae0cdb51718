/** The newest figures of one kind, a fixed number of them. A gap is NaN. push is O(1). */
export class Series {
  readonly #values: Float64Array;
  #next = 0;
  #last = Number.NaN;

  constructor(length: number) {
    this.#values = new Float64Array(length).fill(Number.NaN);
  }

  /** The newest one. */
  get last(): number {
    return this.#last;
  }

  push(value: number): void {
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % this.#values.length;
    this.#last = value;
  }

  /** Takes the place of the newest one. */
  replace(value: number): void {
    this.#next = (this.#next - 1 + this.#values.length) % this.#values.length;
    this.push(value);
  }

  /** The oldest first. Always as many as the series is long. */
  values(): Float64Array {
    const { length } = this.#values;
    const ordered = new Float64Array(length);
    ordered.set(this.#values.subarray(this.#next));
    ordered.set(this.#values.subarray(0, this.#next), length - this.#next);
    return ordered;
  }

  /** Zero when there is none. */
  max(): number {
    let max = 0;
    for (const value of this.#values) if (value > max) max = value;
    return max;
  }
}
