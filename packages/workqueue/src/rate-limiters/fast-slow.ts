import { InvalidArgumentError } from '@windlass/base';
import type { RateLimiter } from './rate-limiter.ts';

/** Two delays, and how many tries have the first. */
export interface FastSlowOptions {
  readonly fastMs: number;
  readonly slowMs: number;
  /** How many tries are fast. */
  readonly fastTries: number;
}

/** Each key waits `fastMs` for its first tries, then `slowMs`. */
export function fastSlow<K>({ fastMs, slowMs, fastTries }: FastSlowOptions): RateLimiter<K> {
  for (const [name, value] of Object.entries({ fastMs, slowMs, fastTries })) {
    if (!(Number.isFinite(value) && value >= 0))
      throw new InvalidArgumentError(name, value, 'a finite number of at least 0');
  }
  const failures = new Map<K, number>();
  return {
    when(key) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      return count <= fastTries ? fastMs : slowMs;
    },
    forget: (key) => void failures.delete(key),
    retries: (key) => failures.get(key) ?? 0,
  };
}
