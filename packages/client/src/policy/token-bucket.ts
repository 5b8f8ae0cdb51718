import { type Clock, InvalidArgumentError, sleep } from '@windlass/base';

/** How many requests a second are allowed, and how many at once. */
export interface TokenBucketOptions {
  readonly clock: Clock;
  /** Tokens that come back each second. */
  readonly qps: number;
  /** Tokens that can be saved up, and so spent at once. */
  readonly burst: number;
}

/**
 * At most `burst` at once and `qps` a second after that. Callers are served in the order in which they
 * came: each takes its token at once and then waits until that token exists.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #qps: number;
  readonly #burst: number;
  /** Below zero, its negative is how many callers wait. */
  #tokens: number;
  #updatedAt: number;

  constructor({ clock, qps, burst }: TokenBucketOptions) {
    if (!(Number.isFinite(qps) && qps > 0)) throw new InvalidArgumentError('qps', qps, 'a number above 0');
    if (!(Number.isInteger(burst) && burst >= 1)) {
      throw new InvalidArgumentError('burst', burst, 'a whole number of at least 1');
    }
    this.#clock = clock;
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
    this.#updatedAt = clock.monotonic();
  }

  /** Waits for a token. Resolves with the milliseconds that it took. */
  async take(signal?: AbortSignal): Promise<number> {
    this.#refill();
    this.#tokens -= 1;
    if (this.#tokens >= 0) return 0;
    const wait = (-this.#tokens / this.#qps) * 1000;
    try {
      await sleep(this.#clock, wait, signal);
    } catch (error) {
      this.#refill();
      this.#tokens = Math.min(this.#burst, this.#tokens + 1);
      throw error;
    }
    return wait;
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#updatedAt) / 1000) * this.#qps);
    this.#updatedAt = now;
  }
}
