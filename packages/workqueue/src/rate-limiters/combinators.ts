import { InvalidArgumentError } from '@windlass/base';
import type { RateLimiter } from './rate-limiter.ts';

/** The longest of what the limiters say. */
export function maxOf<K>(...limiters: readonly RateLimiter<K>[]): RateLimiter<K> {
  if (limiters.length === 0) throw new InvalidArgumentError('limiters', limiters, 'at least one');
  return {
    when(key) {
      let longest = 0;
      for (const limiter of limiters) longest = Math.max(longest, limiter.when(key));
      return longest;
    },
    forget(key) {
      for (const limiter of limiters) limiter.forget(key);
    },
    retries(key) {
      let most = 0;
      for (const limiter of limiters) most = Math.max(most, limiter.retries(key));
      return most;
    },
  };
}

/** What the limiter says, but never longer than `maxMs`. */
export function withMaxWait<K>(limiter: RateLimiter<K>, maxMs: number): RateLimiter<K> {
  if (!(Number.isFinite(maxMs) && maxMs >= 0))
    throw new InvalidArgumentError('maxMs', maxMs, 'a finite number of at least 0');
  return {
    when: (key) => Math.min(limiter.when(key), maxMs),
    forget: (key) => limiter.forget(key),
    retries: (key) => limiter.retries(key),
  };
}
