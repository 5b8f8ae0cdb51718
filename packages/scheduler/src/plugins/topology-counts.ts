/** How often something was seen in each place: by topology key, then by the value of that label. */
export class TopologyCounts {
  readonly #counts: Map<string, Map<string, number>>;

  constructor(counts: Map<string, Map<string, number>> = new Map()) {
    this.#counts = counts;
  }

  get(key: string, value: string): number {
    return this.#counts.get(key)?.get(value) ?? 0;
  }

  add(key: string, value: string, by: number): void {
    let values = this.#counts.get(key);
    if (values === undefined) {
      values = new Map();
      this.#counts.set(key, values);
    }
    const count = (values.get(value) ?? 0) + by;
    if (count === 0) values.delete(value);
    else values.set(value, count);
  }

  get isEmpty(): boolean {
    return this.#counts.values().every((values) => values.size === 0);
  }

  clone(): TopologyCounts {
    return new TopologyCounts(new Map(Array.from(this.#counts, ([key, values]) => [key, new Map(values)])));
  }
}
