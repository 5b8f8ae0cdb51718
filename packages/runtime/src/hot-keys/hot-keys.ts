import type { Logger } from '@windlass/base';
import type { Reasons } from '@windlass/workqueue';
import type { Reason } from '../reason.ts';
import { WakeCounts } from './wake-counts.ts';

/** Runs are counted for so long. */
const WINDOW_MS = 10_000;
/** A key that runs so often in that time has nothing to do with most of its runs. */
const HOT_RUNS = 300;
/** The same key is told again after so long. */
const QUIET_MS = 600_000;
const MAX_TOLD = 1000;

/**
 * Warns of keys that run again and again, most often because a reconciler wakes itself by what it writes. Counting by key
 * is not free, so it is done only while the whole controller runs often enough for one of them to be hot.
 */
export class HotKeys {
  readonly #controller: string;
  readonly #logger: Logger;
  readonly #toldAt = new Map<string, number>();
  #begunAt = Number.NEGATIVE_INFINITY;
  #runs = 0;
  #counts: WakeCounts | undefined = undefined;

  constructor(controller: string, logger: Logger) {
    this.#controller = controller;
    this.#logger = logger;
  }

  /** A run has ended that began at this time. */
  ran(key: unknown, reasons: Reasons<Reason>, at: number): void {
    if (at - this.#begunAt >= WINDOW_MS) this.#roll(at);
    this.#runs++;
    this.#counts?.ran(this.#controller, key, reasons);
  }

  stop(): void {
    this.#counts?.[Symbol.dispose]();
    this.#counts = undefined;
  }

  #roll(at: number): void {
    const wasBusy = this.#runs >= HOT_RUNS && at - this.#begunAt < 2 * WINDOW_MS;
    if (this.#counts !== undefined) this.#tell(this.#counts, at);
    this.stop();
    if (wasBusy) this.#counts = new WakeCounts();
    this.#begunAt = at;
    this.#runs = 0;
  }

  #tell(counts: WakeCounts, at: number): void {
    for (const { key, runs, isOwn, text } of counts.busiest(HOT_RUNS)) {
      if (at - (this.#toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) continue;
      if (this.#toldAt.size >= MAX_TOLD) this.#toldAt.clear();
      this.#toldAt.set(key, at);
      const advice = isOwn
        ? 'write only when something differs from what is there'
        : 'find what wakes it, and leave out what changes nothing for it';
      this.#logger.warn(`a key runs again and again: ${text} in ${WINDOW_MS / 1000} s; ${advice}`, {
        key,
        runs,
      });
    }
  }
}
