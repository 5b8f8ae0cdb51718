import { abortError, onAbort, RingBuffer } from '@windlass/base';
import { CompactedError, SlowWatcherError } from './errors.ts';
import type { StoreEvent, StoreWatch } from './store.ts';

type Batch = readonly StoreEvent[];

/** What a watcher needs of the store. */
export interface WatchSource {
  readonly revision: number;
  readonly compactedRevision: number;
  /** At most `limit` events of the past after `revision`, oldest first. */
  page(prefix: string, revision: number, limit: number): StoreEvent[];
  /** A watch begins; every one ends with `leave`. */
  enter(watcher: Watcher): void;
  /** From now on `push` is called with what happens. */
  join(watcher: Watcher): void;
  leave(watcher: Watcher, error: Error | undefined): void;
  /** The revision before the first event that waits to be pushed; undefined when none does. */
  pendingAfter(prefix: string): number | undefined;
}

interface Waiter {
  readonly resolve: (result: IteratorResult<Batch, undefined>) => void;
  readonly reject: (error: Error) => void;
}

// Large enough to be worth a turn, small enough not to hold everybody up.
const PAGE = 1000;
const NOTHING: Batch = Object.freeze([]);

/**
 * One watch. As long as there is a past to read, it takes pages from the history as they are asked for and
 * buffers nothing. From then on it is in the hub, and batches are pushed to it.
 *
 *   past ──(nothing left to read)──► live ──► ended
 *     └────(compacted under it)────────────────┘
 */
export class Watcher implements StoreWatch {
  readonly prefix: string;
  readonly #source: WatchSource;
  readonly #maxBuffered: number;
  #state: 'past' | 'live' | 'ended' = 'past';
  // Every event up to this revision was taken by the reader or put into the queue.
  #taken: number;
  readonly #queue = new RingBuffer<Batch>();
  #buffered = 0;
  #waiters: Waiter[] = [];
  #error: Error | undefined;
  #progressAtEnd = 0;
  #release: (() => void) | undefined;

  constructor(source: WatchSource, prefix: string, from: number, maxBuffered: number, signal?: AbortSignal) {
    this.#source = source;
    this.prefix = prefix;
    this.#taken = from;
    this.#maxBuffered = maxBuffered;
    source.enter(this);
    if (from >= source.compactedRevision && source.page(prefix, from, 1).length === 0) this.#goLive();
    // Calls back at once when the signal has aborted, so this comes last.
    this.#release = onAbort(signal, () => this.end(signal === undefined ? undefined : abortError(signal)));
  }

  get progress(): number {
    if (this.#state === 'ended') return this.#progressAtEnd;
    const waiting = this.#queue.peek()?.[0];
    if (waiting !== undefined) return waiting.revision - 1;
    if (this.#state === 'past') return this.#taken;
    const reached = this.#source.pendingAfter(this.prefix) ?? this.#source.revision;
    return Math.max(this.#taken, reached);
  }

  next(): Promise<IteratorResult<Batch, undefined>> {
    const batch = this.#queue.shift() ?? this.#readPast();
    if (batch !== undefined) {
      this.#buffered = Math.max(0, this.#buffered - batch.length);
      return Promise.resolve({ done: false, value: batch });
    }
    if (this.#state === 'ended') {
      const error = this.#error;
      this.#error = undefined;
      return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
    });
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.end(undefined);
    // Whoever ends the watch does not ask why it would have ended.
    this.#error = undefined;
    return Promise.resolve({ done: true, value: undefined });
  }

  nudge(): void {
    this.#waiters.shift()?.resolve({ done: false, value: NOTHING });
  }

  /** A batch of the hub; several watchers get the same array. */
  push(batch: Batch): void {
    // The hub's first batch may hold what was read from the past, or what is before a future revision.
    const first = batch[0];
    const fresh =
      first !== undefined && first.revision <= this.#taken
        ? batch.filter((event) => event.revision > this.#taken)
        : batch;
    const last = fresh.at(-1);
    if (last === undefined) return;
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      this.#taken = last.revision;
      waiter.resolve({ done: false, value: fresh });
      return;
    }
    const buffered = this.#buffered + fresh.length;
    if (this.#queue.length > 0 && buffered > this.#maxBuffered) {
      this.end(new SlowWatcherError(this.prefix, buffered, this.progress));
      return;
    }
    this.#taken = last.revision;
    this.#queue.push(fresh);
    this.#buffered = buffered;
  }

  /** Ends the watch; with an error, the reader gets it once. */
  end(error: Error | undefined): void {
    if (this.#state === 'ended') return;
    this.#progressAtEnd = this.progress;
    this.#state = 'ended';
    this.#release?.();
    this.#queue.clear();
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#error = error;
    this.#source.leave(this, error);
    for (const [index, waiter] of waiters.entries()) {
      if (index === 0 && error !== undefined) {
        this.#error = undefined;
        waiter.reject(error);
      } else waiter.resolve({ done: true, value: undefined });
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #readPast(): Batch | undefined {
    if (this.#state !== 'past') return undefined;
    if (this.#taken < this.#source.compactedRevision) {
      this.end(new CompactedError(this.#taken, this.#source.compactedRevision));
      return undefined;
    }
    const events = this.#source.page(this.prefix, this.#taken, PAGE);
    this.#taken = events.at(-1)?.revision ?? this.#taken;
    if (events.length < PAGE) this.#goLive();
    return events.length === 0 ? undefined : events;
  }

  /** Called in the turn in which the past was read to its end, so that nothing happens in between. */
  #goLive(): void {
    this.#state = 'live';
    this.#source.join(this);
  }
}
