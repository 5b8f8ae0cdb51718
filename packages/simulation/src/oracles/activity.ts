import { type Manager, type Reason, type ReconcileReport, reasonText } from '@windlass/runtime';
import type { JournalEntry } from '../journal-entry.ts';
import { isHeartbeat } from '../world/journal.ts';
import { nameOfKey } from '../world/kept.ts';
import type { World } from '../world/world.ts';

/** Nothing was written for so long: then it counts as rest. */
export const QUIET_MS = 60_000;
/** At rest a key may run so often within `QUIET_MS`: once a second is no rest. */
const MAX_RUNS_AT_REST = 60;

/** Who writes one object more often than this, and nothing goes wrong any more, will not end. */
const MAX_WRITES_TO_REST = 200;

interface KeyRuns {
  readonly process: string;
  readonly controller: string;
  readonly key: string;
  count: number;
  /** Of them, those after the last write of anybody. */
  idle: number;
  epoch: number;
  /** How often what the process itself had written woke it, and what that was. */
  ownWakes: number;
  ownWrite: string;
  last: readonly Reason[];
}

/** A key that woke itself so often has a part in it that there is no rest. */
const HOT_RUNS = 100;

/** Who writes and who runs, so that rest can be told, and who does not rest can be named. */
export class Activity {
  readonly #runs = new Map<string, KeyRuns>();
  readonly #writes = new Map<string, number>();
  /** By version, who wrote what. */
  readonly #versions = new Map<string, JournalEntry>();
  /** The first that wrote one object too often. */
  #endless: JournalEntry | undefined = undefined;
  #lastWriteMs = 0;
  #sinceMs = 0;
  #epoch = 0;

  wrote(entry: JournalEntry): void {
    if (isHeartbeat(entry)) return;
    this.#epoch++;
    this.#lastWriteMs = entry.atMs;
    this.#versions.set(String(entry.revision), entry);
    const name = `${entry.by} ${entry.verb}s ${nameOfKey(entry.key)}`;
    const count = (this.#writes.get(name) ?? 0) + 1;
    this.#writes.set(name, count);
    if (count > MAX_WRITES_TO_REST) this.#endless ??= entry;
  }

  ran(process: string, { controller, key, reasons }: ReconcileReport): void {
    const name = `${process} ${controller} ${String(key)}`;
    let runs = this.#runs.get(name);
    if (runs === undefined) {
      const none = { count: 0, idle: 0, epoch: 0, ownWakes: 0, ownWrite: '', last: [] };
      runs = { process, controller, key: String(key), ...none };
      this.#runs.set(name, runs);
    }
    runs.count++;
    runs.idle = runs.epoch === this.#epoch ? runs.idle + 1 : 1;
    runs.epoch = this.#epoch;
    runs.last = reasons.kept;
    for (const { resourceVersion = '' } of reasons.kept) {
      const entry = this.#versions.get(resourceVersion);
      if (entry?.by !== process) continue;
      runs.ownWakes++;
      runs.ownWrite = nameOfKey(entry.key);
      break;
    }
  }

  /** Begins to count anew. */
  reset(nowMs: number): void {
    this.#runs.clear();
    this.#writes.clear();
    this.#versions.clear();
    this.#endless = undefined;
    this.#sinceMs = nowMs;
  }

  /** When somebody last wrote. */
  get lastWriteMs(): number {
    return Math.max(this.#lastWriteMs, this.#sinceMs);
  }

  /** A key that ran again and again although nobody wrote; undefined when there is none. */
  spinning(names: readonly string[]): string | undefined {
    for (const runs of this.#runs.values())
      if (names.includes(runs.process) && runs.epoch === this.#epoch && runs.idle > MAX_RUNS_AT_REST)
        return describe(runs);
    return undefined;
  }

  /** A key that wakes itself by what it writes; undefined when there is none. */
  wakesItself(): string | undefined {
    const hot = [...this.#runs.values()].filter(isOwnWoken).filter(({ count }) => count >= HOT_RUNS);
    const [hottest] = hot.toSorted((a, b) => b.count - a.count);
    return hottest === undefined ? undefined : describe(hottest);
  }

  /** One of these who writes the same object again and again; undefined when there is none. */
  endless(names: readonly string[]): string | undefined {
    const { by, verb, key = '' } = this.#endless ?? {};
    if (by === undefined || !names.includes(by)) return undefined;
    const runs = [...this.#runs.values()].filter(({ process }) => process === by);
    const [most] = runs.toSorted((a, b) => b.count - a.count);
    const why = most === undefined ? '' : `; ${describe(most)}`;
    return `${by} ${verb}s ${nameOfKey(key)} again and again, ${MAX_WRITES_TO_REST} times so far${why}`;
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

function isOwnWoken({ count, ownWakes }: KeyRuns): boolean {
  return ownWakes * 2 > count;
}

function describe(runs: KeyRuns): string {
  const { process, controller, key, count, last, ownWrite } = runs;
  const why = isOwnWoken(runs)
    ? `woken by its own write to ${ownWrite}`
    : `last because of ${last.map(reasonText).join(', ')}`;
  return `${process}: ${controller} ran ${key} ${count} times, ${why}`;
}

/** What keeps the cluster from rest; undefined when nothing does. */
export function unrest(world: World): string | undefined {
  for (const [name, process] of world.processes) {
    if (!process.isUp || process.manager === undefined) return `${name} is down`;
    if (!process.isReady) return `${name} starts`;
    if (process.isFrozen) return `${name} stands still`;
    const behind = process.wire?.behindWith;
    if (behind !== undefined) return `${name} has not the latest news of ${behind}`;
    if (!process.manager.isIdle) return `${name} is at work`;
    for (const [controller, { snapshot }] of retriesOf(process.manager.controllers)) {
      const waiting = snapshot.delayedKeys.find(({ reasons }) =>
        reasons.kept.some(({ type }) => type === 'retry'),
      );
      if (waiting !== undefined)
        return `${name}: ${controller} has failed with ${waiting.key} and tries again`;
    }
  }
  // It waits longer than whoever writes nothing counts as being at rest.
  const volume = world.kubelet?.failingVolume;
  return volume === undefined ? undefined : `kubelet: has failed with ${volume} and tries again`;
}

function* retriesOf(controllers: Manager['controllers']) {
  for (const [name, controller] of controllers) {
    const snapshot = controller.snapshot();
    if (snapshot.delayed > 0) yield [name, { snapshot }] as const;
  }
}
