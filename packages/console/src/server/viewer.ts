import type { ClusterFeed } from '../cluster/cluster-feed.ts';
import type { ClusterChange, LoopTick, RunSummary } from '../protocol.ts';
import type { LoopRecorder } from '../recorder/loop-recorder.ts';
import type { EventStream } from './event-stream.ts';

/** Of the runs since the last time so many are told: nobody reads more. */
const MAX_RUNS = 200;

/** One page that is open, and what it has not been told yet. */
export class Viewer implements Disposable {
  readonly #stream: EventStream;
  readonly #recorder: LoopRecorder;
  /** By kind and key: of several changes of one object only the last matters. */
  readonly #changes = new Map<string, ClusterChange>();
  readonly #feed: Disposable;
  #nextRun: number;

  constructor(stream: EventStream, recorder: LoopRecorder, feed: ClusterFeed, after: number | undefined) {
    this.#stream = stream;
    this.#recorder = recorder;
    this.#nextRun = after === undefined ? Math.max(0, recorder.nextRun - MAX_RUNS) : after + 1;
    this.#feed = feed.listen((changes) => {
      for (const change of changes) this.#changes.set(idOf(change), change);
    });
  }

  get isOver(): boolean {
    return this.#stream.isOver;
  }

  /** Tells what is new. A viewer that does not keep up is told later, and less. */
  tell(tick: LoopTick | undefined): void {
    if (!this.#stream.isReady) return;
    if (tick !== undefined) this.#stream.send('loop', tick);
    const runs = this.#recorder.runsSince(this.#nextRun, MAX_RUNS).map(({ summary }): RunSummary => summary);
    this.#nextRun = this.#recorder.nextRun;
    if (runs.length > 0) this.#stream.send('runs', runs);
    if (this.#changes.size === 0) return;
    this.#stream.send('cluster', [...this.#changes.values()]);
    this.#changes.clear();
  }

  [Symbol.dispose](): void {
    this.#feed[Symbol.dispose]();
    this.#stream.end();
  }
}

function idOf(change: ClusterChange): string {
  const {
    kind,
    key,
    resource = '',
  } = change.type === 'set' ? { resource: undefined, ...change.item } : change;
  return `${kind} ${resource} ${key}`;
}
