import type { Clock } from '@windlass/base';

export interface AggregatorOptions {
  readonly clock: Clock;
  /** From how many different ones on they are told as one. @default 10 */
  readonly maxDistinct?: number;
  /** Within how long. @default 600000 */
  readonly windowMs?: number;
  /** @default 4096 */
  readonly capacity?: number;
}

interface Group {
  readonly seen: Set<string>;
  at: number;
}

/** Finds out when many events differ only in details, and are better told as one. */
export class Aggregator {
  readonly #options: Required<AggregatorOptions>;
  readonly #groups = new Map<string, Group>();

  constructor(options: AggregatorOptions) {
    this.#options = { maxDistinct: 10, windowMs: 600_000, capacity: 4096, ...options };
  }

  /** Whether this one is to be told together with others of its group. */
  combines(group: string, detail: string): boolean {
    const { clock, maxDistinct, windowMs, capacity } = this.#options;
    const now = clock.monotonic();
    let known = this.#groups.get(group);
    // The window is open for as long as they keep coming.
    if (known === undefined || now - known.at > windowMs) known = { seen: new Set(), at: now };
    known.at = now;
    this.#groups.delete(group);
    this.#groups.set(group, known);
    const [oldest] = this.#groups.size > capacity ? this.#groups.keys() : [];
    if (oldest !== undefined) this.#groups.delete(oldest);
    if (known.seen.has(detail)) return false;
    if (known.seen.size >= maxDistinct) return true;
    known.seen.add(detail);
    return false;
  }
}
