import type { Clock, Timer } from './clock.ts';
import { InvalidArgumentError, WindlassError } from './errors.ts';
import { Heap, type HeapItem } from './heap.ts';

/** When a fake clock starts, and how it lets other code run. */
export interface FakeClockOptions {
  /**
   * Wall time at the start, in milliseconds since 1970.
   * @default 2026-01-01T00:00:00Z
   */
  readonly start?: number;
  /**
   * Lets the code under test run on until it waits again; called between two timers.
   * @default a turn of the event loop
   */
  readonly settle?: () => Promise<void>;
}

const DEFAULT_START = Date.UTC(2026, 0, 1);
const DEFAULT_MAX_TIMERS = 1_000_000;

interface FakeTimer extends Timer, HeapItem {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is moved. Timers fire in the order of their times, and those of
 * one time in the order in which they were set. Between two timers it lets promises settle, so that
 * what a timer woke has run, and has set its own timers, before the next one fires.
 *
 * What a timer's callback throws comes out of the call that moved the clock. Time then stands at that
 * timer, and the later ones still wait.
 */
export class FakeClock implements Clock {
  readonly #start: number;
  readonly #settle: () => Promise<void>;
  readonly #timers = new Heap<FakeTimer>((a, b) => (a.at === b.at ? a.order < b.order : a.at < b.at));
  #elapsed = 0;
  #skew = 0;
  #order = 0;

  constructor(options: FakeClockOptions = {}) {
    this.#start = options.start ?? DEFAULT_START;
    this.#settle = options.settle ?? eventLoopTurn;
  }

  now(): number {
    return this.#start + this.#elapsed + this.#skew;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  /** How many timers wait: a test that ends with one has leaked it. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer, or undefined when none waits. */
  get nextTimerIn(): number | undefined {
    const next = this.#timers.peek();
    return next === undefined ? undefined : next.at - this.#elapsed;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const timers = this.#timers;
    const at = this.#elapsed + (delayMs > 0 ? delayMs : 0);
    const timer: FakeTimer = {
      at,
      order: this.#order++,
      callback,
      heapIndex: -1,
      cancel: () => void timers.remove(timer),
    };
    timers.push(timer);
    return timer;
  }

  /** Sets the wall clock apart from the monotonic one, as an administrator or NTP would. */
  skew(ms: number): void {
    this.#skew += ms;
  }

  /** Moves time forward, firing what falls due, and settles before the first timer and after each. */
  async advance(ms: number): Promise<void> {
    const target = this.#elapsed + requireForward(ms);
    await this.#settle();
    while (this.#nextAt() <= target) {
      this.#fireNext();
      await this.#settle();
    }
    this.#moveTo(target);
  }

  /**
   * Time passes in which nothing runs, as for a process that is stopped and continued. What fell due
   * meanwhile fires with the next move of the clock, all at the later time.
   */
  freeze(ms: number): void {
    this.#moveTo(this.#elapsed + requireForward(ms));
  }

  /** As `advance`, for code under test that needs no promise to settle. */
  advanceSync(ms: number): void {
    const target = this.#elapsed + requireForward(ms);
    while (this.#nextAt() <= target) this.#fireNext();
    this.#moveTo(target);
  }

  /**
   * Fires timers, however far away, until none is left but those that never fire.
   * @throws after `maxTimers`, because something then sets timers for ever
   */
  async runUntilIdle(maxTimers: number = DEFAULT_MAX_TIMERS): Promise<void> {
    await this.#settle();
    for (let fired = 0; this.#nextAt() < Number.POSITIVE_INFINITY; fired++) {
      if (fired >= maxTimers) {
        throw new WindlassError(
          `the clock is not idle after ${maxTimers} timers; find what sets them for ever, or raise maxTimers`,
          { code: 'NEVER_IDLE', kind: 'bug' },
        );
      }
      this.#fireNext();
      await this.#settle();
    }
  }

  /** Lets pending promises run without moving time. */
  settle(): Promise<void> {
    return this.#settle();
  }

  #nextAt(): number {
    return this.#timers.peek()?.at ?? Number.POSITIVE_INFINITY;
  }

  #fireNext(): void {
    const next = this.#timers.pop();
    if (next === undefined) return;
    this.#moveTo(next.at);
    next.callback();
  }

  // A callback may move the clock too, and two moves may overlap: time never goes back.
  #moveTo(elapsed: number): void {
    this.#elapsed = Math.max(this.#elapsed, elapsed);
  }
}

function requireForward(ms: number): number {
  if (!Number.isFinite(ms) || ms < 0)
    throw new InvalidArgumentError('ms', ms, 'a finite number of at least 0');
  return ms;
}

// A macrotask runs only after every microtask has, so one turn settles any chain of promises.
function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
