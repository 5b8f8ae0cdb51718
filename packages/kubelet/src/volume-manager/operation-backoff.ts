import type { Clock } from '@windlass/base';

export const FIRST_RETRY_MS = 500;
export const LAST_RETRY_MS = 122_000;

interface Failure {
  readonly delayMs: number;
  readonly retryAt: number;
}

/** How long what has failed waits before it is tried again: twice as long each time. */
export class OperationBackoff {
  readonly #clock: Clock;
  readonly #lastMs: number;
  readonly #failures = new Map<string, Failure>();

  /** @param lastMs no wait is longer */
  constructor(clock: Clock, lastMs: number = LAST_RETRY_MS) {
    this.#clock = clock;
    this.#lastMs = lastMs;
  }

  /** Milliseconds until the key may be tried; 0: now. */
  waitMs(key: string): number {
    const failure = this.#failures.get(key);
    return failure === undefined ? 0 : Math.max(0, failure.retryAt - this.#clock.monotonic());
  }

  /** One that has failed and has not succeeded since; undefined when there is none. */
  get failing(): string | undefined {
    const [first] = this.#failures.keys();
    return first;
  }

  failed(key: string): void {
    const before = this.#failures.get(key);
    const delayMs = before === undefined ? FIRST_RETRY_MS : Math.min(before.delayMs * 2, this.#lastMs);
    this.#failures.set(key, { delayMs, retryAt: this.#clock.monotonic() + delayMs });
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }
}
