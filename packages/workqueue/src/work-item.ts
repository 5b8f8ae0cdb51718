import { noReasons, type Reasons } from './reasons.ts';
import { PROCESSING, PROCESSING_DIRTY, type Slots } from './slots.ts';

/** A key handed to a worker. */
export interface WorkItem<K, R = string> {
  readonly key: K;
  readonly priority: number;
  /** Why it runs: the reasons of every add that this run answers. */
  readonly reasons: Reasons<R>;
}

/**
 * What `get` hands out. It knows its slot, so that `done` needs no lookup, and which queueing of its key it is,
 * so that only its holder can end it, and only once.
 */
export class HandedItem<K, R> implements WorkItem<K, R> {
  readonly key: K;
  readonly priority: number;
  readonly reasons: Reasons<R>;
  readonly slot: number;
  readonly slots: Slots<K, R>;
  readonly turn: number;

  constructor(slots: Slots<K, R>, slot: number) {
    this.key = slots.key(slot);
    this.priority = slots.priority(slot);
    this.reasons = slots.takeReasons(slot) ?? noReasons<R>();
    this.slot = slot;
    this.slots = slots;
    this.turn = slots.turn(slot);
  }

  isHeldFrom(slots: Slots<K, R>): boolean {
    if (slots !== this.slots || slots.turn(this.slot) !== this.turn) return false;
    const state = slots.state(this.slot);
    return state === PROCESSING || state === PROCESSING_DIRTY;
  }
}
