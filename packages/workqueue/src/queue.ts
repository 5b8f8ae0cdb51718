import {
  abortError,
  type Clock,
  InvalidArgumentError,
  type Metrics,
  onAbort,
  realClock,
  throwIfAborted,
} from '@windlass/base';
import { NotProcessingError } from './errors.ts';
import { Levels } from './levels.ts';
import { type QueueMetrics, queueMetrics, type UnfinishedWork } from './metrics.ts';
import { IDLE, NONE, PROCESSING, PROCESSING_DIRTY, QUEUED, Slots } from './slots.ts';
import { HandedItem, type WorkItem } from './work-item.ts';

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
  protected readonly slots = new Slots<K, R>();
  readonly #levels: Levels<K, R>;
  #processing = 0;
  /** In the order of their coming. Non-empty only while nothing is queued. */
  readonly #waiters = new Set<Waiter<K, R>>();
  readonly #idleListeners = new Set<() => void>();
  #lifecycle: Lifecycle = 'open';
  #turnTime = 0;
  #turnIsTimed = false;
  readonly #endTurn = (): void => {
    this.#turnIsTimed = false;
  };

  constructor(options: QueueOptions = {}) {
    const { clock = realClock, name, metrics, ageingMs = DEFAULT_AGEING_MS } = options;
    if (!(ageingMs > 0)) throw new InvalidArgumentError('ageingMs', ageingMs, 'a number above 0');
    if (metrics !== undefined && name === undefined)
      throw new InvalidArgumentError('name', name, 'given when there are metrics');
    this.clock = clock;
    this.name = name;
    this.#levels = new Levels(this.slots, ageingMs);
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
    return this.#processing;
  }

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  /** Whether a worker has the key now. */
  isProcessing(key: K): boolean {
    const state = this.#stateOf(key);
    return state === PROCESSING || state === PROCESSING_DIRTY;
  }

  /** Whether the key waits for a worker, or will run again once its worker is done. */
  isQueued(key: K): boolean {
    const state = this.#stateOf(key);
    return state === QUEUED || state === PROCESSING_DIRTY;
  }

  /** Asks for a run of the key. After shut down it does nothing and returns false. */
  add(key: K, options?: AddOptions<R>): boolean {
    if (this.#lifecycle !== 'open') return false;
    const priority = options?.priority === undefined ? DEFAULT_PRIORITY : checkedPriority(options.priority);
    const slot = this.slots.claim(key);
    this.enqueue(slot, priority);
    if (options?.reason !== undefined) this.slots.addReason(slot, options.reason);
    if (this.#waiters.size > 0) this.#serveWaiters();
    return true;
  }

  /**
   * Sets the priority of a queued key, up or down; it joins the end of that priority. False when the key
   * is not waiting.
   */
  setPriority(key: K, priority: number): boolean {
    checkedPriority(priority);
    if (!this.isQueued(key)) return false;
    this.#changePriority(this.slots.find(key), priority);
    return true;
  }

  /** The next key if one waits. The caller must call `done` for it. */
  tryGet(): WorkItem<K, R> | undefined {
    const slot = this.#levels.next();
    if (slot === NONE) return undefined;
    const { slots } = this;
    const now = this.#now();
    slots.setState(slot, PROCESSING);
    slots.setStartedAt(slot, now);
    this.#processing++;
    if (this.metrics !== undefined) this.metrics.started(this.#levels.length, now - slots.since(slot));
    return new HandedItem(slots, slot);
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
        this.done(item);
      }
    }
  }

  /** The worker has finished with the item. Queues its key again if it was added meanwhile. */
  done(item: WorkItem<K, R>): void {
    if (!(item instanceof HandedItem && item.isHeldFrom(this.slots))) throw new NotProcessingError(item.key);
    const slot = item.slot;
    const wasAddedAgain = this.slots.state(slot) === PROCESSING_DIRTY;
    this.#processing--;
    if (this.metrics !== undefined) this.metrics.finished(this.#now() - this.slots.startedAt(slot));
    if (wasAddedAgain && this.#lifecycle !== 'shut down') {
      this.slots.setState(slot, QUEUED);
      this.#levels.append(slot, this.slots.priority(slot));
      this.metrics?.depth(this.#levels.length);
      if (this.#waiters.size > 0) this.#serveWaiters();
    } else this.#makeIdle(slot);
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
      await this.#untilIdle(signal);
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
  protected queuedSlots(): Iterable<number> {
    return this.#levels;
  }

  protected get waitingWorkers(): number {
    return this.#waiters.size;
  }

  /** Queues the slot if it is not; whoever calls this must serve those who wait afterwards. */
  protected enqueue(slot: number, priority: number): void {
    const { slots } = this;
    const state = slots.state(slot);
    switch (state) {
      case IDLE:
        slots.setState(slot, QUEUED);
        slots.setPriority(slot, priority);
        slots.setSince(slot, this.#now());
        this.#levels.append(slot, priority);
        this.metrics?.added(this.#levels.length);
        break;
      case PROCESSING:
        slots.setState(slot, PROCESSING_DIRTY);
        slots.setPriority(slot, priority);
        slots.setSince(slot, this.#now());
        this.metrics?.added(this.#levels.length);
        break;
      case QUEUED:
      case PROCESSING_DIRTY:
        if (priority > slots.priority(slot)) this.#changePriority(slot, priority);
        break;
      default:
        state satisfies never;
    }
  }

  protected serveWaiters(): void {
    if (this.#waiters.size > 0) this.#serveWaiters();
  }

  #stateOf(key: K): number {
    const slot = this.slots.find(key);
    return slot === NONE ? IDLE : this.slots.state(slot);
  }

  #changePriority(slot: number, priority: number): void {
    const { slots } = this;
    if (slots.priority(slot) === priority) return;
    if (slots.state(slot) === QUEUED) this.#levels.move(slot, slots.priority(slot), priority);
    slots.setPriority(slot, priority);
  }

  #makeIdle(slot: number): void {
    this.slots.takeReasons(slot);
    this.slots.setState(slot, IDLE);
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
    for (let slot = this.#levels.next(); slot !== NONE; slot = this.#levels.next()) this.#makeIdle(slot);
    this.metrics?.depth(0);
  }

  #isIdle(): boolean {
    return this.#levels.length + this.#processing === 0;
  }

  #checkIdle(): void {
    if (!this.#isIdle()) return;
    for (const listener of this.#idleListeners) listener();
  }

  async #untilIdle(signal: AbortSignal | undefined): Promise<void> {
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

  /**
   * The time for ageing and for people: read once a turn of the microtask queue, because reading the
   * clock costs as much as an add. Metrics need it exact, and then it is.
   */
  #now(): number {
    if (this.metrics !== undefined) return this.clock.monotonic();
    if (!this.#turnIsTimed) {
      this.#turnIsTimed = true;
      this.#turnTime = Math.floor(this.clock.monotonic());
      queueMicrotask(this.#endTurn);
    }
    return this.#turnTime;
  }

  #unfinished(): UnfinishedWork {
    const now = this.clock.monotonic();
    let sumMs = 0;
    let longestMs = 0;
    for (const slot of this.slots.processing()) {
      const running = now - this.slots.startedAt(slot);
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
