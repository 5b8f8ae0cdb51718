import { ReasonLog, type Reasons } from './reasons.ts';

/** Where a key stands. */
export const IDLE = 0;
export const QUEUED = 1;
export const PROCESSING = 2;
/** Added again while a worker has it: exactly one more run follows, however many adds there were. */
export const PROCESSING_DIRTY = 3;

export type State = typeof IDLE | typeof QUEUED | typeof PROCESSING | typeof PROCESSING_DIRTY;

/** No slot, or no place in a heap. */
export const NONE = -1;

const MIN_CAPACITY = 64;
/** Idle slots are swept out when there are more than this, and more than half of all. */
const MAX_IDLE = 1024;

/**
 * One numbered slot for each key that the queue knows, its fields in parallel typed arrays.
 *
 * The shape is there for speed: an object a key makes the garbage collector copy and trace every queued
 * key, which costs more than the queue itself, while these arrays hold nothing for it to trace. For the
 * same reason a key that becomes idle keeps its slot, and idle ones are swept out together: deleting
 * from a Map one by one costs as much as all the rest of add, get and done.
 * `npm run bench -- workqueue` shows both.
 *
 * find: O(1); claim, release: O(1) amortised.
 */
export class Slots<K, R> {
  #byKey = new Map<K, number>();
  #keys: (K | undefined)[] = [];
  #reasons: (ReasonLog<R> | undefined)[] = [];
  #delayReasons: (ReasonLog<R> | undefined)[] = [];
  /** Slots below `#used` that no key has. */
  #free: number[] = [];
  #used = 0;
  /** Known keys that are neither queued, nor processing, nor delayed. */
  #idle = 0;

  #capacity = MIN_CAPACITY;
  #state = new Uint8Array(MIN_CAPACITY);
  #turn = new Int32Array(MIN_CAPACITY);
  #priority = new Float64Array(MIN_CAPACITY);
  #since = new Float64Array(MIN_CAPACITY);
  #startedAt = new Float64Array(MIN_CAPACITY);
  /** The fields of delayed adds grow on their own: a queue that delays nothing does not pay for them. */
  #delayCapacity = 0;
  #heapIndex = new Int32Array(0);
  #delayPriority = new Float64Array(0);
  #isRetry = new Uint8Array(0);
  #hasReasons = false;

  /** The key's slot, or NONE. */
  find(key: K): number {
    return this.#byKey.get(key) ?? NONE;
  }

  /** The key's slot; an idle one if the key was not known. */
  claim(key: K): number {
    return this.#byKey.get(key) ?? this.#claimNew(key);
  }

  #claimNew(key: K): number {
    if (this.#idle > MAX_IDLE && this.#idle > this.#byKey.size / 2) this.#sweep();
    const slot = this.#free.pop() ?? this.#used++;
    if (slot >= this.#capacity) this.#grow();
    this.#byKey.set(key, slot);
    this.#keys[slot] = key;
    this.#state[slot] = IDLE;
    if (slot < this.#delayCapacity) this.#heapIndex[slot] = NONE;
    this.#idle++;
    return slot;
  }

  key(slot: number): K {
    // A slot is only ever asked for while a key has it.
    return this.#keys[slot] as K;
  }

  state(slot: number): State {
    return this.#state[slot] as State;
  }

  setState(slot: number, state: State): void {
    const before = this.#state[slot];
    this.#state[slot] = state;
    if (this.heapIndex(slot) !== NONE) return;
    if (before === IDLE && state !== IDLE) this.#idle--;
    else if (before !== IDLE && state === IDLE) this.#idle++;
  }

  /** Where the slot is in the heap of delays; NONE when its key is not delayed. */
  heapIndex(slot: number): number {
    return slot < this.#delayCapacity ? (this.#heapIndex[slot] as number) : NONE;
  }

  setHeapIndex(slot: number, index: number): void {
    this.#heapIndex[slot] = index;
  }

  /** As `setHeapIndex`, when the slot enters the heap or leaves it. */
  setDelayed(slot: number, index: number): void {
    if (slot >= this.#delayCapacity) this.#growDelays();
    this.#heapIndex[slot] = index;
    if (this.#state[slot] === IDLE) this.#idle += index === NONE ? 1 : -1;
  }

  /**
   * The number of the slot's latest queueing. It tells a turn in a ring, or an item in a worker's hands,
   * that holds from one that does no longer. It goes on when another key gets the slot.
   */
  turn(slot: number): number {
    return this.#turn[slot] as number;
  }

  nextTurn(slot: number): number {
    const turn = ((this.#turn[slot] as number) + 1) | 0;
    this.#turn[slot] = turn;
    return turn;
  }

  /** Of the run that is queued, or that comes next. */
  priority(slot: number): number {
    return this.#priority[slot] as number;
  }

  setPriority(slot: number, priority: number): void {
    this.#priority[slot] = priority;
  }

  /** When the pending run was first asked for; what ageing counts from. */
  since(slot: number): number {
    return this.#since[slot] as number;
  }

  setSince(slot: number, time: number): void {
    this.#since[slot] = time;
  }

  /** When a worker got it. */
  startedAt(slot: number): number {
    return this.#startedAt[slot] as number;
  }

  setStartedAt(slot: number, time: number): void {
    this.#startedAt[slot] = time;
  }

  delayPriority(slot: number): number {
    return this.#delayPriority[slot] as number;
  }

  setDelayPriority(slot: number, priority: number): void {
    this.#delayPriority[slot] = priority;
  }

  /** Whether the pending delay was made by a failure: a further failure is then not counted again. */
  isRetry(slot: number): boolean {
    return this.#isRetry[slot] === 1;
  }

  setIsRetry(slot: number, isRetry: boolean): void {
    this.#isRetry[slot] = isRetry ? 1 : 0;
  }

  reasons(slot: number): Reasons<R> | undefined {
    return this.#reasons[slot];
  }

  takeReasons(slot: number): Reasons<R> | undefined {
    if (!this.#hasReasons) return undefined;
    const reasons = this.#reasons[slot];
    if (reasons !== undefined) this.#reasons[slot] = undefined;
    return reasons;
  }

  addReason(slot: number, reason: R): void {
    this.#hasReasons = true;
    logAt(this.#reasons, slot).add(reason);
  }

  addDelayReason(slot: number, reason: R): void {
    this.#hasReasons = true;
    logAt(this.#delayReasons, slot).add(reason);
  }

  /** The delay is over: its reasons become those of the queued run. */
  mergeDelayReasons(slot: number): void {
    if (!this.#hasReasons) return;
    const reasons = this.#delayReasons[slot];
    if (reasons === undefined) return;
    this.#delayReasons[slot] = undefined;
    logAt(this.#reasons, slot).addAll(reasons);
  }

  dropDelayReasons(slot: number): void {
    if (this.#hasReasons && this.#delayReasons[slot] !== undefined) this.#delayReasons[slot] = undefined;
  }

  /** All slots in a worker's hands. O(slots): for people, not for a hot path. */
  *processing(): IterableIterator<number> {
    for (let slot = 0; slot < this.#used; slot++) {
      if (this.#state[slot] === PROCESSING || this.#state[slot] === PROCESSING_DIRTY) yield slot;
    }
  }

  #sweep(): void {
    const isAllIdle = this.#idle === this.#byKey.size;
    const live = new Map<K, number>();
    this.#free = [];
    if (isAllIdle) {
      this.#used = 0;
      this.#keys = [];
      this.#reasons = [];
      this.#delayReasons = [];
    } else {
      for (let slot = 0; slot < this.#used; slot++) {
        if (this.#state[slot] === IDLE && this.heapIndex(slot) === NONE) {
          this.#keys[slot] = undefined;
          this.#free.push(slot);
        } else live.set(this.key(slot), slot);
      }
    }
    this.#byKey = live;
    this.#idle = 0;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#state = grown(this.#state, new Uint8Array(this.#capacity));
    this.#turn = grown(this.#turn, new Int32Array(this.#capacity));
    this.#priority = grown(this.#priority, new Float64Array(this.#capacity));
    this.#since = grown(this.#since, new Float64Array(this.#capacity));
    this.#startedAt = grown(this.#startedAt, new Float64Array(this.#capacity));
  }

  #growDelays(): void {
    const before = this.#delayCapacity;
    this.#delayCapacity = this.#capacity;
    this.#heapIndex = grown(this.#heapIndex, new Int32Array(this.#capacity));
    this.#heapIndex.fill(NONE, before);
    this.#delayPriority = grown(this.#delayPriority, new Float64Array(this.#capacity));
    this.#isRetry = grown(this.#isRetry, new Uint8Array(this.#capacity));
  }
}

function grown<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from);
  return to;
}

function logAt<R>(logs: (ReasonLog<R> | undefined)[], slot: number): ReasonLog<R> {
  let log = logs[slot];
  if (log === undefined) {
    log = new ReasonLog<R>();
    logs[slot] = log;
  }
  return log;
}
