import type { Clock } from './clock.ts';
import { InvalidArgumentError } from './errors.ts';
import type { Random } from './random.ts';

/** How delays grow from one failure to the next. */
export interface BackoffOptions {
  readonly clock: Clock;
  readonly random: Random;
  /**
   * The first delay in milliseconds.
   * @default 800
   */
  readonly initialMs?: number;
  /**
   * No delay is longer than this, before jitter. At least `initialMs`.
   * @default 30000
   */
  readonly maxMs?: number;
  /** @default 2 */
  readonly factor?: number;
  /**
   * A delay d becomes a random one from d up to d + jitter * d. The upper end is only reached where the numbers
   * are so small that a sum is rounded to it.
   * @default 1
   */
  readonly jitter?: number;
  /**
   * The next delay is the first one again when more than this many milliseconds have passed since the
   * last delay was over. It counts from the end of that wait and not from the last start over, so a
   * caller that keeps failing at once keeps its long delays, however long it goes on.
   * @default 120000
   */
  readonly resetAfterMs?: number;
}

/** The defaults of `BackoffOptions`. */
export const DEFAULT_BACKOFF = Object.freeze({
  initialMs: 800,
  maxMs: 30_000,
  factor: 2,
  jitter: 1,
  resetAfterMs: 120_000,
});

/** Exponential delays with jitter, which start over only after a healthy stretch. */
export class Backoff {
  readonly #options: Required<BackoffOptions>;
  #current: number;
  /** When the last wait was over; long ago means that all was well since. */
  #quietSince = Number.NEGATIVE_INFINITY;

  constructor(options: BackoffOptions) {
    const merged = { ...DEFAULT_BACKOFF, ...options };
    requireAtLeast('initialMs', merged.initialMs, 0);
    requireAtLeast('maxMs', merged.maxMs, merged.initialMs);
    requireAtLeast('factor', merged.factor, 1);
    requireAtLeast('jitter', merged.jitter, 0);
    requireAtLeast('resetAfterMs', merged.resetAfterMs, 0);
    this.#options = merged;
    this.#current = merged.initialMs;
  }

  /** How long to wait now, in milliseconds, after a failure. The caller is assumed to wait that long. */
  next(): number {
    const { clock, random, initialMs, maxMs, factor, jitter, resetAfterMs } = this.#options;
    const now = clock.monotonic();
    if (now - this.#quietSince > resetAfterMs) this.#current = initialMs;
    const base = this.#current;
    this.#current = Math.min(base * factor, maxMs);
    const delay = base + random.next() * jitter * base;
    this.#quietSince = now + delay;
    return delay;
  }

  /** Starts over at once, for a caller that knows itself to be well. */
  reset(): void {
    this.#quietSince = Number.NEGATIVE_INFINITY;
  }
}

function requireAtLeast(name: string, value: number, least: number): void {
  if (!(Number.isFinite(value) && value >= least)) {
    throw new InvalidArgumentError(name, value, `a finite number of at least ${least}`);
  }
}
