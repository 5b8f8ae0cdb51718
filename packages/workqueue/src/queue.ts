import {
  abortError,
  type Clock,
  InvalidArgumentError,
  type Metrics,
  onAbort,
  realClock,
  throwIfAborted,
} from '@windlass/base';
import { Entry, EntryList, PROCESSING, PROCESSING_DIRTY, QUEUED } from './entry.ts';
import { NotProcessingError } from './errors.ts';
import { Levels } from './levels.ts';
import { type QueueMetrics, queueMetrics, type UnfinishedWork } from './metrics.ts';
import { noReasons, type Reasons } from './reasons.ts';

export interface QueueOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Names the queue in its metrics and its snapshot. Without a name there are no metrics. */
  readonly name?: string;
  /** Where to measure; needs `name`. */
  readonly metrics?: Metrics;
  /**
   * How long a key waits to gain one point of priority over keys that come later. Infinity makes the
   * order strict, and then low keys may starve.
   * @default 100
   */
  readonly ageingMs?: number;
}

export const DEFAULT_AGEING_MS = 100;
export const DEFAULT_PRIORITY = 0;

export interface AddOptions<R> {
  /**
   * Higher goes first. A key that is queued already keeps the higher of both.
   * @default 0
   */
  readonly priority?: number;
  /** Why; what `get` returns carries the reasons of all adds it answers. */
  readonly reason?: R;
}

/** A key handed to a worker. */
export interface WorkItem<K, R = string> {
  readonly key: K;
  readonly priority: number;
  readonly reasons: Reasons<R>;
}

export interface GetOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ShutDownOptions {
  /**
   * True hands out what is queued and waits until every key is done. False gives up what is queued and
   * waits only for the workers that hold a key.
   * @default false
   */
  readonly drain?: boolean;
  /** Ends the waiting, not the shut down. */
  readonly signal?: AbortSignal;
}

interface Waiter<K, R> {
  readonly resolve: (item: WorkItem<K, R> | undefined) => void;
}

type Lifecycle = 'open' | 'draining' | 'shut down';

/**
 * Keys to work on, each handed to one worker at a time.
 *
 * - A key that is added while queued stays where it is: adds coalesce.
 * - A key that is added while a worker has it runs exactly once more, after `done`, however often it
 *   was added.
 * - Within a priority keys come first come, first served; see Levels for how priorities age.
 * - Keys are told apart as a Map does: strings and numbers by value.
 *
 * add, get, done: O(1). Everything is synchronous but waiting, so no lock is needed and no event is
 * lost between a look and a wait.
 */
export class Queue<K, R = string> implements AsyncDisposable {
  protected readonly clock: Clock;
  protected readonly metrics: QueueMetrics | undefined;
  readonly name: string | undefined;
  /** A key is here if and only if it is queued or processing. */
  readonly #entries = new Map<K, Entry<K, R>>();
  readonly #levels: Levels<K, R>;
  readonly #processing = new EntryList<K, R>();
  /** In the order of their coming. Non-empty only while nothing is queued. */
  readonly #waiters = new Set<Waiter<K, R>>();
  readonly #idleListeners = new Set<() => void>();
  #lifecycle: Lifecycle = 'open';

  constructor(options: QueueOptions = {}) {
    const { clock = realClock, name, metrics, ageingMs = DEFAULT_AGEING_MS } = options;
    if (!(ageingMs > 0)) throw new InvalidArgumentError('ageingMs', ageingMs, 'a number above 0');
    if (metrics !== undefined && name === undefined)
      throw new InvalidArgumentError('name', name, 'given when there are metrics');
    this.clock = clock;
    this.name = name;
    this.#levels = new Levels(ageingMs);
    this.metrics =
      metrics === undefined || name === undefined
        ? undefined
        : queueMetrics(metrics, name, () => this.#unfinished());
  }

  /** Keys that wait for a worker now. Not those in a worker's hands, nor those whose time has not come. */
  get length(): number {
    return this.#levels.length;
  }

  get processingCount(): number {
    return this.#processing.length;
  }

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  /** Whether a worker has the key now. */
  isProcessing(key: K): boolean {
    return (this.#entries.get(key)?.state ?? QUEUED) !== QUEUED;
  }

  /** Whether the key waits for a worker, or will run again once its worker is done. */
  isQueued(key: K): boolean {
    const state = this.#entries.get(key)?.state;
    return state === QUEUED || state === PROCESSING_DIRTY;
  }

  /** Asks for a run of the key. After shut down it does nothing and returns false. */
  add(key: K, options?: AddOptions<R>): boolean {
    if (this.#lifecycle !== 'open') return false;
    if (options === undefined) this.#enqueue(key, DEFAULT_PRIORITY);
    else {
      const entry = this.#enqueue(key, checkedPriority(options.priority ?? DEFAULT_PRIORITY));
      if (options.reason !== undefined) entry.addReason(options.reason);
    }
    if (this.#waiters.size > 0) this.#serveWaiters();
    return true;
  }

  /**
   * Sets the priority of a queued key, up or down; it joins the end of that priority. False when the key
   * is not waiting.
   */
  setPriority(key: K, priority: number): boolean {
    checkedPriority(priority);
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.state === PROCESSING) return false;
    this.#changePriority(entry, priority);
    return true;
  }

  /** The next key if one waits. The caller must call `done` for it. */
  tryGet(): WorkItem<K, R> | undefined {
    const entry = this.#levels.next();
    if (entry === undefined) return undefined;
    const reasons = entry.reasons;
    entry.reasons = undefined;
    entry.state = PROCESSING;
    this.#processing.append(entry);
    if (this.metrics !== undefined) {
      const now = this.clock.monotonic();
      entry.startedAt = now;
      this.metrics.started(this.#levels.length, now - entry.queuedAt);
    } else entry.startedAt = entry.levelSince;
    return { key: entry.key, priority: entry.priority, reasons: reasons ?? noReasons<R>() };
  }

  /**
   * The next key, as soon as there is one. The caller must call `done` for it. Resolves to undefined
   * when the queue is shut down and has no more to hand out; rejects when the signal aborts.
   */
  get({ signal }: GetOptions = {}): Promise<WorkItem<K, R> | undefined> {
    if (signal?.aborted === true) return Promise.reject(abortError(signal));
    const item = this.tryGet();
    if (item !== undefined || this.#lifecycle !== 'open') return Promise.resolve(item);
    return new Promise((resolve, reject) => {
      const waiter: Waiter<K, R> = {
        resolve: (value) => {
          release();
          resolve(value);
        },
      };
      const release = onAbort(signal, () => {
        this.#waiters.delete(waiter);
        if (signal !== undefined) reject(abortError(signal));
      });
      this.#waiters.add(waiter);
    });
  }

  /**
   * For a worker: `for await (const item of queue.items())`. Calls `done` when the loop comes back for the
   * next item, breaks or throws. Ends when the queue is shut down; throws when the signal aborts.
   */
  async *items(options: GetOptions = {}): AsyncGenerator<WorkItem<K, R>, void, undefined> {
    for (;;) {
      throwIfAborted(options.signal);
      const item = this.tryGet() ?? (await this.get(options));
      if (item === undefined) return;
      try {
        yield item;
      } finally {
        this.done(item.key);
      }
    }
  }

  /** The worker has finished with the key. Queues it again if it was added meanwhile. */
  done(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.state === QUEUED) throw new NotProcessingError(key);
    this.#processing.remove(entry);
    if (this.metrics !== undefined) this.metrics.finished(this.clock.monotonic() - entry.startedAt);
    if (entry.state === PROCESSING_DIRTY && this.#lifecycle !== 'shut down') {
      entry.state = QUEUED;
      this.#levels.append(entry);
      this.metrics?.depth(this.#levels.length);
      if (this.#waiters.size > 0) this.#serveWaiters();
    } else this.#entries.delete(key);
    if (this.#lifecycle !== 'open') this.#checkIdle();
  }

  /**
   * Takes no more keys. Resolves when no worker holds one; with `drain`, when also none is queued, so
   * workers must go on. A second call without `drain` ends the draining.
   */
  async shutDown({ drain = false, signal }: ShutDownOptions = {}): Promise<void> {
    if (this.#lifecycle !== 'shut down') {
      this.#lifecycle = drain ? 'draining' : 'shut down';
      if (!drain) this.#discardQueued();
    }
    // Nothing is queued while somebody waits, so those who wait have nothing more to come. While draining
    // a key in a worker's hands may be queued again: then its own worker comes back for it.
    for (const waiter of this.#waiters) waiter.resolve(undefined);
    this.#waiters.clear();
    try {
      await this.#idle(signal);
    } finally {
      if (this.#isIdle()) {
        this.#lifecycle = 'shut down';
        this.metrics?.close();
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutDown();
  }

  /** Queued, in the order of priority and arrival. */
  protected queuedEntries(): Iterable<Entry<K, R>> {
    return this.#levels;
  }

  protected processingEntries(): Iterable<Entry<K, R>> {
    return this.#processing;
  }

  protected get waitingWorkers(): number {
    return this.#waiters.size;
  }

  /** An add whose options are checked already, with the reasons of a delayed one. */
  protected addReady(key: K, priority: number, reasons: Reasons<R> | undefined): void {
    this.#enqueue(key, priority).addReasons(reasons);
    if (this.#waiters.size > 0) this.#serveWaiters();
  }

  #enqueue(key: K, priority: number): Entry<K, R> {
    const existing = this.#entries.get(key);
    if (existing === undefined) {
      const entry = new Entry<K, R>(key, priority, this.clock.monotonic());
      this.#entries.set(key, entry);
      this.#levels.append(entry);
      this.metrics?.added(this.#levels.length);
      return entry;
    }
    if (existing.state === PROCESSING) {
      const now = this.clock.monotonic();
      existing.state = PROCESSING_DIRTY;
      existing.priority = priority;
      existing.queuedAt = now;
      existing.levelSince = now;
      this.metrics?.added(this.#levels.length);
    } else if (priority > existing.priority) this.#changePriority(existing, priority);
    return existing;
  }

  #changePriority(entry: Entry<K, R>, priority: number): void {
    if (entry.priority === priority) return;
    if (entry.state === QUEUED) this.#levels.remove(entry);
    entry.priority = priority;
    entry.levelSince = this.clock.monotonic();
    if (entry.state === QUEUED) this.#levels.append(entry);
  }

  #serveWaiters(): void {
    for (const waiter of this.#waiters) {
      const item = this.tryGet();
      if (item === undefined) return;
      this.#waiters.delete(waiter);
      waiter.resolve(item);
    }
  }

  #discardQueued(): void {
    for (let entry = this.#levels.next(); entry !== undefined; entry = this.#levels.next()) {
      this.#entries.delete(entry.key);
    }
    this.metrics?.depth(0);
  }

  #isIdle(): boolean {
    return this.#entries.size === 0;
  }

  #checkIdle(): void {
    if (!this.#isIdle()) return;
    for (const listener of this.#idleListeners) listener();
  }

  async #idle(signal: AbortSignal | undefined): Promise<void> {
    throwIfAborted(signal);
    if (this.#isIdle()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#idleListeners.add(resolve);
    const release = onAbort(signal, () => {
      if (signal !== undefined) reject(abortError(signal));
    });
    try {
      await promise;
    } finally {
      this.#idleListeners.delete(resolve);
      release();
    }
  }

  #unfinished(): UnfinishedWork {
    const now = this.clock.monotonic();
    let sumMs = 0;
    let longestMs = 0;
    for (const entry of this.#processing) {
      const running = now - entry.startedAt;
      sumMs += running;
      longestMs = Math.max(longestMs, running);
    }
    return { sumMs, longestMs };
  }
}

export function checkedPriority(priority: number): number {
  if (!Number.isFinite(priority)) throw new InvalidArgumentError('priority', priority, 'a finite number');
  return priority;
}
