import { type Clock, InvalidArgumentError } from '@windlass/base';
import type { RateLimiter } from './rate-limiter.ts';

/** How many tries a second are allowed, and how many at once. */
export interface TokenBucketOptions {
  readonly clock: Clock;
  /**
   * Tokens that come back a second.
   * @default 10
   */
  readonly perSecond?: number;
  /**
   * Tokens there can be at most.
   * @default 100
   */
  readonly burst?: number;
}

/**
 * One bucket for all keys: each retry takes a token, and waits until its token is due. Alone it delays
 * without bound (10,000 retries at once make the last one wait 16 minutes): put `withMaxWait` around it.
 */
export function tokenBucket<K>({ clock, perSecond = 10, burst = 100 }: TokenBucketOptions): RateLimiter<K> {
  if (!(Number.isFinite(perSecond) && perSecond > 0))
    throw new InvalidArgumentError('perSecond', perSecond, 'a finite number above 0');
  if (!(Number.isFinite(burst) && burst >= 1))
    throw new InvalidArgumentError('burst', burst, 'a finite number of at least 1');
  // May go below zero: then it is the number of tokens promised to those who wait.
  let tokens = burst;
  let updatedAt = clock.monotonic();
  return {
    when() {
      const now = clock.monotonic();
      tokens = Math.min(burst, tokens + ((now - updatedAt) / 1000) * perSecond) - 1;
      updatedAt = now;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
    forget: () => {},
    retries: () => 0,
  };
}
