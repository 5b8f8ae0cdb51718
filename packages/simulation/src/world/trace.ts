import type { ApiRequest } from '@windlass/apimachinery';
import type { JournalEntry } from '../journal-entry.ts';

/** One thing that happened, for people who look at a run. */
export interface TraceEntry {
  readonly atMs: number;
  readonly type: 'process' | 'fault' | 'arrives' | 'answer' | 'write' | 'run' | 'result' | 'phase';
  readonly process: string;
  readonly text: string;
  readonly request?: ApiRequest;
  readonly entry?: JournalEntry;
}

/** Says how long a run has lasted. */
export interface Elapsed {
  readonly elapsedMs: number;
}

/** What happened in a run. Kept only when somebody will look: most runs are not looked at. */
export class Trace {
  readonly entries: TraceEntry[] = [];
  readonly #time: Elapsed;
  isOn = false;

  constructor(time: Elapsed) {
    this.#time = time;
  }

  add(entry: Omit<TraceEntry, 'atMs'>): void {
    if (this.isOn) this.entries.push({ atMs: this.#time.elapsedMs, ...entry });
  }
}
