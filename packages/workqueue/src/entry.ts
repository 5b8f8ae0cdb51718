import { ReasonLog, type Reasons } from './reasons.ts';

/** Where a key stands. Not in the queue's map at all means idle. */
export const QUEUED = 1;
export const PROCESSING = 2;
/** Added again while a worker has it: exactly one more run follows, however many adds there were. */
export const PROCESSING_DIRTY = 3;

/**
 * One key on its way. It is in exactly one list: its level's while QUEUED, the processing list
 * otherwise, so one pair of links serves both. One object a key, with no sets beside it, is what makes
 * add, get and done cheap (`npm run bench -- workqueue`).
 */
export class Entry<K, R> {
  readonly key: K;
  state: typeof QUEUED | typeof PROCESSING | typeof PROCESSING_DIRTY = QUEUED;
  /** Of the run that is queued, or that comes next. */
  priority: number;
  /** When the pending run was first asked for. */
  queuedAt: number;
  /** When it joined its level, which is what ageing counts from. */
  levelSince: number;
  /** When a worker got it. */
  startedAt = 0;
  reasons: ReasonLog<R> | undefined = undefined;
  previous: Entry<K, R> | undefined = undefined;
  next: Entry<K, R> | undefined = undefined;

  constructor(key: K, priority: number, now: number) {
    this.key = key;
    this.priority = priority;
    this.queuedAt = now;
    this.levelSince = now;
  }

  addReasons(reasons: Reasons<R> | undefined): void {
    if (reasons === undefined || reasons.kept.length + reasons.dropped === 0) return;
    this.reasons ??= new ReasonLog<R>();
    this.reasons.addAll(reasons);
  }

  addReason(reason: R): void {
    this.reasons ??= new ReasonLog<R>();
    this.reasons.add(reason);
  }
}

/** A first-in first-out list that links the entries themselves. append, shift, remove: O(1). */
export class EntryList<K, R> {
  #head: Entry<K, R> | undefined = undefined;
  #tail: Entry<K, R> | undefined = undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get head(): Entry<K, R> | undefined {
    return this.#head;
  }

  append(entry: Entry<K, R>): void {
    const tail = this.#tail;
    if (tail === undefined) this.#head = entry;
    else {
      tail.next = entry;
      entry.previous = tail;
    }
    this.#tail = entry;
    this.#length++;
  }

  remove(entry: Entry<K, R>): void {
    const { previous, next } = entry;
    if (previous === undefined) this.#head = next;
    else previous.next = next;
    if (next === undefined) this.#tail = previous;
    else next.previous = previous;
    // Else a long-gone neighbour would keep a chain of entries alive.
    entry.previous = undefined;
    entry.next = undefined;
    this.#length--;
  }

  *[Symbol.iterator](): IterableIterator<Entry<K, R>> {
    for (let entry = this.#head; entry !== undefined; entry = entry.next) yield entry;
  }
}
