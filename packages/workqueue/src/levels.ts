import { Heap, type HeapItem } from '@windlass/base';
import { NONE, type Slots } from './slots.ts';
import { TurnRing } from './turn-ring.ts';

/** Empty levels are kept for reuse up to this many, and up to twice as many as are in use. */
const MAX_EMPTY_LEVELS = 8;
/** A ring may hold this many turns that no longer hold, plus as many as hold, before it is tidied. */
const MAX_STALE = 64;

class Level implements HeapItem {
  heapIndex = -1;
  readonly priority: number;
  /** The oldest one holds; of those behind it some may not. Empty when none holds. */
  readonly turns = new TurnRing();
  /** How many of the turns hold. */
  live = 0;

  constructor(priority: number) {
    this.priority = priority;
  }
}

/**
 * The queued slots: one first-come-first-served ring for each priority in use.
 *
 * The next slot is the head of the highest level, except that waiting counts too: a key gains one point
 * of priority for each `ageingMs` that it waits. Every key gains at the same rate, so who of two heads
 * goes first does not change while they wait, and a heap of the levels needs no other care than theirs.
 *
 * The bound: once a key stands in its level, no key of a level p points above it that was asked for more
 * than p * ageingMs later goes before it. So it never starves behind a flood, however long the flood.
 *
 * append, next, move: O(log levels in use) amortised, and one or two are in use in most queues.
 */
export class Levels<K> {
  readonly #slots: Slots<K>;
  readonly #ageingMs: number;
  readonly #byPriority = new Map<number, Level>();
  /** The levels in use. */
  readonly #ripest: Heap<Level>;
  #last: Level | undefined = undefined;
  #length = 0;

  constructor(slots: Slots<K>, ageingMs: number) {
    this.#slots = slots;
    this.#ageingMs = ageingMs;
    this.#ripest = new Heap((a, b) => this.#goesBefore(a, b));
  }

  get length(): number {
    return this.#length;
  }

  append(slot: number, priority: number): void {
    const level = this.#level(priority);
    level.turns.push(slot, this.#slots.nextTurn(slot));
    this.#length++;
    level.live++;
    if (level.live === 1) this.#ripest.push(level);
  }

  /** Moves a queued slot to the end of another level. Its turn in the old one holds no longer. */
  move(slot: number, from: number, to: number): void {
    const level = this.#level(from);
    this.#leave(level);
    this.append(slot, to);
    if (level.live === 0) return;
    if (level.turns.length > level.live * 2 + MAX_STALE)
      level.turns.filter((other, turn) => this.#slots.turn(other) === turn);
    this.#renewHead(level);
  }

  /** Takes out the slot whose turn it is; NONE when there is none. */
  next(): number {
    const level = this.#ripest.peek();
    if (level === undefined) return NONE;
    const slot = level.turns.peekSlot();
    level.turns.shift();
    this.#leave(level);
    if (level.live > 0) this.#renewHead(level);
    return slot;
  }

  /** Highest priority first, oldest first within one. */
  *[Symbol.iterator](): IterableIterator<number> {
    for (const level of [...this.#ripest].sort((a, b) => b.priority - a.priority)) {
      for (const [slot, turn] of level.turns.entries()) if (this.#slots.turn(slot) === turn) yield slot;
    }
  }

  #leave(level: Level): void {
    this.#length--;
    level.live--;
    if (level.live > 0) return;
    this.#ripest.remove(level);
    level.turns.clear();
  }

  /** The head has gone: makes the first turn that holds the head. */
  #renewHead(level: Level): void {
    const { turns } = level;
    // A slot that has left the queue leaves no turn here, so a number that is the slot's latest holds.
    while (turns.length > level.live && this.#slots.turn(turns.peekSlot()) !== turns.peekNumber())
      turns.shift();
    if (this.#ripest.size > 1) this.#ripest.update(level);
  }

  #goesBefore(a: Level, b: Level): boolean {
    const sinceA = this.#slots.since(a.turns.peekSlot());
    const sinceB = this.#slots.since(b.turns.peekSlot());
    // The lower one must have waited longer by a handicap. Without ageing that is infinite.
    return a.priority > b.priority
      ? sinceA <= sinceB + (a.priority - b.priority) * this.#ageingMs
      : sinceA + (b.priority - a.priority) * this.#ageingMs < sinceB;
  }

  #level(priority: number): Level {
    const last = this.#last;
    if (last !== undefined && last.priority === priority) return last;
    const level = this.#byPriority.get(priority) ?? this.#insert(priority);
    this.#last = level;
    return level;
  }

  #insert(priority: number): Level {
    if (this.#byPriority.size > this.#ripest.size * 3 + MAX_EMPTY_LEVELS) this.#dropEmpty();
    const level = new Level(priority);
    this.#byPriority.set(priority, level);
    return level;
  }

  #dropEmpty(): void {
    for (const [priority, level] of this.#byPriority) if (level.live === 0) this.#byPriority.delete(priority);
  }
}
