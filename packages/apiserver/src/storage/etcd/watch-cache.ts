import { type Clock, type Logger, type Metrics, type Timer, toError } from '@windlass/base';
import { CompactedError } from '../errors.ts';
import type { JournalContents } from '../journal.ts';
import { MvccState } from '../mvcc-state.ts';
import { Retention, type RetentionOptions } from '../retention.ts';
import { RevisionWaiters } from '../revision-waiters.ts';
import { StoredState } from '../states/stored-state.ts';
import { WriteEvent } from '../states/write-event.ts';
import type { StoreMetrics } from '../store-metrics.ts';
import { WatchHub } from '../watch-hub.ts';
import { asText } from './contents.ts';
import type { Event } from './generated/rpc.ts';
import { storeKey } from './keys.ts';
import type { PendingWrites } from './pending-writes.ts';
import type { ValueCodec } from './value-codec.ts';

export interface WatchCacheOptions extends RetentionOptions {
  readonly prefix: string;
  readonly values: ValueCodec;
  readonly pending: PendingWrites;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Before etcd is asked how far it is: what one waits for comes by itself, most of the time. */
const PATIENCE_MS = 5;
const ASK_AGAIN_MS = 100;

/**
 * What etcd had at one revision, with the past before it: as etcd's own watch tells it, in order and with nothing left
 * out. Readers look here, and nowhere else.
 */
export class WatchCache {
  readonly state = new MvccState();
  readonly hub: WatchHub;
  readonly #options: WatchCacheOptions;
  readonly #metrics: StoreMetrics;
  readonly #retention: Retention;
  readonly #waiters = new RevisionWaiters();
  #waiting = 0;
  #asking: Timer | undefined;
  /** Asks etcd to say how far the watch is. Set while there is a watch. */
  askForProgress: () => void = () => {};

  constructor(options: WatchCacheOptions, metrics: StoreMetrics) {
    this.#options = options;
    this.#metrics = metrics;
    this.hub = new WatchHub(this.state, this.state.history, metrics);
    this.#retention = new Retention(options, this.state, async (revision) => this.forget(revision));
  }

  /** In the place of all that was; watches of what was end. */
  replace(contents: JournalContents): void {
    const { revision } = this.state;
    if (revision > 0) this.hub.close(new CompactedError(revision, contents.compactedRevision));
    this.#options.pending.interrupted();
    this.state.replace(contents);
    this.#noteChange();
  }

  /** What etcd's watch has told: whole revisions, in order. */
  apply(events: readonly Event[]): void {
    for (const { type, kv } of events) if (kv !== undefined) this.#applyOne(type === 'DELETE', kv);
    this.#waiters.reached(this.state.revision);
    this.#noteChange();
  }

  /** Nothing else happened up to there. */
  advance(revision: number): void {
    if (revision <= this.state.revision) return;
    this.state.advance(revision);
    this.#waiters.reached(revision);
    this.#noteChange();
  }

  forget(revision: number): void {
    this.state.drop(revision);
    this.#noteChange();
  }

  /** Resolves when everything up to there is here. */
  async reach(revision: number, signal?: AbortSignal): Promise<void> {
    if (revision <= this.state.revision) return;
    this.#waiting++;
    this.#ask(PATIENCE_MS);
    try {
      await this.#waiters.wait(revision, signal);
    } finally {
      this.#waiting--;
    }
  }

  close(error: Error): void {
    this.#retention.stop();
    this.#asking?.cancel();
    this.hub.close(error);
    this.#waiters.close(error);
  }

  #applyOne(isDeletion: boolean, kv: NonNullable<Event['kv']>): void {
    const revision = kv.modRevision;
    const place = asText(kv.key);
    const key = storeKey(this.#options.prefix, place);
    const event = key === undefined ? undefined : this.#eventOf(key, place, isDeletion, kv);
    if (event === undefined) {
      this.state.advance(revision);
      return;
    }
    this.state.apply(event);
    this.hub.publish(event);
  }

  #eventOf(
    key: string,
    place: string,
    isDeletion: boolean,
    { value, modRevision }: NonNullable<Event['kv']>,
  ): WriteEvent | undefined {
    const previous = this.state.get(key, undefined);
    const { pending, values, logger } = this.#options;
    if (isDeletion) {
      if (previous === undefined) return undefined;
      const stored = StoredState.deletion(key, previous, modRevision);
      pending.deleted(place, previous.revision, stored);
      return new WriteEvent('delete', stored, previous);
    }
    const own = pending.written(place, value, (object) => StoredState.of(key, object, modRevision));
    if (own !== undefined) return new WriteEvent('put', own, previous);
    try {
      const stored = StoredState.of(key, values.decode(place, value, modRevision), modRevision);
      return new WriteEvent('put', stored, previous);
    } catch (error) {
      logger.error('an object in etcd cannot be read, and is left out', {
        key: place,
        error: toError(error),
      });
      // Whoever watches is not to go on with what is there no more.
      if (previous === undefined) return undefined;
      return new WriteEvent('delete', StoredState.deletion(key, previous, modRevision), previous);
    }
  }

  #ask(afterMs: number): void {
    this.#asking ??= this.#options.clock.setTimeout(
      () => {
        this.#asking = undefined;
        if (this.#waiting === 0) return;
        this.askForProgress();
        this.#ask(ASK_AGAIN_MS);
      },
      afterMs,
      { keepAlive: false },
    );
  }

  #noteChange(): void {
    const { revision, compactedRevision, history } = this.state;
    this.#metrics.state(revision, compactedRevision, history.size);
    this.#retention.noteChange();
  }
}
