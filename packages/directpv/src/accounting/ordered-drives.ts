import type { Cached } from '@windlass/apimachinery';
import type { DirectPVDrive } from '../resources/index.ts';

/** A drive in an index. `free` and `name` are what it is ordered by: they stay while it is in one. */
export interface IndexedDrive {
  readonly name: string;
  readonly drive: Cached<DirectPVDrive>;
  readonly free: number;
}

/**
 * Drives, the one with the most free bytes first, those with as many by name. Adding and removing is a binary search
 * and a move of memory: a few microseconds with ten thousand drives.
 */
export class OrderedDrives {
  /** What its drives have in common. */
  readonly term: string;
  readonly #drives: IndexedDrive[] = [];

  constructor(term: string) {
    this.term = term;
  }

  get size(): number {
    return this.#drives.length;
  }

  at(position: number): IndexedDrive | undefined {
    return this.#drives[position];
  }

  add(drive: IndexedDrive): void {
    this.#drives.splice(this.#position(drive), 0, drive);
  }

  remove(drive: IndexedDrive): void {
    const position = this.#position(drive);
    // Two states of one drive may stand beside each other for a moment.
    const offset = this.#drives[position] === drive ? 0 : 1;
    if (this.#drives[position + offset] === drive) this.#drives.splice(position + offset, 1);
  }

  /** One past the last drive that has at least as many free bytes as `free`. */
  endOf(free: number): number {
    let [low, high] = [0, this.#drives.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#drives[middle];
      if (found !== undefined && found.free >= free) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  [Symbol.iterator](): ArrayIterator<IndexedDrive> {
    return this.#drives[Symbol.iterator]();
  }

  /** Where the drive is, or would be. */
  #position(drive: IndexedDrive): number {
    let [low, high] = [0, this.#drives.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#drives[middle];
      if (found !== undefined && comesBefore(found, drive)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function comesBefore(a: IndexedDrive, b: IndexedDrive): boolean {
  return a.free === b.free ? a.name < b.name : a.free > b.free;
}
