import { isConflict } from '@windlass/apimachinery';
import { type Clock, type Random, realClock, sleep, systemRandom, throwIfAborted } from '@windlass/base';

/** How often an update that conflicts is tried again, and after which waits. */
export interface RetryOnConflictOptions {
  /** How often to try in all. @default 5 */
  readonly attempts?: number;
  /** The wait after the first conflict, in milliseconds. @default 10 */
  readonly initialMs?: number;
  /** Each wait is this many times the one before. @default 2 */
  readonly factor?: number;
  /** A wait w becomes a random one in [w, w + jitter * w). @default 0.5 */
  readonly jitter?: number;
  readonly signal?: AbortSignal;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default the machine's */
  readonly random?: Random;
}

/**
 * Runs a read-modify-write until it is not refused because somebody else wrote in between. The function
 * must read anew each time; with the same stale object it would be refused for ever. Any other error,
 * and the last conflict, is thrown on.
 */
export async function retryOnConflict<T>(
  attempt: (signal: AbortSignal | undefined) => Promise<T>,
  options: RetryOnConflictOptions = {},
): Promise<T> {
  const { attempts = 5, initialMs = 10, factor = 2, jitter = 0.5, signal } = options;
  const { clock = realClock, random = systemRandom } = options;
  let wait = initialMs;
  for (let left = attempts - 1; ; left--) {
    throwIfAborted(signal);
    try {
      return await attempt(signal);
    } catch (error) {
      if (left <= 0 || !isConflict(error)) throw error;
    }
    await sleep(clock, wait + random.next() * jitter * wait, signal);
    wait *= factor;
  }
}
