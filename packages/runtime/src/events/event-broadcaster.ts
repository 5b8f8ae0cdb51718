import {
  type DeepReadonly,
  formatMicroTime,
  isNotFound,
  type KubeObject,
  type ObjectReference,
  referenceTo,
  StatusError,
} from '@windlass/apimachinery';
import { Event } from '@windlass/apimachinery/api/events/v1';
import {
  type Clock,
  isCancelled,
  type Logger,
  type Metrics,
  noMetrics,
  type Random,
  realClock,
  silentLogger,
  sleep,
  systemRandom,
  type Timer,
  toError,
} from '@windlass/base';
import type { Client } from '@windlass/client';
import { Aggregator } from './aggregator.ts';
import type { EventOptions, EventRecorder } from './recorder.ts';
import { SpamFilter } from './spam-filter.ts';

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
  seriesIdleMs: 360_000,
  seriesRefreshMs: 1_800_000,
};
const RETRY_JITTER = 0.25;
const MAX_NOTE_BYTES = 1024;
const MAX_WORD_BYTES = 128;
const COMBINED = '(combined from similar events): ';

/** One event that was told, and all that were like it since. */
interface Series {
  readonly id: string;
  event: Event;
  count: number;
  lastAt: number;
  /** Of `count`, how many the server knows. */
  writtenCount: number;
  writtenAt: number;
  /** Whether the server has it. */
  isCreated: boolean;
  isQueued: boolean;
}

/**
 * What one controller has to tell. It is written one after the other: events are news, not work, and leave a busy
 * server's time to what they tell of. With eight at a time 1,000 pods of 50 deployments came 15 % later:
 * `npm run bench -- controllers/exist`.
 */
interface Outbox {
  readonly queue: Series[];
  writer: Promise<void> | undefined;
}

type DropReason = 'spam' | 'full' | 'refused' | 'unreachable' | 'invalid';

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
  readonly #outboxes = new Map<string, Outbox>();
  readonly #stopping = new AbortController();
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
    let pending = 0;
    for (const { queue, writer } of this.#outboxes.values())
      pending += queue.length + (writer === undefined ? 0 : 1);
    return pending;
  }

  /** Writes what waits, with the final counts; what cannot be written by the deadline is given up. */
  async stop(deadline?: AbortSignal): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const series of this.#series.values()) if (series.writtenCount < series.count) this.#enqueue(series);
    const giveUp = (): void => this.#stopping.abort();
    deadline?.addEventListener('abort', giveUp, { once: true });
    if (deadline?.aborted === true) giveUp();
    while (this.pending > 0)
      await Promise.all([...this.#outboxes.values()].map(({ writer }) => writer ?? Promise.resolve()));
    deadline?.removeEventListener('abort', giveUp);
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
      this.#drop('invalid', { reason, error: toError(thrown) });
      return;
    }
    const about = JSON.stringify([controller, instance, regarding, type]);
    const group = JSON.stringify([about, reason]);
    const detail = JSON.stringify([action, other ?? null]);
    const isCombined = this.#aggregator.combines(group, detail);
    const id = isCombined ? group : JSON.stringify([group, detail]);
    const known = this.#series.get(id);
    const now = clock.now();
    if (known !== undefined && clock.monotonic() - known.lastAt <= this.#options.seriesIdleMs) {
      known.count++;
      known.lastAt = clock.monotonic();
      // The second makes it a series. Later ones wait for the next refresh.
      if (known.count === 2) this.#enqueue(known);
      return;
    }
    if (!this.#filter.allows(about)) {
      this.#drop('spam', { reason, regarding });
      return;
    }
    const series: Series = {
      id,
      event: {
        metadata: this.#meta(regarding),
        eventTime: formatMicroTime(now),
        reportingController: controller,
        reportingInstance: instance,
        type,
        reason: cut(reason, MAX_WORD_BYTES),
        action: cut(action, MAX_WORD_BYTES),
        note: cut(isCombined ? `${COMBINED}${note}` : note, MAX_NOTE_BYTES),
        regarding,
        ...(other !== undefined && !isCombined && { related: other }),
      },
      count: 1,
      lastAt: clock.monotonic(),
      writtenCount: 0,
      writtenAt: clock.monotonic(),
      isCreated: false,
      isQueued: false,
    };
    this.#series.set(id, series);
    this.#enqueue(series);
    this.#timer ??= this.#arm();
  }

  #meta(regarding: ObjectReference): NonNullable<Event['metadata']> {
    const { clock, random } = this.#options;
    const stamp = BigInt(Math.floor(clock.now() * 1000)).toString(16);
    const tail = random.int(0x1_0000).toString(16).padStart(4, '0');
    const name = `${regarding.name ?? 'unnamed'}.${stamp}${tail}`;
    return {
      // A name that no object may have could come from a test or a virtual object.
      name: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) && name.length <= 253 ? name : random.uuid(),
      namespace: regarding.namespace ?? 'default',
    };
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
      if (isDue && series.writtenCount < series.count) this.#enqueue(series);
      if (isOver) this.#series.delete(series.id);
    }
    this.#timer = this.#series.size === 0 ? undefined : this.#arm();
  }

  #enqueue(series: Series): void {
    if (series.isQueued) return;
    const outbox = this.#outboxOf(series.event.reportingController ?? '');
    if (outbox.queue.length >= this.#options.capacity) {
      this.#drop('full', { reason: series.event.reason });
      return;
    }
    series.isQueued = true;
    outbox.queue.push(series);
    outbox.writer ??= this.#write(outbox);
  }

  #outboxOf(controller: string): Outbox {
    let outbox = this.#outboxes.get(controller);
    if (outbox === undefined) {
      outbox = { queue: [], writer: undefined };
      this.#outboxes.set(controller, outbox);
    }
    return outbox;
  }

  async #write(outbox: Outbox): Promise<void> {
    const { queue } = outbox;
    try {
      for (let series = queue.shift(); series !== undefined; series = queue.shift()) {
        // Until it is delivered it counts as queued, so that it is not written twice.
        const isDelivered = await this.#deliver(series);
        series.isQueued = false;
        // The second may have come while the first was being written.
        if (isDelivered && series.writtenCount === 1 && series.count > 1) this.#enqueue(series);
      }
    } finally {
      // At once: what is queued a moment later must find that nobody writes.
      outbox.writer = undefined;
    }
  }

  /** False when it was given up. */
  async #deliver(series: Series): Promise<boolean> {
    const { maxTries, retryMs, clock, random } = this.#options;
    const { signal } = this.#stopping;
    for (let tries = 1; ; tries++) {
      try {
        await this.#send(series, signal);
        return true;
      } catch (thrown) {
        const error = toError(thrown);
        // An answer of the server is final; only when there was none is it worth another try.
        if (error instanceof StatusError) return this.#giveUp(series, 'refused', error);
        if (tries >= maxTries || signal.aborted) return this.#giveUp(series, 'unreachable', error);
      }
      try {
        await sleep(clock, retryMs + random.next() * RETRY_JITTER * retryMs, signal);
      } catch (error) {
        if (!isCancelled(error)) throw error;
        return this.#giveUp(series, 'unreachable', toError(error));
      }
    }
  }

  async #send(series: Series, signal: AbortSignal): Promise<void> {
    const { clock, client } = this.#options;
    const { count } = series;
    const { name = '', namespace = 'default' } = series.event.metadata ?? {};
    const events = client.resource(Event).namespace(namespace);
    const lastObservedTime = formatMicroTime(clock.now() - (clock.monotonic() - series.lastAt));
    const state = count > 1 ? { series: { count, lastObservedTime } } : {};
    try {
      if (series.isCreated) await events.patch(name, state, { signal });
      else await events.create({ ...series.event, ...state }, { signal });
    } catch (error) {
      // Events expire; the series goes on under a new name.
      if (!series.isCreated || !isNotFound(error)) throw error;
      series.event = { ...series.event, metadata: this.#meta(series.event.regarding ?? {}) };
      await events.create({ ...series.event, ...state }, { signal });
    }
    series.isCreated = true;
    series.writtenCount = count;
    series.writtenAt = clock.monotonic();
  }

  /** The next one like it begins anew. */
  #giveUp(series: Series, why: DropReason, error: Error): false {
    if (this.#series.get(series.id) === series) this.#series.delete(series.id);
    this.#drop(why, { reason: series.event.reason, error });
    return false;
  }

  #drop(why: DropReason, fields: Readonly<Record<string, unknown>>): void {
    const { metrics, logger } = this.#options;
    metrics
      .counter({
        name: 'windlass_events_dropped_total',
        help: 'Events that were not written, by why: spam, full, refused, unreachable, invalid',
        labelNames: ['why'],
      })
      .labels({ why })
      .inc();
    logger.warn('an event was dropped', { why, ...fields });
  }
}

/** Two events about two states of one object are about the same object. */
function withoutVersion(reference: ObjectReference): ObjectReference {
  const { resourceVersion: _, ...stable } = reference;
  return stable;
}

/** No longer than so many bytes, and never in the middle of a character. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const ellipsis = '…';
  let end = maxBytes - Buffer.byteLength(ellipsis);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${bytes.subarray(0, end).toString()}${ellipsis}`;
}
