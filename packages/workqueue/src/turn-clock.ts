import type { Clock } from '@windlass/base';

/**
 * Monotonic time to the millisecond, read once a turn of the microtask queue: reading the clock costs as
 * much as an add. Good for ageing and for people; a delay needs the clock itself.
 */
export class TurnClock {
  readonly #clock: Clock;
  /** Whole, because V8 allocates for a field each time that it holds a fraction. */
  #time = 0;
  #isTimed = false;
  readonly #endTurn = (): void => {
    this.#isTimed = false;
  };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    if (!this.#isTimed) {
      this.#isTimed = true;
      this.#time = Math.floor(this.#clock.monotonic());
      queueMicrotask(this.#endTurn);
    }
    return this.#time;
  }
}
