// Time is a parameter: whoever waits or asks for the time takes a Clock, so that a test moves it by
// hand and a whole cluster runs in virtual time.

/** A callback that has not fired yet. */
export interface Timer {
  /** Idempotent; a cancelled timer never fires. */
  cancel(): void;
}

/** Options of a timer. */
export interface TimerOptions {
  /**
   * Whether the pending timer keeps the process alive.
   * @default true
   */
  readonly keepAlive?: boolean;
}

/** Where time comes from. Tests pass a `FakeClock` and move it. */
export interface Clock {
  /** Wall time in milliseconds since 1970. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start. Never goes back; only differences mean something. */
  monotonic(): number;
  /**
   * Calls back once, and not before `monotonic()` has moved by `delayMs`. A delay of 0 or less, or NaN,
   * fires on the next turn; one of Infinity never does.
   */
  setTimeout(callback: () => void, delayMs: number, options?: TimerOptions): Timer;
}

/** What a 32-bit timer can hold; Node fires a longer one at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A chain of platform timers that ends at a deadline. Two things need the chain: waits of more than 24
 * days, and the platform's whole milliseconds, by which a timer fires up to one too early. Who computed
 * "due at t" from `monotonic()` would then wake before t and find nothing to do.
 */
class DeadlineTimer implements Timer {
  #handle: NodeJS.Timeout | undefined;
  readonly #deadline: number;
  readonly #callback: () => void;
  readonly #keepAlive: boolean;

  constructor(callback: () => void, delayMs: number, keepAlive: boolean) {
    this.#callback = callback;
    this.#keepAlive = keepAlive;
    this.#deadline = performance.now() + delayMs;
    this.#arm(delayMs);
  }

  cancel(): void {
    clearTimeout(this.#handle);
  }

  #arm(leftMs: number): void {
    const step = leftMs > 0 ? Math.min(Math.ceil(leftMs), MAX_TIMER_MS) : 0;
    this.#handle = setTimeout(() => this.#fire(), step);
    if (!this.#keepAlive) this.#handle.unref();
  }

  #fire(): void {
    const leftMs = this.#deadline - performance.now();
    if (leftMs > 0) this.#arm(leftMs);
    else this.#callback();
  }
}

/** The machine's clock. */
export const realClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback: () => void, delayMs: number, options?: TimerOptions) =>
    new DeadlineTimer(callback, delayMs, options?.keepAlive ?? true),
});
