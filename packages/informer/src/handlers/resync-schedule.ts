import type { Clock, Timer } from '@windlass/base';

/** Nobody is reminded more often. */
export const MIN_RESYNC_MS = 1000;

/** Who is to be reminded when. One timer for all, and none while nobody asks or it is stopped. */
export class ResyncSchedule<H> {
  readonly #clock: Clock;
  readonly #onDue: (due: ReadonlySet<H>) => void;
  readonly #entries = new Map<H, { readonly periodMs: number; nextAt: number }>();
  #timer: Timer | undefined = undefined;
  #isRunning = false;

  constructor(clock: Clock, onDue: (due: ReadonlySet<H>) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  start(): void {
    this.#isRunning = true;
    this.#arm();
  }

  stop(): void {
    this.#isRunning = false;
    this.#arm();
  }

  /** With a period of 0 it is never due. */
  add(handler: H, periodMs: number): void {
    if (periodMs <= 0) return;
    const period = Math.max(periodMs, MIN_RESYNC_MS);
    this.#entries.set(handler, { periodMs: period, nextAt: this.#clock.monotonic() + period });
    this.#arm();
  }

  remove(handler: H): void {
    if (this.#entries.delete(handler)) this.#arm();
  }

  #fire(): void {
    const now = this.#clock.monotonic();
    const due = new Set<H>();
    for (const [handler, entry] of this.#entries) {
      // Less than a millisecond is rounding, and too little for a clock to move by.
      if (entry.nextAt - now >= 1) continue;
      entry.nextAt = now + entry.periodMs;
      due.add(handler);
    }
    if (due.size > 0) this.#onDue(due);
    this.#arm();
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (!this.#isRunning || this.#entries.size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { nextAt } of this.#entries.values()) next = Math.min(next, nextAt);
    const delay = next - this.#clock.monotonic();
    this.#timer = this.#clock.setTimeout(() => this.#fire(), delay, { keepAlive: false });
  }
}
