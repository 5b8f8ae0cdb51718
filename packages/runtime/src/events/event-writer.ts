import { AsyncLocalStorage } from 'node:async_hooks';
import { formatMicroTime, isNotFound, StatusError } from '@windlass/apimachinery';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { type Clock, isCancelled, type Random, sleep, toError } from '@windlass/base';
import type { Client } from '@windlass/client';
import type { DroppedEvents, DropReason } from './dropped-events.ts';
import { eventMetadata, type Series } from './event-series.ts';
import { isNamespaceGone } from './gone-namespaces.ts';

export interface EventWriterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly dropped: DroppedEvents;
  /** How many events of a controller may wait to be written. */
  readonly capacity: number;
  /** How often one is sent before it is given up, when the server cannot be reached. */
  readonly maxTries: number;
  /** The wait between two of them. */
  readonly retryMs: number;
  /** A series could not be written; the next event like it begins anew. */
  readonly onGivenUp: (series: Series) => void;
}

const RETRY_JITTER = 0.25;

interface Waiting {
  readonly series: Series;
  /** The async context of who recorded it: the writer's is that of whoever came first. */
  readonly within: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

/**
 * What one controller has to tell. It is written one after the other: events are news, not work, and leave a busy
 * server's time to what they tell of. With eight at a time 1,000 pods of 50 deployments came 15 % later:
 * `npm run bench -- controllers/exist`.
 */
interface Outbox {
  readonly queue: Waiting[];
  writer: Promise<void> | undefined;
}

/** Writes series of events to the server, those of a controller one after the other. */
export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #outboxes = new Map<string, Outbox>();
  readonly #stopping = new AbortController();

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  /** How many events are not written yet. */
  get pending(): number {
    let pending = 0;
    for (const { queue, writer } of this.#outboxes.values())
      pending += queue.length + (writer === undefined ? 0 : 1);
    return pending;
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    for (let writers = this.#writers(); writers.length > 0; writers = this.#writers())
      await Promise.all(writers);
  }

  /** Gives up what waits, and what is being sent. Told in one line: there may be thousands. */
  giveUp(): void {
    this.#stopping.abort();
    let waiting = 0;
    for (const { queue } of this.#outboxes.values()) waiting += queue.splice(0).length;
    if (waiting > 0) this.#options.dropped.atStop(waiting);
  }

  /** The series is written when its turn comes, with the count that it has then. */
  enqueue(series: Series): void {
    if (series.isQueued) return;
    const outbox = this.#outboxOf(series.event.reportingController ?? '');
    if (outbox.queue.length >= this.#options.capacity) {
      this.#options.dropped.one('full', { reason: series.event.reason });
      return;
    }
    series.isQueued = true;
    outbox.queue.push({ series, within: AsyncLocalStorage.snapshot() });
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
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { series, within } = next;
        // Until it is delivered it counts as queued, so that it is not written twice.
        const isDelivered = await within(() => this.#deliver(series));
        series.isQueued = false;
        // The second may have come while the first was being written.
        if (isDelivered && series.writtenCount === 1 && series.count > 1) within(() => this.enqueue(series));
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
        if (isNamespaceGone(error)) return this.#dropNamespace(series);
        // An answer of the server is final; only when there was none is it worth another try.
        if (error instanceof StatusError) return this.#dropSeries(series, 'refused', error);
        if (tries >= maxTries || signal.aborted) return this.#dropSeries(series, 'unreachable', error);
      }
      try {
        await sleep(clock, retryMs + random.next() * RETRY_JITTER * retryMs, signal);
      } catch (error) {
        if (!isCancelled(error)) throw error;
        return this.#dropSeries(series, 'unreachable', toError(error));
      }
    }
  }

  async #send(series: Series, signal: AbortSignal): Promise<void> {
    const { clock, client } = this.#options;
    const { count } = series;
    const { name = '' } = series.event.metadata ?? {};
    const events = client.resource(Event).namespace(namespaceOf(series));
    const lastObservedTime = formatMicroTime(clock.now() - (clock.monotonic() - series.lastAt));
    const state = count > 1 ? { series: { count, lastObservedTime } } : {};
    try {
      if (series.isCreated) await events.patch(name, state, { signal });
      else await events.create({ ...series.event, ...state }, { signal });
    } catch (error) {
      // Events expire; the series goes on under a new name.
      if (!series.isCreated || !isNotFound(error)) throw error;
      series.event = {
        ...series.event,
        metadata: eventMetadata(series.event.regarding ?? {}, this.#options),
      };
      await events.create({ ...series.event, ...state }, { signal });
    }
    series.isCreated = true;
    series.writtenCount = count;
    series.writtenAt = clock.monotonic();
  }

  /** With it, all of its namespace that waits: the server would refuse each. */
  #dropNamespace(series: Series): false {
    const namespace = namespaceOf(series);
    const gone = [series];
    for (const { queue } of this.#outboxes.values()) {
      const left = queue.splice(0).filter((waiting) => {
        if (namespaceOf(waiting.series) !== namespace) return true;
        gone.push(waiting.series);
        return false;
      });
      queue.push(...left);
    }
    for (const each of gone) {
      each.isQueued = false;
      this.#options.onGivenUp(each);
    }
    this.#options.dropped.withNamespace(namespace, gone.length);
    return false;
  }

  #dropSeries(series: Series, why: DropReason, error: Error): false {
    this.#options.onGivenUp(series);
    this.#options.dropped.one(why, { reason: series.event.reason, error });
    return false;
  }

  #writers(): Promise<void>[] {
    return [...this.#outboxes.values()].flatMap(({ writer }) => writer ?? []);
  }
}

const namespaceOf = ({ event }: Series): string => event.metadata?.namespace ?? 'default';
