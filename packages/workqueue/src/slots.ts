import { SlotNumbers } from './slot-numbers.ts';

/** Where a key stands. */
export const IDLE = 0;
export const QUEUED = 1;
export const PROCESSING = 2;
/** Added again while a worker has it: exactly one more run follows, however many adds there were. */
export const PROCESSING_DIRTY = 3;

export type State = typeof IDLE | typeof QUEUED | typeof PROCESSING | typeof PROCESSING_DIRTY;

/** No slot. */
export const NONE = -1;

const STATE_BITS = 3;
/** The bit that QUEUED and PROCESSING_DIRTY have in common: a run is to come. */
const PENDING_BIT = 1;
/** Beside the state, because a delayed add and a queued one are independent. */
const DELAYED_BIT = 4;
const FREE = 0;

const MIN_CAPACITY = 64;
/** See `claim`. */
export const MAX_IDLE = 1024;

/**
 * One numbered slot for each key that the queue knows, its fields in parallel typed arrays.
 *
 * The shape is there for speed: an object a key makes the garbage collector copy and trace every queued
 * key, which costs more than the queue itself, while these arrays hold nothing for it to trace. For the
 * same reason a key that becomes idle keeps its slot, and idle ones are swept out together: deleting
 * from a Map one by one costs as much as all the rest of add, get and done.
 * `npm run bench -- workqueue` shows both.
 *
 * find: O(1); claim: O(1) amortised.
 */
export class Slots<K> {
  #byKey = new Map<K, number>();
  #keys: (K | undefined)[] = [];
  /** Slots below `#used` that no key has. */
  #free: number[] = [];
  #used = 0;
  /** Known keys that are neither queued, nor processing, nor delayed. */
  #idle = 0;
  #turns = 0;

  #capacity = MIN_CAPACITY;
  #flags = new Uint8Array(MIN_CAPACITY);
  #turn = new Int32Array(MIN_CAPACITY);
  #since = new Float64Array(MIN_CAPACITY);
  readonly #priority = new SlotNumbers();
  /** Only as far as slots were run: keys that wait take no memory for it. */
  #startedAt = new Float64Array(MIN_CAPACITY);

  /** The key's slot, or NONE. */
  find(key: K): number {
    return this.#byKey.get(key) ?? NONE;
  }

  /**
   * The key's slot; an idle one if the key was not known. A new key sweeps the idle ones out when they are
   * more than MAX_IDLE and more than half of all: no more than that are ever remembered beside a new one.
   */
  claim(key: K): number {
    return this.#byKey.get(key) ?? this.#claimNew(key);
  }

  #claimNew(key: K): number {
    if (this.#idle > MAX_IDLE && this.#idle > this.#byKey.size / 2) this.sweep();
    const slot = this.#free.pop() ?? this.#used++;
    if (slot >= this.#capacity) this.#grow();
    this.#byKey.set(key, slot);
    this.#keys[slot] = key;
    this.#idle++;
    return slot;
  }

  /** Forgets every key that is idle. */
  sweep(): void {
    if (this.#idle === this.#byKey.size) this.#startOver();
    else this.#sweepIdle();
    this.#idle = 0;
  }

  /** The key that has the slot; there must be one. */
  key(slot: number): K {
    // The slot has a key, by contract.
    return this.#keys[slot] as K;
  }

  state(slot: number): State {
    // Slots come from `claim`, so they are within the arrays; the bits hold nothing but a State.
    return ((this.#flags[slot] as number) & STATE_BITS) as State;
  }

  setState(slot: number, state: State): void {
    // Slots come from `claim`, so they are within the arrays.
    this.#setFlags(slot, ((this.#flags[slot] as number) & DELAYED_BIT) | state);
  }

  /** Whether a run is to come: QUEUED or PROCESSING_DIRTY. */
  isPending(slot: number): boolean {
    // Slots come from `claim`, so they are within the arrays.
    return ((this.#flags[slot] as number) & PENDING_BIT) !== 0;
  }

  /** A delayed slot is not idle, whatever its state. */
  setDelayed(slot: number, isDelayed: boolean): void {
    this.#setFlags(slot, this.state(slot) | (isDelayed ? DELAYED_BIT : 0));
  }

  /**
   * The number of the slot's latest queueing. It tells a turn in a ring, or an item in a worker's hands,
   * that holds from one that does no longer. No two queueings of the last 2^32 share one, whatever the slot.
   */
  turn(slot: number): number {
    // Slots come from `claim`, so they are within the arrays.
    return this.#turn[slot] as number;
  }

  nextTurn(slot: number): number {
    this.#turns = (this.#turns + 1) | 0;
    this.#turn[slot] = this.#turns;
    return this.#turns;
  }

  /** Of the run that is queued, or that comes next. */
  priority(slot: number): number {
    return this.#priority.get(slot);
  }

  setPriority(slot: number, priority: number): void {
    this.#priority.set(slot, priority);
  }

  /** When the pending run was first asked for; what ageing counts from. */
  since(slot: number): number {
    // Slots come from `claim`, so they are within the arrays.
    return this.#since[slot] as number;
  }

  setSince(slot: number, time: number): void {
    this.#since[slot] = time;
  }

  /** When a worker got it. */
  startedAt(slot: number): number {
    // Asked for slots that were run.
    return this.#startedAt[slot] as number;
  }

  setStartedAt(slot: number, time: number): void {
    if (slot >= this.#startedAt.length) this.#growStartedAt();
    this.#startedAt[slot] = time;
  }

  /** All slots in a worker's hands. O(slots): for people, not for a hot path. */
  *processing(): IterableIterator<number> {
    for (let slot = 0; slot < this.#used; slot++) {
      const state = this.state(slot);
      if (state === PROCESSING || state === PROCESSING_DIRTY) yield slot;
    }
  }

  #setFlags(slot: number, flags: number): void {
    const before = this.#flags[slot];
    this.#flags[slot] = flags;
    if (before === FREE) {
      if (flags !== FREE) this.#idle--;
    } else if (flags === FREE) this.#idle++;
  }

  /** Goes through the known keys and not through the slots, which may be many more after a burst. */
  #sweepIdle(): void {
    const live = new Map<K, number>();
    for (const [key, slot] of this.#byKey) {
      if (this.#flags[slot] === FREE) {
        this.#keys[slot] = undefined;
        this.#free.push(slot);
      } else live.set(key, slot);
    }
    this.#byKey = live;
  }

  #startOver(): void {
    // After a burst the arrays shrink by and by: a burst may come again, and fresh memory is dear.
    if (this.#capacity > MIN_CAPACITY && this.#used < this.#capacity / 4) this.#resize(this.#capacity / 2);
    this.#byKey = new Map();
    this.#keys = [];
    this.#free = [];
    this.#used = 0;
  }

  #grow(): void {
    this.#resize(this.#capacity * 2);
  }

  #growStartedAt(): void {
    const { length } = this.#startedAt;
    this.#startedAt = resized(this.#startedAt, new Float64Array(this.#capacity), length);
  }

  #resize(capacity: number): void {
    const kept = Math.min(capacity, this.#capacity);
    this.#capacity = capacity;
    this.#flags = resized(this.#flags, new Uint8Array(capacity), kept);
    this.#turn = resized(this.#turn, new Int32Array(capacity), kept);
    this.#priority.shrink(capacity);
    this.#since = resized(this.#since, new Float64Array(capacity), kept);
    if (capacity < this.#startedAt.length) this.#startedAt = this.#startedAt.slice(0, capacity);
  }
}

interface TypedArray<A> {
  set(from: A): void;
  subarray(begin: number, end: number): A;
}

function resized<A extends TypedArray<A>>(from: A, to: A, kept: number): A {
  to.set(from.subarray(0, kept));
  return to;
}
