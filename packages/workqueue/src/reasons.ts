/** How many reasons of one run are kept: half of them the oldest, half the newest. */
export const MAX_REASONS = 8;
const KEPT_OLDEST = MAX_REASONS / 2;

/** Why a key is in the queue, in the order of the adds. */
export interface Reasons<R> {
  /** Oldest first. Where some were dropped, they are missing from the middle. */
  readonly kept: readonly R[];
  readonly dropped: number;
}

const NONE: Reasons<never> = Object.freeze({ kept: Object.freeze([]), dropped: 0 });

export function noReasons<R>(): Reasons<R> {
  return NONE;
}

/** The reasons of one pending run. Bounded: what began it and what came last say most. */
export class ReasonLog<R> implements Reasons<R> {
  readonly kept: R[] = [];
  dropped = 0;

  add(reason: R): void {
    if (this.kept.length === MAX_REASONS) {
      this.kept.splice(KEPT_OLDEST, 1);
      this.dropped++;
    }
    this.kept.push(reason);
  }

  addAll(other: Reasons<R>): void {
    for (const reason of other.kept) this.add(reason);
    this.dropped += other.dropped;
  }
}
