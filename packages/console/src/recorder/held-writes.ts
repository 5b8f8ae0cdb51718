import { RingBuffer } from '@windlass/base';
import { objectSize } from './object-size.ts';
import type { WriteNote } from './write-note.ts';

/** The last so many writes keep their objects, and of these only the ones that are not large: 32 MB at most. */
const MAX_WITH_OBJECTS = 500;
const LARGE_BYTES = 64 * 1024;
/** So much is kept of those that have settled. */
const MAX_SETTLED_BYTES = 16 * 1024 * 1024;

/** What it costs to compare two objects, in what the recorder counts: see `HEARD_A_TURN`. */
const SETTLE_WEIGHT = 10;
const LARGE_WEIGHT = 1000;

/**
 * Bounds what writes keep alive, whatever their objects are: an operator that is watched must not run out of memory.
 * Adding is O(1) but for the comparisons that it makes.
 */
export class HeldWrites {
  readonly #withObjects = new RingBuffer<WriteNote>();
  readonly #settled = new RingBuffer<{ readonly note: WriteNote; readonly bytes: number }>();
  #bytes = 0;

  /** A write was answered. @returns how much work that was */
  add(note: WriteNote): number {
    const { before, after } = note.objects;
    if (before === undefined && after === undefined) return 0;
    const size = objectSize(before, LARGE_BYTES) + objectSize(after, LARGE_BYTES);
    if (size >= LARGE_BYTES) {
      this.#settle(note);
      return LARGE_WEIGHT;
    }
    this.#withObjects.push(note);
    if (this.#withObjects.length <= MAX_WITH_OBJECTS) return 0;
    const oldest = this.#withObjects.shift();
    if (oldest !== undefined) this.#settle(oldest);
    return SETTLE_WEIGHT;
  }

  #settle(note: WriteNote): void {
    const bytes = note.settle();
    if (bytes === 0) return;
    this.#settled.push({ note, bytes });
    this.#bytes += bytes;
    while (this.#bytes > MAX_SETTLED_BYTES) {
      const oldest = this.#settled.shift();
      if (oldest === undefined) return;
      oldest.note.forget();
      this.#bytes -= oldest.bytes;
    }
  }
}
