import type { Clock, Timer } from './clock.ts';
import { InvalidArgumentError, WindlassError } from './errors.ts';
import { Heap, type HeapItem } from './heap.ts';

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
    const at = this.#elapsed + Math.max(0, Number.isNaN(delayMs) ? 0 : delayMs);
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

  /** Moves time forward, firing what falls due, and settles after each timer. */
  async advance(ms: number): Promise<void> {
    const target = this.#elapsed + requireForward(ms);
    await this.#settle();
    for (let timer = this.#due(target); timer !== undefined; timer = this.#due(target)) {
      this.#fire(timer);
      await this.#settle();
    }
    this.#elapsed = target;
  }

  /** As `advance`, for code under test that needs no promise to settle. */
  advanceSync(ms: number): void {
    const target = this.#elapsed + requireForward(ms);
    for (let timer = this.#due(target); timer !== undefined; timer = this.#due(target)) this.#fire(timer);
    this.#elapsed = target;
  }

  /**
   * Fires timers, however far away, until none is left.
   * @throws after `maxTimers`, because something then sets timers for ever
   */
  async runUntilIdle(maxTimers: number = DEFAULT_MAX_TIMERS): Promise<void> {
    await this.#settle();
    for (let fired = 0; ; fired++) {
      const timer = this.#timers.pop();
      if (timer === undefined) return;
      if (fired >= maxTimers) {
        throw new WindlassError(`the clock is not idle after ${maxTimers} timers`, {
          code: 'NEVER_IDLE',
          kind: 'bug',
        });
      }
      this.#fire(timer);
      await this.#settle();
    }
  }

  /** Lets pending promises run without moving time. */
  settle(): Promise<void> {
    return this.#settle();
  }

  #due(target: number): FakeTimer | undefined {
    const next = this.#timers.peek();
    return next !== undefined && next.at <= target ? this.#timers.pop() : undefined;
  }

  #fire(timer: FakeTimer): void {
    this.#elapsed = Math.max(this.#elapsed, timer.at);
    timer.callback();
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
