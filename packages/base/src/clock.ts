// Time is a parameter: whoever waits or asks for the time takes a Clock, so that a test moves it by
// hand and a whole cluster runs in virtual time.

export interface Timer {
  /** Idempotent; a cancelled timer never fires. */
  cancel(): void;
}

export interface TimerOptions {
  /**
   * Whether the pending timer keeps the process alive.
   * @default true
   */
  readonly keepAlive?: boolean;
}

export interface Clock {
  /** Wall time in milliseconds since 1970. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start. Never goes back; only differences mean something. */
  monotonic(): number;
  /** Calls back once, not before `delayMs` have passed. A delay of 0 or less fires on the next turn. */
  setTimeout(callback: () => void, delayMs: number, options?: TimerOptions): Timer;
}

/** What a 32-bit timer can hold. Node fires a longer one at once, so longer waits are chained. */
const MAX_TIMER_MS = 2 ** 31 - 1;

class ChainedTimer implements Timer {
  #handle: NodeJS.Timeout | undefined;
  readonly #callback: () => void;
  readonly #keepAlive: boolean;

  constructor(callback: () => void, delayMs: number, keepAlive: boolean) {
    this.#callback = callback;
    this.#keepAlive = keepAlive;
    this.#arm(delayMs);
  }

  cancel(): void {
    clearTimeout(this.#handle);
    this.#handle = undefined;
  }

  #arm(delayMs: number): void {
    const step = Math.min(Math.max(delayMs, 0), MAX_TIMER_MS);
    this.#handle = setTimeout(() => {
      if (delayMs > step) this.#arm(delayMs - step);
      else this.#callback();
    }, step);
    if (!this.#keepAlive) this.#handle.unref();
  }
}

/** The machine's clock. */
export const realClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback: () => void, delayMs: number, options?: TimerOptions) =>
    new ChainedTimer(callback, delayMs, options?.keepAlive ?? true),
});
