import {
  type DeepReadonly,
  type KubeObject,
  type ObjectReference,
  referenceTo,
} from '@windlass/apimachinery';
import {
  type Clock,
  type Logger,
  type Metrics,
  noMetrics,
  onAbort,
  type Random,
  realClock,
  silentLogger,
  systemRandom,
  type Timer,
  toError,
} from '@windlass/base';
import type { Client } from '@windlass/client';
import { Aggregator } from './aggregator.ts';
import { DroppedEvents } from './dropped-events.ts';
import { MAX_WORD_BYTES, newSeries, type Series } from './event-series.ts';
import { cut, withoutVersion } from './event-text.ts';
import { EventWriter } from './event-writer.ts';
import type { EventOptions, EventRecorder } from './recorder.ts';
import { SpamFilter } from './spam-filter.ts';

/** Where events are written, and how many may wait. */
export interface EventBroadcasterOptions {
  readonly client: Client;
  /** Tells the replicas of a program apart. */
  readonly instance: string;
  /** How many events of a controller may wait to be written; more are dropped and counted. @default 1000 */
  readonly capacity?: number;
  /** How often one is sent before it is given up, when the server cannot be reached. @default 12 */
  readonly maxTries?: number;
  /** The wait between two of them. @default 10000 */
  readonly retryMs?: number;
  /** For how long a stop writes what waits; what is left then is dropped and counted. @default 1000 */
  readonly drainMs?: number;
  /** A series that was silent for so long is over. @default 360000 */
  readonly seriesIdleMs?: number;
  /** How often a series that goes on is written. @default 1800000 */
  readonly seriesRefreshMs?: number;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default the machine's */
  readonly random?: Random;
  /** @default none */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
}

const DEFAULTS = {
  capacity: 1000,
  maxTries: 12,
  retryMs: 10_000,
  drainMs: 1000,
  seriesIdleMs: 360_000,
  seriesRefreshMs: 1_800_000,
};

/**
 * Writes events for the recorders of a process. The first of its kind is created; the second makes it a
 * series; from then on only the count grows here, and is written now and then and when the series ends.
 * What counts as the same: type, action, reason, controller, instance and both objects; not the note.
 */
export class EventBroadcaster implements AsyncDisposable {
  readonly #options: Required<EventBroadcasterOptions>;
  readonly #filter: SpamFilter;
  readonly #aggregator: Aggregator;
  readonly #series = new Map<string, Series>();
  readonly #writer: EventWriter;
  readonly #dropped: DroppedEvents;
  #timer: Timer | undefined = undefined;
  #isClosed = false;

  constructor(options: EventBroadcasterOptions) {
    this.#options = {
      ...DEFAULTS,
      clock: realClock,
      random: systemRandom,
      logger: silentLogger,
      metrics: noMetrics,
      ...options,
      instance: cut(options.instance, MAX_WORD_BYTES),
    };
    this.#dropped = new DroppedEvents(this.#options);
    this.#writer = new EventWriter({
      ...this.#options,
      dropped: this.#dropped,
      onGivenUp: (series) => {
        if (this.#series.get(series.id) === series) this.#series.delete(series.id);
      },
    });
    this.#filter = new SpamFilter({ clock: this.#options.clock });
    this.#aggregator = new Aggregator({ clock: this.#options.clock });
  }

  /** A recorder for a controller: its name is on each event. */
  recorder(controller: string): EventRecorder {
    const record =
      (type: 'Normal' | 'Warning'): EventRecorder['normal'] =>
      (object, reason, note, options = {}) =>
        this.#record(controller, type, object, reason, note, options);
    return { normal: record('Normal'), warning: record('Warning') };
  }

  /** How many events are not written yet. */
  get pending(): number {
    return this.#writer.pending;
  }

  /**
   * Writes what waits, with the final counts. What is not written within `drainMs`, or by the deadline, is given up:
   * a busy controller has a thousand events waiting, and news are not worth a minute of a stop.
   */
  async stop(deadline?: AbortSignal): Promise<void> {
    const { clock, drainMs } = this.#options;
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const series of this.#series.values())
      if (series.writtenCount < series.count) this.#writer.enqueue(series);
    const timer = clock.setTimeout(() => this.#writer.giveUp(), drainMs);
    const release = onAbort(deadline, () => this.#writer.giveUp());
    await this.#writer.drained();
    this.#dropped.close();
    timer.cancel();
    release();
    this.#series.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #record(
    controller: string,
    type: 'Normal' | 'Warning',
    object: DeepReadonly<KubeObject>,
    reason: string,
    note: string,
    { action = reason, related }: EventOptions,
  ): void {
    if (this.#isClosed) return;
    const { instance, clock } = this.#options;
    let regarding: ObjectReference;
    let other: ObjectReference | undefined;
    try {
      regarding = withoutVersion(referenceTo(object));
      other = related === undefined ? undefined : withoutVersion(referenceTo(related));
    } catch (thrown) {
      this.#dropped.one('invalid', { reason, error: toError(thrown) });
      return;
    }
    const about = JSON.stringify([controller, instance, regarding, type]);
    const group = JSON.stringify([about, reason]);
    const detail = JSON.stringify([action, other ?? null]);
    const isCombined = this.#aggregator.combines(group, detail);
    const id = isCombined ? group : JSON.stringify([group, detail]);
    const known = this.#series.get(id);
    if (known !== undefined && clock.monotonic() - known.lastAt <= this.#options.seriesIdleMs) {
      known.count++;
      known.lastAt = clock.monotonic();
      // The second makes it a series. Later ones wait for the next refresh.
      if (known.count === 2) this.#writer.enqueue(known);
      return;
    }
    if (!this.#filter.allows(about)) {
      this.#dropped.one('spam', { reason, regarding });
      return;
    }
    const series = newSeries(
      { id, controller, instance, type, reason, action, note, regarding, related: other, isCombined },
      this.#options,
    );
    this.#series.set(id, series);
    this.#writer.enqueue(series);
    this.#timer ??= this.#arm();
  }

  #arm(): Timer {
    const { clock, seriesIdleMs } = this.#options;
    return clock.setTimeout(() => this.#sweep(), seriesIdleMs, { keepAlive: false });
  }

  /** Ends the series that have been silent, and writes the counts of those that go on. */
  #sweep(): void {
    const { clock, seriesIdleMs, seriesRefreshMs } = this.#options;
    const now = clock.monotonic();
    for (const series of this.#series.values()) {
      const isOver = now - series.lastAt >= seriesIdleMs;
      const isDue = isOver || now - series.writtenAt >= seriesRefreshMs;
      if (isDue && series.writtenCount < series.count) this.#writer.enqueue(series);
      if (isOver) this.#series.delete(series.id);
    }
    this.#timer = this.#series.size === 0 ? undefined : this.#arm();
  }
}
