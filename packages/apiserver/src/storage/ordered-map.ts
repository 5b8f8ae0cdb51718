import { appendAll } from '@windlass/base';

/** What has a key that never changes. */
export interface Keyed {
  readonly key: string;
}

const MAX_CHUNK = 512;

/** Where the first key is that is not before the one looked for. */
interface Position {
  readonly chunk: number;
  readonly index: number;
}

/**
 * Items by key, and in the order of their keys: a hash map beside a sorted array in chunks of up to 512.
 * A chunk is small enough to insert into by moving memory, and long enough that scanning it is what
 * scanning an array is.
 *
 * get: O(1). set of a key that is there, set of a new one, delete: O(log n) comparisons, and moving half a
 * chunk. slice: O(log n + items). count: O(log n + chunks).
 */
export class OrderedMap<T extends Keyed> {
  readonly #byKey = new Map<string, T>();
  // No chunk is empty; keys rise within each chunk and from one chunk to the next.
  readonly #chunks: T[][] = [];

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  set(item: T): void {
    const isNew = !this.#byKey.has(item.key);
    this.#byKey.set(item.key, item);
    const { chunk: at, index } = this.#find(item.key);
    const chunk = this.#chunks[at] ?? this.#chunks.at(-1);
    if (chunk === undefined) this.#chunks.push([item]);
    else if (!isNew) chunk[index] = item;
    else {
      // Past the last chunk means at its end.
      chunk.splice(at === this.#chunks.length ? chunk.length : index, 0, item);
      if (chunk.length > MAX_CHUNK) this.#split(Math.min(at, this.#chunks.length - 1), chunk);
    }
  }

  delete(key: string): void {
    if (!this.#byKey.delete(key)) return;
    const { chunk: at, index } = this.#find(key);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    chunk.splice(index, 1);
    const next = this.#chunks[at + 1];
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    else if (next !== undefined && chunk.length + next.length <= MAX_CHUNK / 2) {
      // Without this, deleting most of a large map would leave a chunk for each of the rest.
      appendAll(chunk, next);
      this.#chunks.splice(at + 1, 1);
    }
  }

  /** What lies in [from, until), in order, at most `limit` of it. No `until` means to the end. */
  slice(from: string, until: string | undefined, limit = Number.POSITIVE_INFINITY): T[] {
    if (until !== undefined && from >= until) return [];
    const start = this.#find(from);
    const end = this.#findEnd(until);
    const items: T[] = [];
    for (let at = start.chunk; at <= end.chunk && items.length < limit; at++) {
      const chunk = this.#chunks[at];
      if (chunk === undefined) break;
      const first = at === start.chunk ? start.index : 0;
      const last = at === end.chunk ? end.index : chunk.length;
      const stop = Math.min(last, first + limit - items.length);
      for (let index = first; index < stop; index++) {
        const item = chunk[index];
        if (item !== undefined) items.push(item);
      }
    }
    return items;
  }

  /** How many lie in [from, until). */
  count(from: string, until: string | undefined): number {
    if (until !== undefined && from >= until) return 0;
    const start = this.#find(from);
    const end = this.#findEnd(until);
    let count = end.index - start.index;
    for (let at = start.chunk; at < end.chunk; at++) count += this.#chunks[at]?.length ?? 0;
    return count;
  }

  clear(): void {
    this.#byKey.clear();
    this.#chunks.length = 0;
  }

  /** Fills an empty map. The items' keys are distinct; their order does not matter. */
  load(items: T[]): void {
    items.sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const item of items) this.#byKey.set(item.key, item);
    // Three quarters full, so that the first inserts do not split every chunk.
    const length = (MAX_CHUNK * 3) / 4;
    for (let at = 0; at < items.length; at += length) this.#chunks.push(items.slice(at, at + length));
  }

  #findEnd(until: string | undefined): Position {
    return until === undefined ? { chunk: this.#chunks.length, index: 0 } : this.#find(until);
  }

  #find(key: string): Position {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(chunks[middle]?.at(-1), key)) low = middle + 1;
      else high = middle;
    }
    const chunk = chunks[low];
    let first = 0;
    let last = chunk?.length ?? 0;
    while (first < last) {
      const middle = (first + last) >>> 1;
      if (isBefore(chunk?.[middle], key)) first = middle + 1;
      else last = middle;
    }
    return { chunk: low, index: first };
  }

  #split(at: number, chunk: T[]): void {
    // Keys often come in rising order; then the left part stays as it is, and is left nearly full.
    const isLast = at === this.#chunks.length - 1;
    this.#chunks.splice(at + 1, 0, chunk.splice(isLast ? (MAX_CHUNK * 7) / 8 : MAX_CHUNK / 2));
  }
}

function isBefore(item: Keyed | undefined, key: string): boolean {
  return item !== undefined && item.key < key;
}

/** The first string after every string that begins with `prefix`; undefined when there is none. */
export function prefixEnd(prefix: string): string | undefined {
  for (let length = prefix.length; length > 0; length--) {
    const last = prefix.charCodeAt(length - 1);
    if (last < 0xffff) return prefix.slice(0, length - 1) + String.fromCharCode(last + 1);
  }
  return undefined;
}
