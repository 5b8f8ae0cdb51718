import { type Clock, sleep } from '@windlass/base';

const TICK_MS = 10;
/** Timers are late by a little on an idle machine too. */
const USUAL_MS = 2;
const KEPT_TICKS = 12_000;

/** How late the timers of this process are: on a machine with too much to do, it is not let run. */
export class TimerDelay {
  readonly #clock: Clock;
  readonly #late: { readonly at: number; readonly ms: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = this.#clock.monotonic() + TICK_MS;
      await sleep(this.#clock, TICK_MS);
      const ms = this.#clock.monotonic() - due;
      if (ms <= USUAL_MS) continue;
      this.#late.push({ at: due + ms, ms });
      if (this.#late.length > KEPT_TICKS) this.#late.shift();
    }
  }

  /** All delays that ended after `from`, together; one that began earlier counts from there. */
  since(from: number): number {
    let sum = 0;
    for (let index = this.#late.length - 1; index >= 0; index--) {
      const late = this.#late[index];
      if (late === undefined || late.at <= from) break;
      sum += Math.min(late.ms, late.at - from);
    }
    return sum;
  }
}
