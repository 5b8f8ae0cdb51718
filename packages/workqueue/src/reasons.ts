/** How many reasons of one run are kept: half of them the oldest, half the newest. */
export const MAX_REASONS = 8;
const KEPT_OLDEST = MAX_REASONS / 2;

/** Why a key runs, in the order of the adds. */
export interface Reasons<R> {
  /** Oldest first. Where some were dropped, they are missing from the middle. */
  readonly kept: readonly R[];
  readonly dropped: number;
}

interface ReasonLog<R> {
  readonly kept: R[];
  dropped: number;
}

const NO_REASONS: Reasons<never> = Object.freeze({ kept: Object.freeze([]), dropped: 0 });

/**
 * The reasons of the pending runs, by slot. Bounded for each: what began it and what came last say most.
 * Costs next to nothing while nobody gives any.
 */
export class ReasonTable<R> {
  /** Without holes, and no longer than the highest slot with a reason needs. */
  readonly #logs: (ReasonLog<R> | undefined)[] = [];

  add(slot: number, reason: R): void {
    append(this.#log(slot), reason);
  }

  addAll(slot: number, reasons: Reasons<R>): void {
    if (reasons === NO_REASONS) return;
    const log = this.#log(slot);
    for (const reason of reasons.kept) append(log, reason);
    log.dropped += reasons.dropped;
  }

  /** The slot's reasons, which are no longer the slot's afterwards. */
  take(slot: number): Reasons<R> {
    const log = this.#find(slot);
    if (log === undefined) return NO_REASONS;
    this.#logs[slot] = undefined;
    return log;
  }

  /** The slot's reasons as they are now. */
  copy(slot: number): Reasons<R> {
    const log = this.#find(slot);
    return log === undefined ? NO_REASONS : { kept: [...log.kept], dropped: log.dropped };
  }

  #find(slot: number): ReasonLog<R> | undefined {
    return slot < this.#logs.length ? this.#logs[slot] : undefined;
  }

  #log(slot: number): ReasonLog<R> {
    const found = this.#find(slot);
    if (found !== undefined) return found;
    while (this.#logs.length <= slot) this.#logs.push(undefined);
    const log: ReasonLog<R> = { kept: [], dropped: 0 };
    this.#logs[slot] = log;
    return log;
  }
}

function append<R>(log: ReasonLog<R>, reason: R): void {
  if (log.kept.length === MAX_REASONS) {
    log.kept.splice(KEPT_OLDEST, 1);
    log.dropped++;
  }
  log.kept.push(reason);
}
