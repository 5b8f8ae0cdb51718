import type { Clock, Timer } from '@windlass/base';

interface Watched {
  readonly startedAt: number;
}

export interface WatchdogOptions<R extends Watched> {
  readonly clock: Clock;
  /** 0 or less: no deadline. */
  readonly timeoutMs: number;
  /** After the deadline, how much longer until it counts as stuck. */
  readonly stuckAfterMs: number;
  readonly onTimeout: (run: R) => void;
  readonly onStuck: (run: R) => void;
}

/**
 * Deadlines of runs. All have the same length, so those that started first are due first, and one timer is
 * enough. It is set when a run starts and none is set, and left alone when the run ends: a run costs no
 * timer of its own.
 */
export class Watchdog<R extends Watched> {
  readonly #options: WatchdogOptions<R>;
  /** Those within their deadline, in the order of their starts. */
  readonly #running = new Set<R>();
  /** Those beyond it, in the same order. */
  readonly #late = new Set<R>();
  readonly #stuck = new Set<R>();
  #timer: Timer | undefined = undefined;

  constructor(options: WatchdogOptions<R>) {
    this.#options = options;
  }

  get stuckCount(): number {
    return this.#stuck.size;
  }

  *runs(): Generator<R> {
    yield* this.#stuck;
    yield* this.#late;
    yield* this.#running;
  }

  started(run: R): void {
    this.#running.add(run);
    if (this.#timer === undefined) this.#arm();
  }

  /** Whether it had been called stuck. */
  ended(run: R): boolean {
    if (this.#running.delete(run) || this.#late.delete(run)) return false;
    return this.#stuck.delete(run);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    const { clock, timeoutMs, stuckAfterMs } = this.#options;
    // What a run that was called late or stuck set in motion may have set it already.
    this.stop();
    if (timeoutMs <= 0) return;
    const [oldest] = this.#running;
    const [late] = this.#late;
    if (oldest === undefined && late === undefined) return;
    const dueAt = Math.min(
      (oldest?.startedAt ?? Number.POSITIVE_INFINITY) + timeoutMs,
      (late?.startedAt ?? Number.POSITIVE_INFINITY) + timeoutMs + stuckAfterMs,
    );
    this.#timer = clock.setTimeout(() => this.#fire(), dueAt - clock.monotonic(), { keepAlive: false });
  }

  #fire(): void {
    this.#timer = undefined;
    const { clock, timeoutMs, stuckAfterMs, onTimeout, onStuck } = this.#options;
    const now = clock.monotonic();
    for (const run of this.#late) {
      if (run.startedAt + timeoutMs + stuckAfterMs > now) break;
      this.#late.delete(run);
      this.#stuck.add(run);
      onStuck(run);
    }
    for (const run of this.#running) {
      if (run.startedAt + timeoutMs > now) break;
      this.#running.delete(run);
      this.#late.add(run);
      onTimeout(run);
    }
    this.#arm();
  }
}
