import { performance } from 'node:perf_hooks';

/** Something held the event loop. */
export interface Stall {
  /** What began last before that: `GET`, `reconcile`. One of few. */
  readonly what: string;
  /** Of which thing. Empty where there is none. */
  readonly detail: string;
  readonly ms: number;
}

/** Called for each stall, in the turn in which it was. Must not throw. */
export type StallListener = (stall: Stall) => void;

interface Listener {
  readonly limitMs: number;
  readonly onStall: StallListener;
}

/**
 * What the process does in a turn of its event loop. Whoever begins something says so with `doing`. When the next one
 * begins, or the turn ends, and more time has passed than it may, what began last is told as a stall. What begins
 * without a mark counts for the mark before it in the same turn.
 *
 * Cost: nothing while nobody listens; otherwise a look at the clock for each mark.
 */
export class TurnMarks {
  readonly #listeners = new Set<Listener>();
  #what: string | undefined = undefined;
  #detail = '';
  #sinceMs = 0;
  #hasEnd = false;

  /** Whether somebody listens: for marks whose detail costs something. */
  get isOn(): boolean {
    return this.#listeners.size > 0;
  }

  /** What this turn does from now on. */
  doing(what: string, detail = ''): void {
    if (this.#listeners.size === 0) return;
    const now = performance.now();
    this.#close(now);
    this.#what = what;
    this.#detail = detail;
    this.#sinceMs = now;
    if (this.#hasEnd) return;
    this.#hasEnd = true;
    setImmediate(() => {
      this.#hasEnd = false;
      this.#close(performance.now());
    });
  }

  /** Returns the end of listening. */
  listen(limitMs: number, onStall: StallListener): Disposable {
    const listener = { limitMs, onStall };
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #close(now: number): void {
    const what = this.#what;
    if (what === undefined) return;
    this.#what = undefined;
    const ms = now - this.#sinceMs;
    for (const { limitMs, onStall } of this.#listeners)
      if (ms >= limitMs) onStall({ what, detail: this.#detail, ms });
  }
}

/** One for the process: there is one event loop. */
export const turnMarks = new TurnMarks();
