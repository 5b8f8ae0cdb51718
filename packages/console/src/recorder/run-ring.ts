import type { RunSummary } from '../protocol.ts';
import type { RunNotes } from './run-notes.ts';

export interface RecordedRun {
  readonly summary: RunSummary;
  readonly reasons: () => readonly string[];
  /** Whether one of its reasons is a change of the object. */
  readonly mentions: (resource: string, key: string) => boolean;
  /** Undefined when nobody looked while it ran. */
  readonly notes: RunNotes | undefined;
}

/** The last runs, in the order in which they ended. Adding is O(1), and nothing is moved. */
export class RunRing {
  readonly #capacity: number;
  readonly #runs: RecordedRun[] = [];
  /** Runs that were ever added: the id of the next one. */
  #count = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The id that the next run gets. */
  get next(): number {
    return this.#count;
  }

  add(run: RecordedRun): void {
    this.#runs[this.#count++ % this.#capacity] = run;
  }

  /** Those from `id` on that are still there, at most the last `limit` of them; the oldest first. */
  since(id: number, limit: number): RecordedRun[] {
    const first = Math.max(id, this.#count - this.#runs.length, this.#count - limit, 0);
    const runs: RecordedRun[] = [];
    for (let at = first; at < this.#count; at++) {
      const run = this.#runs[at % this.#capacity];
      if (run !== undefined) runs.push(run);
    }
    return runs;
  }

  /** The newest first, for as long as it is read. */
  *newest(): IterableIterator<RecordedRun> {
    for (let at = this.#count - 1; at >= 0 && at >= this.#count - this.#runs.length; at--) {
      const run = this.#runs[at % this.#capacity];
      if (run !== undefined) yield run;
    }
  }
}
