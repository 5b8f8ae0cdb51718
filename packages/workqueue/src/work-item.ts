import type { Reasons } from './reasons.ts';
import { NONE, PROCESSING, PROCESSING_DIRTY, type Slots } from './slots.ts';

/** A key handed to a worker. */
export interface WorkItem<K, R = string> {
  readonly key: K;
  readonly priority: number;
  /** Why it runs: the reasons of every add that this run answers. */
  readonly reasons: Reasons<R>;
  /** How long it was queued, in milliseconds. Known until it is done or added again. */
  readonly waitedMs: number;
}

/**
 * What `get` hands out. It knows its slot, so that `done` needs no lookup, and which queueing of its key it is,
 * so that only its holder can end it, and only once.
 */
export class HandedItem<K, R> implements WorkItem<K, R> {
  readonly key: K;
  readonly priority: number;
  readonly reasons: Reasons<R>;
  readonly #slots: Slots<K>;
  readonly #slot: number;
  readonly #turn: number;

  constructor(slots: Slots<K>, slot: number, reasons: Reasons<R>) {
    this.key = slots.key(slot);
    this.priority = slots.priority(slot);
    this.reasons = reasons;
    this.#slots = slots;
    this.#slot = slot;
    this.#turn = slots.turn(slot);
  }

  // Asked for by few, so it is not kept.
  get waitedMs(): number {
    return Math.max(0, this.#slots.startedAt(this.#slot) - this.#slots.since(this.#slot));
  }

  /** Its slot if it comes from these slots and is not done yet, else NONE. */
  heldSlot(slots: Slots<K>): number {
    if (slots !== this.#slots || slots.turn(this.#slot) !== this.#turn) return NONE;
    const state = slots.state(this.#slot);
    return state === PROCESSING || state === PROCESSING_DIRTY ? this.#slot : NONE;
  }
}
