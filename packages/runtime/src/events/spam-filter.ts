import type { Clock } from '@windlass/base';

export interface SpamFilterOptions {
  readonly clock: Clock;
  /** How many may come at once. @default 25 */
  readonly burst?: number;
  /** How long until there is room for one more. @default 300000 */
  readonly refillMs?: number;
  /** How many sources are told apart; the one that was silent longest is forgotten first. @default 4096 */
  readonly capacity?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket for each source, so that one object in trouble does not flood the API. */
export class SpamFilter {
  readonly #options: Required<SpamFilterOptions>;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: SpamFilterOptions) {
    this.#options = { burst: 25, refillMs: 300_000, capacity: 4096, ...options };
  }

  /** Whether one more of this source may pass. */
  allows(source: string): boolean {
    const { clock, burst, refillMs, capacity } = this.#options;
    const now = clock.monotonic();
    const bucket = this.#buckets.get(source) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs);
    bucket.at = now;
    // Maps keep the order of insertion, so the first is the one that was silent longest.
    this.#buckets.delete(source);
    this.#buckets.set(source, bucket);
    const [oldest] = this.#buckets.size > capacity ? this.#buckets.keys() : [];
    if (oldest !== undefined) this.#buckets.delete(oldest);
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }
}
