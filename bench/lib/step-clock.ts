import type { Clock, Timer } from '@windlass/base';

interface StepTimer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * Stands still, then jumps: what fell due on the way fires once the jump is made. That is the shape of
 * the step clock on the peer's side, where a queue also sees a whole hour pass at once.
 */
export class StepClock implements Clock {
  #elapsed = 0;
  readonly #timers = new Set<StepTimer>();

  now(): number {
    return this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const timer = { at: this.#elapsed + delayMs, callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  step(ms: number): void {
    this.#elapsed += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#elapsed) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}
