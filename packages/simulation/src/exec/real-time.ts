import { type Clock, type Timer, WindlassError } from '@windlass/base';

/** The time of a run with a real program: it passes by itself. */
export class RealTime {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #timers = new Set<Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }

  /** As in virtual time; whose timer it is makes no difference here. */
  set(_owner: string, fire: () => void, delayMs: number): Timer {
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(timer);
      fire();
    }, delayMs);
    this.#timers.add(timer);
    return timer;
  }

  pass(ms: number): Promise<void> {
    return new Promise((resolve) => void this.set('', resolve, ms));
  }

  /** Looks ten times a second. @returns whether it held in time */
  async holds(isSo: () => boolean | Promise<boolean>, withinMs: number, lookMs = 100): Promise<boolean> {
    const deadline = this.elapsedMs + withinMs;
    while (!(await isSo())) {
      if (this.elapsedMs >= deadline) return false;
      await this.pass(lookMs);
    }
    return true;
  }

  /** As `holds`. @throws WindlassError with what was waited for */
  async until(what: string, isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
    if (await this.holds(isSo, withinMs)) return;
    throw new WindlassError(`waited ${withinMs / 1000} s in vain: ${what}`, { code: 'IN_VAIN' });
  }

  /** Whatever is not due yet never is. */
  end(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}
