import { type Entry, EntryList } from './entry.ts';

/** Empty levels are kept for reuse up to this many, then taken out. */
const MAX_EMPTY_LEVELS = 8;

interface Level<K, R> {
  readonly priority: number;
  readonly entries: EntryList<K, R>;
}

/**
 * The queued keys: one first-come-first-served list for each priority in use.
 *
 * The next key is the head of the highest level, except that waiting counts too: a key gains one point
 * of priority for each `ageingMs` that it waits. Every key gains at the same rate, so the order of two
 * keys never changes once both wait, and only the heads of the levels need comparing. A key p points
 * below the rest waits at most p * ageingMs behind a flood, and never starves.
 *
 * append, remove: O(1). next: O(levels in use), which is one or two for most queues.
 */
export class Levels<K, R> {
  readonly #ageingMs: number;
  /** Highest priority first. */
  readonly #levels: Level<K, R>[] = [];
  #last: Level<K, R> | undefined = undefined;
  #length = 0;

  constructor(ageingMs: number) {
    this.#ageingMs = ageingMs;
  }

  get length(): number {
    return this.#length;
  }

  append(entry: Entry<K, R>): void {
    this.#level(entry.priority).entries.append(entry);
    this.#length++;
  }

  remove(entry: Entry<K, R>): void {
    this.#level(entry.priority).entries.remove(entry);
    this.#length--;
  }

  /** Takes out the entry whose turn it is. */
  next(): Entry<K, R> | undefined {
    if (this.#length === 0) return undefined;
    const level = this.#levels.length === 1 ? this.#levels[0] : this.#ripest();
    const entry = level?.entries.head;
    if (level === undefined || entry === undefined) return undefined;
    level.entries.remove(entry);
    this.#length--;
    return entry;
  }

  /** Highest priority first, oldest first within one. */
  *[Symbol.iterator](): IterableIterator<Entry<K, R>> {
    for (const level of this.#levels) yield* level.entries;
  }

  #ripest(): Level<K, R> | undefined {
    let ripest: Level<K, R> | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const level of this.#levels) {
      const head = level.entries.head;
      if (head === undefined) continue;
      if (ripest === undefined) {
        ripest = level;
        since = head.levelSince;
        continue;
      }
      // The level is lower than the ripest so far: its head must have waited that much longer. Without
      // ageing the difference is infinite, and the higher level always wins.
      const handicap = (ripest.priority - level.priority) * this.#ageingMs;
      if (head.levelSince + handicap < since) {
        ripest = level;
        since = head.levelSince;
      }
    }
    return ripest;
  }

  #level(priority: number): Level<K, R> {
    if (this.#last?.priority === priority) return this.#last;
    let index = 0;
    while (index < this.#levels.length && (this.#levels[index] as Level<K, R>).priority > priority) index++;
    let level = this.#levels[index];
    if (level?.priority !== priority) {
      this.#dropEmptyLevels();
      level = { priority, entries: new EntryList() };
      const at = this.#levels.findIndex((other) => other.priority < priority);
      this.#levels.splice(at === -1 ? this.#levels.length : at, 0, level);
    }
    this.#last = level;
    return level;
  }

  #dropEmptyLevels(): void {
    const empty = this.#levels.filter((level) => level.entries.length === 0);
    if (empty.length <= MAX_EMPTY_LEVELS) return;
    const used = this.#levels.filter((level) => level.entries.length > 0);
    this.#levels.splice(0, this.#levels.length, ...used);
  }
}
