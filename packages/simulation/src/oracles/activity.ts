import { type Manager, type Reason, type ReconcileReport, reasonText } from '@windlass/runtime';
import type { JournalEntry } from '../journal-entry.ts';
import { isHeartbeat } from '../world/journal.ts';
import type { World } from '../world/world.ts';

/** Nothing was written for so long: then it counts as rest. */
export const QUIET_MS = 60_000;
/** At rest a key may run so often within `QUIET_MS`: once a second is no rest. */
const MAX_RUNS_AT_REST = 60;

interface KeyRuns {
  readonly process: string;
  readonly controller: string;
  readonly key: string;
  count: number;
  last: readonly Reason[];
}

/** Who writes and who runs, so that rest can be told, and who does not rest can be named. */
export class Activity {
  readonly #runs = new Map<string, KeyRuns>();
  readonly #writes = new Map<string, number>();
  #lastWriteMs = 0;
  #sinceMs = 0;

  wrote(entry: JournalEntry): void {
    if (isHeartbeat(entry)) return;
    this.#lastWriteMs = entry.atMs;
    this.#sinceMs = entry.atMs;
    const name = `${entry.by} ${entry.verb}s ${entry.key}`;
    this.#writes.set(name, (this.#writes.get(name) ?? 0) + 1);
    // Runs count from the last write: what comes after it has nothing to do.
    for (const runs of this.#runs.values()) if (runs.count > 1000) runs.count = 1000;
  }

  ran(process: string, { controller, key, reasons }: ReconcileReport): void {
    const name = `${process} ${controller} ${String(key)}`;
    const runs = this.#runs.get(name);
    if (runs === undefined)
      this.#runs.set(name, { process, controller, key: String(key), count: 1, last: reasons.kept });
    else {
      runs.count++;
      runs.last = reasons.kept;
    }
  }

  /** Begins to count anew. */
  reset(nowMs: number): void {
    this.#runs.clear();
    this.#writes.clear();
    this.#sinceMs = nowMs;
  }

  /** When somebody last wrote. */
  get lastWriteMs(): number {
    return Math.max(this.#lastWriteMs, this.#sinceMs);
  }

  /** A key that ran again and again although nobody wrote; undefined when there is none. */
  spinning(names: readonly string[]): string | undefined {
    for (const runs of this.#runs.values())
      if (names.includes(runs.process) && runs.count > MAX_RUNS_AT_REST) return describe(runs);
    return undefined;
  }

  /** Who writes most and who runs most, for a person to read. */
  busiest(): string {
    const writes = [...this.#writes]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([name, count]) => `${name}, ${count} times`);
    const runs = [...this.#runs.values()]
      .toSorted((a, b) => b.count - a.count)
      .slice(0, 3)
      .map(describe);
    return [...writes, ...runs].map((line) => `\n  ${line}`).join('');
  }
}

function describe({ process, controller, key, count, last }: KeyRuns): string {
  return `${process}: ${controller} ran ${key} ${count} times, last because of ${last.map(reasonText).join(', ')}`;
}

/** What keeps the cluster from rest; undefined when nothing does. */
export function unrest(world: World): string | undefined {
  for (const [name, process] of world.processes) {
    if (!process.isUp || process.manager === undefined) return `${name} is down`;
    if (!process.isReady) return `${name} starts`;
    if (process.isFrozen) return `${name} stands still`;
    if (!process.manager.isIdle) return `${name} is at work`;
    for (const [controller, { snapshot }] of retriesOf(process.manager.controllers)) {
      const waiting = snapshot.delayedKeys.find(({ reasons }) =>
        reasons.kept.some(({ type }) => type === 'retry'),
      );
      if (waiting !== undefined)
        return `${name}: ${controller} has failed with ${waiting.key} and tries again`;
    }
  }
  return undefined;
}

function* retriesOf(controllers: Manager['controllers']) {
  for (const [name, controller] of controllers) {
    const snapshot = controller.snapshot();
    if (snapshot.delayed > 0) yield [name, { snapshot }] as const;
  }
}
