import type { CacheRead } from '@windlass/runtime';
import type { WriteDetail } from '../protocol.ts';
import type { WriteNote } from './write-note.ts';

/** Of each so many are kept. */
const MAX_READS = 40;
const MAX_WRITES = 40;

/** What one run did, as it does it. */
export class RunNotes {
  readonly #reads = new Map<string, number>();
  readonly writes: WriteNote[] = [];
  #writeCount = 0;

  get writeCount(): number {
    return this.#writeCount;
  }

  read({ kind, key, count }: CacheRead): void {
    const what =
      key === undefined ? `${kind}: ${count} listed` : `${kind} ${key}${count === 0 ? ': none' : ''}`;
    const times = this.#reads.get(what);
    if (times !== undefined || this.#reads.size < MAX_READS) this.#reads.set(what, (times ?? 0) + 1);
  }

  /** @returns whether it is kept */
  wrote(note: WriteNote): boolean {
    this.#writeCount++;
    if (this.writes.length >= MAX_WRITES) return false;
    this.writes.push(note);
    return true;
  }

  /** The versions that its writes made. */
  get versions(): string[] {
    return this.writes.flatMap(({ version }) => version ?? []);
  }

  reads(): string[] {
    return Array.from(this.#reads, ([what, times]) => (times === 1 ? what : `${what} (${times} times)`));
  }

  details(): WriteDetail[] {
    return this.writes.map((note) => note.detail());
  }
}
