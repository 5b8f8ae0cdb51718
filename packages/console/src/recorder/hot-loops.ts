/** A key is hot after so many runs in a row that woke themselves and wrote again. */
const HOT_AFTER = 5;
/** And no longer when it was quiet for so long. */
const COOL_AFTER_MS = 10_000;
/** Keys that have not run for so long are forgotten. */
const FORGET_AFTER_MS = 60_000;
const FORGET_ABOVE = 5000;

interface Past {
  /** The versions that its last run made. */
  versions: ReadonlySet<string>;
  inARow: number;
  at: number;
}

/**
 * Finds keys that wake themselves: each run writes, the write comes back as an event, and the event is the next run. A
 * loop that has nothing to do ends after one such run, because that one writes nothing.
 */
export class HotLoops {
  readonly #past = new Map<string, Past>();

  /**
   * A run has ended.
   * @param seen the versions that its reasons name
   * @param written the versions that its writes made
   * @returns whether it was woken by what the run before it wrote
   */
  ran(id: string, seen: readonly string[], written: readonly string[], at: number): boolean {
    const past = this.#past.get(id);
    const wokeItself = past !== undefined && seen.some((version) => past.versions.has(version));
    const inARow = wokeItself && written.length > 0 ? past.inARow + 1 : 0;
    if (written.length === 0 && past === undefined) return false;
    // The newest are last, so that the oldest are the first to be forgotten.
    this.#past.delete(id);
    this.#past.set(id, { versions: new Set(written), inARow, at });
    if (this.#past.size > FORGET_ABOVE) this.#forget(at);
    return wokeItself;
  }

  /** The keys that are hot now. */
  hot(now: number): string[] {
    const hot: string[] = [];
    for (const [id, { inARow, at }] of this.#past)
      if (inARow >= HOT_AFTER && now - at < COOL_AFTER_MS) hot.push(id);
    return hot;
  }

  clear(): void {
    this.#past.clear();
  }

  #forget(now: number): void {
    for (const [id, { at }] of this.#past) {
      if (now - at < FORGET_AFTER_MS && this.#past.size <= FORGET_ABOVE) return;
      this.#past.delete(id);
    }
  }
}
