/** Writes that the watch has not shown for so long are forgotten. */
const MAX_PENDING = 2000;
/** The newest weighs so much in the average. */
const WEIGHT = 0.2;

/**
 * How long until the watch shows what was written: the one lag that can be measured without the server's help. A write
 * of this process is timed from its answer to the change in the cache.
 */
export class WatchLag {
  readonly #written = new Map<string, number>();
  readonly #seen = new Map<string, number>();
  readonly #averages = new Map<string, number>();

  /** A write was answered. */
  wrote(kind: string, version: string, at: number): void {
    const id = `${kind} ${version}`;
    // The event can be faster than the answer.
    if (this.#seen.delete(id)) this.#measured(kind, 0);
    else remember(this.#written, id, at);
  }

  /** The cache has changed. */
  changed(kind: string, version: string, at: number): void {
    const id = `${kind} ${version}`;
    const written = this.#written.get(id);
    if (written === undefined) return remember(this.#seen, id, at);
    this.#written.delete(id);
    this.#measured(kind, at - written);
  }

  /** On average over the last ones, in milliseconds. */
  of(kind: string): number | undefined {
    return this.#averages.get(kind);
  }

  clear(): void {
    for (const map of [this.#written, this.#seen, this.#averages]) map.clear();
  }

  #measured(kind: string, ms: number): void {
    const average = this.#averages.get(kind);
    this.#averages.set(kind, average === undefined ? ms : average + WEIGHT * (ms - average));
  }
}

function remember(map: Map<string, number>, id: string, at: number): void {
  map.set(id, at);
  if (map.size <= MAX_PENDING) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
