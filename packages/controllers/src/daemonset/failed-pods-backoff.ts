import type { Clock } from '@windlass/base';

const FIRST_MS = 1000;
const MAX_MS = 15 * 60_000;

interface Entry {
  readonly delayMs: number;
  readonly since: number;
}

/**
 * How soon a pod that failed on a node is replaced again: a node may refuse the same pod for ever. It is
 * kept by set and node, and starts over when all was well for twice the longest delay.
 */
export class FailedPodsBackoff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** 0: now, and the next time later. Else so many milliseconds are left. */
  next(key: string): number {
    const now = this.#clock.now();
    const last = this.#entries.get(key);
    if (last === undefined || isOver(last, now)) {
      this.#forgetOld(now);
      this.#entries.set(key, { delayMs: FIRST_MS, since: now });
      return 0;
    }
    const left = last.since + last.delayMs - now;
    if (left > 0) return left;
    this.#entries.set(key, { delayMs: Math.min(2 * last.delayMs, MAX_MS), since: now });
    return 0;
  }

  #forgetOld(now: number): void {
    for (const [key, entry] of this.#entries) if (isOver(entry, now)) this.#entries.delete(key);
  }
}

const isOver = ({ since }: Entry, now: number): boolean => now - since > 2 * MAX_MS;
