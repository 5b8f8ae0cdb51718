import { AsyncLocalStorage } from 'node:async_hooks';
import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import type { Clock, Timer } from '@windlass/base';
import type { PublishedChange } from '@windlass/informer';
import {
  type CacheRead,
  type ControllerCounts,
  listen,
  listenWithin,
  type ReconcileReport,
  reasonText,
  type StartedRun,
} from '@windlass/runtime';
import type { ControllerState, LoopTick, Quantiles, RunDetail } from '../protocol.ts';
import { HotLoops } from './hot-loops.ts';
import { RunNotes } from './run-notes.ts';
import { type RecordedRun, RunRing } from './run-ring.ts';
import { WatchLag } from './watch-lag.ts';
import { WriteRecorder } from './write-recorder.ts';

/** Some minutes of a busy cluster, and some megabytes. */
const KEPT_RUNS = 5000;
/** Latencies are those of the runs that ended since. */
const WINDOW_MS = 10_000;
/**
 * In each turn so much is heard: a thousand runs, or ten thousand changes of caches. To begin and to end listening makes
 * V8 compile again what asks whether somebody listens, so that turns are not short.
 */
const TURN_MS = 1000;
const HEARD_A_TURN = 10_000;
const RUN_WEIGHT = 10;
/** For so long it is said that not everything was heard. */
const SAMPLED_MS = 2000;
/** Of one key so many runs are told. */
const MAX_DETAILS = 100;

/** A controller as far as the recorder needs it; `Controller` of the runtime is one. */
export interface ObservedController {
  readonly name: string;
  readonly concurrency: number;
  counts(): ControllerCounts;
}

/** Where a recorder finds the controllers, and what their caches have. */
export interface LoopRecorderOptions {
  readonly clock: Clock;
  /** The controllers that are shown. */
  readonly controllers: () => Iterable<ObservedController>;
  /** What a cache has, to compare writes with. */
  readonly peek: (kind: string, key: string) => DeepReadonly<KubeObject> | undefined;
  /** Whose runs are written down. @default those of every controller in this process */
  readonly isOwn?: (run: RunOf) => boolean;
}

/** Whose run it is. */
export type RunOf = Pick<StartedRun, 'controller' | 'instance'>;

interface Counts {
  writes: number;
  /** The kind that its runs are about, by their reasons; for its lag. */
  kind: string | undefined;
}

/**
 * Writes down the runs of this process: what each was and why; and while somebody looks, what it read and wrote. Nobody
 * reads a thousand runs a second, so that when there are more it listens only for a part of the time: whatever the
 * controllers do, they lose next to nothing to it.
 */
export class LoopRecorder implements Disposable {
  readonly #options: LoopRecorderOptions;
  readonly #ring = new RunRing(KEPT_RUNS);
  readonly #hot = new HotLoops();
  readonly #lag = new WatchLag();
  readonly #counts = new Map<string, Counts>();
  readonly #running = new AsyncLocalStorage<RunNotes | undefined>();
  readonly #notes = new WeakMap<object, RunNotes>();
  readonly #writes: WriteRecorder;
  #listening: readonly Disposable[] = [];
  /** Requests are few and slow beside runs: those of a run that was heard to begin are all heard. */
  #requests: readonly Disposable[] = [];
  #isDetailed = false;
  /** What may still be heard in this turn; and the timer to the next one, once something was heard. */
  #left = HEARD_A_TURN;
  #turn: Timer | undefined = undefined;
  #deafAt = Number.NEGATIVE_INFINITY;

  constructor(options: LoopRecorderOptions) {
    this.#options = options;
    this.#writes = new WriteRecorder({
      clock: options.clock,
      peek: options.peek,
      running: () => this.#running.getStore(),
      lag: this.#lag,
      heard: (weight) => this.#heard(weight),
    });
    this.#listen();
  }

  [Symbol.dispose](): void {
    this.#turn?.cancel();
    disposeAll(this.#requests);
    disposeAll(this.#listening);
  }

  /** Whether reads and writes of runs are noted. */
  setDetailed(isDetailed: boolean): void {
    if (isDetailed === this.#isDetailed) return;
    this.#isDetailed = isDetailed;
    this.#hot.clear();
    this.#lag.clear();
    disposeAll(this.#requests);
    this.#requests = isDetailed ? this.#writes.listen() : [];
    disposeAll(this.#listening);
    if (this.#left > 0) this.#listen();
  }

  #listen(): void {
    const reports = listen('windlass:reconcile', this.#ended);
    this.#listening = this.#isDetailed ? [reports, ...this.#follow()] : [reports];
  }

  #follow(): Disposable[] {
    return [
      listenWithin(this.#running, this.#begin),
      listen('windlass:cache:read', this.#read),
      listen('windlass:informer:change', this.#changed),
    ];
  }

  /** Counts what is heard, and stops listening until the next turn when it is too much. */
  #heard(weight: number): void {
    this.#turn ??= this.#options.clock.setTimeout(() => this.#nextTurn(), TURN_MS, { keepAlive: false });
    this.#left -= weight;
    if (this.#left > 0) return;
    disposeAll(this.#listening);
    this.#deafAt = this.#options.clock.now();
  }

  #nextTurn(): void {
    this.#turn = undefined;
    const wasDeaf = this.#left <= 0;
    this.#left = HEARD_A_TURN;
    if (wasDeaf) this.#listen();
  }

  /** The id that the next run gets. */
  get nextRun(): number {
    return this.#ring.next;
  }

  runsSince(id: number, limit: number): RecordedRun[] {
    return this.#ring.since(id, limit);
  }

  /** The runs from `id` on, at most the last `limit` of them, the oldest first. */
  detailsSince(id: number, limit: number): RunDetail[] {
    return this.#ring.since(id, limit).map(detailOf);
  }

  /** The runs of a key, or of a whole controller, the newest first. */
  details(controller: string | undefined, key: string | undefined): RunDetail[] {
    const details: RunDetail[] = [];
    for (const run of this.#ring.newest()) {
      const { summary } = run;
      if (controller !== undefined && summary.controller !== controller) continue;
      if (key !== undefined && summary.key !== key) continue;
      details.push(detailOf(run));
      if (details.length >= MAX_DETAILS) break;
    }
    return details;
  }

  /** Runs that were for an object, that it caused, or that wrote it, the newest first. */
  about(resource: string, key: string): RunDetail[] {
    const details: RunDetail[] = [];
    const isAbout = ({ summary, notes, mentions }: RecordedRun): boolean =>
      summary.key === key ||
      mentions(resource, key) ||
      notes?.writes.some((write) => write.key === key && write.resource.split('/')[0] === resource) === true;
    for (const run of this.#ring.newest()) {
      if (isAbout(run)) details.push(detailOf(run));
      if (details.length >= MAX_DETAILS) break;
    }
    return details;
  }

  tick(): LoopTick {
    const { clock, controllers } = this.#options;
    const at = clock.now();
    const recent = this.#recent(at);
    const hot = Map.groupBy(
      this.#hot.hot(at).map((id) => splitId(id)),
      ([controller]) => controller,
    );
    const states = Array.from(controllers(), (controller): ControllerState => {
      const { name } = controller;
      const { writes = 0, kind } = this.#counts.get(name) ?? {};
      const { queued, delayed, retrying, working, finished, failed } = controller.counts();
      const runs = recent.get(name) ?? [];
      return {
        name,
        watchLagMs: kind === undefined ? undefined : this.#lag.of(kind),
        waiting: queued,
        delayed: delayed - retrying,
        retrying,
        working,
        workers: controller.concurrency,
        runs: finished,
        errors: failed,
        writes,
        runMs: quantiles(runs.map(({ summary }) => summary.tookMs)),
        queueMs: quantiles(runs.flatMap(({ summary }) => summary.waitedMs ?? [])),
        hot: (hot.get(name) ?? []).map(([, key]) => key),
      };
    });
    const ordered = states.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { at, controllers: ordered, isSampled: at - this.#deafAt < SAMPLED_MS };
  }

  #recent(now: number): Map<string, RecordedRun[]> {
    const recent = new Map<string, RecordedRun[]>();
    for (const run of this.#ring.newest()) {
      if (run.summary.at + run.summary.tookMs < now - WINDOW_MS) break;
      const of = recent.get(run.summary.controller);
      if (of === undefined) recent.set(run.summary.controller, [run]);
      else of.push(run);
    }
    return recent;
  }

  readonly #ended = (report: ReconcileReport): void => {
    const isOwn = this.#isOwn(report);
    this.#heard(isOwn ? RUN_WEIGHT : 1);
    if (!isOwn) return;
    const { controller, key, reasons, result, tookMs, error, againInMs, started } = report;
    const notes = started && this.#notes.get(started);
    const now = this.#options.clock.now();
    const [first] = reasons.kept;
    const id = String(key);
    const counts = this.#countsOf(controller);
    counts.kind ??= first?.object === id ? first.source : undefined;
    let wokeItself = false;
    if (notes !== undefined) {
      const seen = reasons.kept.flatMap(({ resourceVersion }) => resourceVersion ?? []);
      wokeItself = this.#hot.ran(`${controller}\0${id}`, seen, notes.versions, now);
      counts.writes += notes.writeCount;
    }
    this.#ring.add({
      summary: {
        id: this.#ring.next,
        controller,
        key: id,
        at: now - tookMs,
        waitedMs: started?.waitedMs,
        tookMs,
        result,
        error: error && (error.cause instanceof Error ? error.cause : error).message,
        againInMs,
        reason: first === undefined ? '' : reasonText(first),
        reasonCount: reasons.kept.length + reasons.dropped,
        writeCount: notes?.writeCount ?? 0,
        wokeItself,
      },
      reasons: () => reasons.kept.map(reasonText),
      mentions: (resource, object) =>
        reasons.kept.some((reason) => reason.source === resource && reason.object === object),
      notes,
    });
  };

  readonly #read = (read: CacheRead): void => {
    this.#heard(1);
    this.#running.getStore()?.read(read);
  };

  readonly #changed = ({ informer, resourceVersion }: PublishedChange): void => {
    this.#heard(1);
    if (resourceVersion !== undefined)
      this.#lag.changed(informer, resourceVersion, this.#options.clock.monotonic());
  };

  readonly #begin = (started: StartedRun): RunNotes | undefined => {
    if (!this.#isOwn(started)) return undefined;
    const notes = new RunNotes();
    this.#notes.set(started, notes);
    return notes;
  };

  #isOwn(run: RunOf): boolean {
    return this.#options.isOwn?.(run) ?? true;
  }

  #countsOf(controller: string): Counts {
    let counts = this.#counts.get(controller);
    if (counts === undefined) {
      counts = { writes: 0, kind: undefined };
      this.#counts.set(controller, counts);
    }
    return counts;
  }
}

function disposeAll(all: readonly Disposable[]): void {
  for (const one of all) one[Symbol.dispose]();
}

function detailOf({ summary, reasons, notes }: RecordedRun): RunDetail {
  return { ...summary, reasons: reasons(), reads: notes?.reads() ?? [], writes: notes?.details() ?? [] };
}

/** Names of controllers may have a space. */
function splitId(id: string): [controller: string, key: string] {
  const at = id.indexOf('\0');
  return [id.slice(0, at), id.slice(at + 1)];
}

function quantiles(values: number[]): Quantiles | undefined {
  if (values.length === 0) return undefined;
  values.sort((a, b) => a - b);
  const at = (part: number): number =>
    values[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
