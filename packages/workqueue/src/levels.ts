import { NONE, QUEUED, type Slots } from './slots.ts';
import { TurnRing } from './turn-ring.ts';

/** Empty levels are kept for reuse up to this many, then taken out. */
const MAX_EMPTY_LEVELS = 8;
/** A ring may hold this many turns that no longer hold, plus as many as hold, before it is tidied. */
const MAX_STALE = 64;

class Level {
  readonly priority: number;
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
 * of priority for each `ageingMs` that it waits. Every key gains at the same rate, so the order of two
 * keys never changes once both wait, and only the heads of the levels need comparing. A key p points
 * below the rest waits at most p * ageingMs behind a flood, and never starves.
 *
 * append, remove: O(1) amortised. next: O(levels in use), which is one or two for most queues.
 */
export class Levels<K, R> {
  readonly #slots: Slots<K, R>;
  readonly #ageingMs: number;
  /** Highest priority first. */
  #levels: Level[] = [];
  #last: Level | undefined = undefined;
  #length = 0;

  constructor(slots: Slots<K, R>, ageingMs: number) {
    this.#slots = slots;
    this.#ageingMs = ageingMs;
  }

  get length(): number {
    return this.#length;
  }

  append(slot: number, priority: number): void {
    const level = this.#level(priority);
    level.turns.push(slot, this.#slots.nextTurn(slot));
    level.live++;
    this.#length++;
  }

  /** Moves a queued slot to the end of another level. Its turn in the old one holds no longer. */
  move(slot: number, from: number, to: number): void {
    const level = this.#level(from);
    level.live--;
    this.#length--;
    this.append(slot, to);
    if (level.turns.length > level.live * 2 + MAX_STALE) {
      level.turns.filter((other, turn) => this.#holds(other, turn));
    }
  }

  /** Takes out the slot whose turn it is; NONE when there is none. */
  next(): number {
    if (this.#length === 0) return NONE;
    const level = this.#levels.length === 1 ? this.#levels[0] : this.#ripest();
    if (level === undefined) return NONE;
    const slot = this.#head(level);
    level.turns.shift();
    level.live--;
    this.#length--;
    return slot;
  }

  /** Highest priority first, oldest first within one. */
  *[Symbol.iterator](): IterableIterator<number> {
    for (const level of this.#levels) {
      for (const [slot, turn] of level.turns.entries()) if (this.#holds(slot, turn)) yield slot;
    }
  }

  #holds(slot: number, turn: number): boolean {
    return this.#slots.turn(slot) === turn && this.#slots.state(slot) === QUEUED;
  }

  /** The first slot of the level whose turn holds; NONE when there is none. */
  #head(level: Level): number {
    for (;;) {
      const slot = level.turns.peekSlot();
      if (slot === NONE || this.#holds(slot, level.turns.peekNumber())) return slot;
      level.turns.shift();
    }
  }

  #ripest(): Level | undefined {
    let ripest: Level | undefined;
    let ripestSince = 0;
    for (const level of this.#levels) {
      if (level.live === 0) continue;
      const since = this.#slots.since(this.#head(level));
      // Levels come highest first, so this one is lower than the ripest so far: its head must have waited
      // that much longer. Without ageing the handicap is infinite, and the higher level always wins.
      if (ripest === undefined || since + (ripest.priority - level.priority) * this.#ageingMs < ripestSince) {
        ripest = level;
        ripestSince = since;
      }
    }
    return ripest;
  }

  #level(priority: number): Level {
    const last = this.#last;
    if (last !== undefined && last.priority === priority) return last;
    const level = this.#levels.find((candidate) => candidate.priority === priority) ?? this.#insert(priority);
    this.#last = level;
    return level;
  }

  #insert(priority: number): Level {
    const used = this.#levels.filter((level) => level.live > 0);
    if (this.#levels.length - used.length > MAX_EMPTY_LEVELS) this.#levels = used;
    const level = new Level(priority);
    const below = this.#levels.findIndex((other) => other.priority < priority);
    this.#levels.splice(below === -1 ? this.#levels.length : below, 0, level);
    return level;
  }
}
