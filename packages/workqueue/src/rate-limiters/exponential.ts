import { InvalidArgumentError, type Random } from '@windlass/base';
import type { RateLimiter } from './rate-limiter.ts';

/** How delays grow with the failures of a key. */
export interface ExponentialOptions {
  /**
   * The delay after the first failure, in milliseconds.
   * @default 5
   */
  readonly baseMs?: number;
  /**
   * No delay is longer than this, before jitter; at least `baseMs`.
   * @default 1000000, which is 1000 s
   */
  readonly maxMs?: number;
  /**
   * A delay d becomes a random one in [d, d + jitter * d), so that keys which failed together do not
   * come back together. `withMaxWait` sets a limit that no jitter passes.
   * @default 0
   */
  readonly jitter?: number;
  /** Needed when there is jitter. */
  readonly random?: Random;
}

/** The delay after the first failure unless `baseMs` says otherwise. */
export const DEFAULT_BASE_MS = 5;
/** The longest delay unless `maxMs` says otherwise. */
export const DEFAULT_MAX_MS = 1_000_000;
/** The largest whose power is finite: 0 ms must stay 0 ms, however many failures there were. */
const MAX_EXPONENT = 1023;

/** Each key's delay doubles with each of its failures: base * 2^failures, at most max. */
export function exponential<K>(options: ExponentialOptions = {}): RateLimiter<K> {
  const { baseMs = DEFAULT_BASE_MS, maxMs = DEFAULT_MAX_MS, jitter = 0, random } = options;
  if (!(Number.isFinite(baseMs) && baseMs >= 0))
    throw new InvalidArgumentError('baseMs', baseMs, 'a finite number of at least 0');
  if (!(Number.isFinite(maxMs) && maxMs >= baseMs))
    throw new InvalidArgumentError('maxMs', maxMs, `a finite number of at least baseMs (${baseMs})`);
  if (!(Number.isFinite(jitter) && jitter >= 0))
    throw new InvalidArgumentError('jitter', jitter, 'a finite number of at least 0');
  if (jitter > 0 && random === undefined)
    throw new InvalidArgumentError('random', random, 'given when jitter is above 0');
  // Counted in an object, so that a further failure is one look into the Map and not two.
  const failures = new Map<K, { count: number }>();
  return {
    when(key) {
      const count = countFailure(failures, key);
      const delay = Math.min(baseMs * 2 ** Math.min(count, MAX_EXPONENT), maxMs);
      return random === undefined || jitter === 0 ? delay : delay + random.next() * jitter * delay;
    },
    forget: (key) => void failures.delete(key),
    retries: (key) => failures.get(key)?.count ?? 0,
  };
}

/** Counts one more, and returns how many there were before. */
function countFailure<K>(failures: Map<K, { count: number }>, key: K): number {
  const failed = failures.get(key);
  if (failed !== undefined) return failed.count++;
  failures.set(key, { count: 1 });
  return 0;
}
