import type { RunSummary } from '../../src/protocol.ts';

/** Nobody reads further back in a stream; one key's runs are asked for by themselves. */
const KEPT = 1000;

export interface RunFilter {
  /** In the controller's name, the key, the reason or the error; without regard to case. */
  readonly text: string;
  readonly onlyErrors: boolean;
}

/** The runs that ended last. */
export class RunsModel {
  /** The oldest first. */
  #runs: RunSummary[] = [];
  #lastId = 0;

  /** What the stream is to continue after. */
  get lastId(): number {
    return this.#lastId;
  }

  get size(): number {
    return this.#runs.length;
  }

  add(runs: readonly RunSummary[]): void {
    // After a lost connection the server may tell some again.
    const fresh = runs.filter(({ id }) => id > this.#lastId).sort((a, b) => a.id - b.id);
    this.#lastId = fresh.at(-1)?.id ?? this.#lastId;
    this.#runs = [...this.#runs, ...fresh].slice(-KEPT);
  }

  reset(): void {
    this.#runs = [];
    this.#lastId = 0;
  }

  /** The newest run of a key; zero when none of those that are kept is of it. */
  lastIdOf(controller: string, key: string): number {
    return this.#runs.findLast((run) => run.key === key && run.controller === controller)?.id ?? 0;
  }

  /** At most `limit`, the newest first. */
  newest(filter: RunFilter, limit: number): RunSummary[] {
    const text = filter.text.toLowerCase();
    const found: RunSummary[] = [];
    for (let at = this.#runs.length - 1; at >= 0 && found.length < limit; at--) {
      const run = this.#runs[at];
      if (run !== undefined && matches(run, text, filter.onlyErrors)) found.push(run);
    }
    return found;
  }
}

function matches(run: RunSummary, text: string, onlyErrors: boolean): boolean {
  if (onlyErrors && run.error === undefined) return false;
  if (text === '') return true;
  return [run.controller, run.key, run.reason, run.error ?? ''].some((part) =>
    part.toLowerCase().includes(text),
  );
}
