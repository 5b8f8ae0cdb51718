import {
  abortError,
  type Clock,
  InvalidArgumentError,
  orAbort,
  realClock,
  throwIfAborted,
} from '@windlass/base';
import { NotProcessingError } from './errors.ts';
import { Levels } from './levels.ts';
import { type QueueMetrics, queueMetrics, type UnfinishedWork } from './metrics.ts';
import {
  type AddOptions,
  checkedPriority,
  DEFAULT_AGEING_MS,
  type GetOptions,
  type Lifecycle,
  priorityOf,
  type QueueOptions,
  type ShutDownOptions,
} from './queue-options.ts';
import { ReasonTable } from './reasons.ts';
import { IDLE, NONE, PROCESSING, PROCESSING_DIRTY, QUEUED, Slots, type State } from './slots.ts';
import { TurnClock } from './turn-clock.ts';
import { Waiters } from './waiters.ts';
import { HandedItem, type WorkItem } from './work-item.ts';

/**
 * Keys to work on, each handed to one worker at a time.
 *
 * - A key that is added while queued stays where it is: adds coalesce.
 * - A key that is added while a worker has it runs exactly once more, after `done`, however often it
 *   was added.
 * - Within a priority keys come first come, first served; see Levels for how priorities age.
 * - Keys are told apart as a Map does: strings and numbers by value, objects by identity.
 *
 * add, get, done: O(1). Everything is synchronous but waiting, so no lock is needed and no event is
 * lost between a look and a wait.
 */
export class Queue<K, R = string> implements AsyncDisposable {
  readonly name: string | undefined;
  protected readonly clock: Clock;
  protected readonly slots = new Slots<K>();
  protected readonly reasons = new ReasonTable<R>();
  /** None once the queue has ended. */
  protected metrics: QueueMetrics | undefined;
  readonly #turnClock: TurnClock;
  readonly #levels: Levels<K>;
  /** Somebody waits only while nothing is queued. */
  readonly #waiters = new Waiters<WorkItem<K, R>>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #take = (): WorkItem<K, R> | undefined => this.tryGet();
  #processing = 0;
  /** How many of those run again once they are done. */
  #dirty = 0;
  #lifecycle: Lifecycle = 'open';

  constructor(options: QueueOptions = {}) {
    const { clock = realClock, name, metrics, ageingMs = DEFAULT_AGEING_MS } = options;
    if (!(ageingMs > 0)) throw new InvalidArgumentError('ageingMs', ageingMs, 'a number above 0');
    this.clock = clock;
    this.name = name;
    this.#turnClock = new TurnClock(clock);
    this.#levels = new Levels(this.slots, ageingMs);
    if (metrics === undefined) return;
    if (name === undefined) throw new InvalidArgumentError('name', name, 'given when there are metrics');
    this.metrics = queueMetrics(metrics, name, () => this.#unfinished());
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
    const priority = priorityOf(options);
    if (this.#lifecycle !== 'open') return false;
    const slot = this.slots.claim(key);
    // Most adds of a busy key ask for a run that is to come anyway.
    const isNews = !this.slots.isPending(slot) || priority > this.slots.priority(slot);
    if (isNews) this.enqueue(slot, priority);
    if (options?.reason !== undefined) this.reasons.add(slot, options.reason);
    if (isNews) this.serveWaiters();
    return true;
  }

  /**
   * Sets the priority of a queued key, up or down. If that is a change it joins the end of its new
   * priority; what it has waited still counts. False when the key is not queued.
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
    if (this.metrics !== undefined) this.metrics.started(this.#depth, now - slots.since(slot));
    return new HandedItem(slots, slot, this.reasons.take(slot));
  }

  /**
   * The next key, as soon as there is one. The caller must call `done` for it. Resolves to undefined
   * when the queue is shut down and has no more to hand out; rejects when the signal aborts. A key that
   * it resolves to is the caller's even if the signal has aborted since.
   */
  get({ signal }: GetOptions = {}): Promise<WorkItem<K, R> | undefined> {
    if (signal?.aborted === true) return Promise.reject(abortError(signal));
    const item = this.tryGet();
    if (item !== undefined || this.#isExhausted()) return Promise.resolve(item);
    return this.#waiters.wait(signal);
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
    const slot = item instanceof HandedItem ? item.heldSlot(this.slots) : NONE;
    if (slot === NONE) throw new NotProcessingError(item);
    this.#processing--;
    if (this.metrics !== undefined) this.metrics.finished(this.#now() - this.slots.startedAt(slot));
    if (this.slots.state(slot) === PROCESSING_DIRTY) {
      this.#dirty--;
      this.slots.setState(slot, QUEUED);
      this.#levels.append(slot, this.slots.priority(slot));
      this.serveWaiters();
    } else this.slots.setState(slot, IDLE);
    if (this.#lifecycle !== 'open') this.#endIfIdle();
  }

  /**
   * Takes no more keys. Resolves when no worker holds one; with `drain`, when also none is queued, so
   * workers must go on until `get` gives them undefined. A second call without `drain` ends the draining.
   */
  async shutDown({ drain = false, signal }: ShutDownOptions = {}): Promise<void> {
    if (!drain) this.#giveUp();
    else if (this.#lifecycle === 'open') this.#lifecycle = 'draining';
    this.#endIfIdle();
    await orAbort(this.#ended.promise, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutDown();
  }

  /** Highest priority first, oldest first within one. */
  protected queuedSlots(): Iterable<number> {
    return this.#levels;
  }

  protected get waitingWorkers(): number {
    return this.#waiters.size;
  }

  /** Queues the slot if it is not; whoever calls this must serve those who wait afterwards. */
  protected enqueue(slot: number, priority: number): void {
    const state = this.slots.state(slot);
    switch (state) {
      case IDLE:
        this.#begin(slot, QUEUED, priority);
        this.#levels.append(slot, priority);
        this.metrics?.added(this.#depth);
        break;
      case PROCESSING:
        this.#begin(slot, PROCESSING_DIRTY, priority);
        this.#dirty++;
        this.metrics?.added(this.#depth);
        break;
      case QUEUED:
      case PROCESSING_DIRTY:
        if (priority > this.slots.priority(slot)) this.#changePriority(slot, priority);
        break;
      default:
        state satisfies never;
    }
  }

  protected serveWaiters(): void {
    if (this.#waiters.size > 0) this.#waiters.serve(this.#take);
  }

  /** As upstream counts it: what is queued, and what will be once its worker is done. */
  get #depth(): number {
    return this.#levels.length + this.#dirty;
  }

  #stateOf(key: K): State {
    const slot = this.slots.find(key);
    return slot === NONE ? IDLE : this.slots.state(slot);
  }

  #begin(slot: number, state: State, priority: number): void {
    this.slots.setState(slot, state);
    this.slots.setPriority(slot, priority);
    this.slots.setSince(slot, this.#now());
  }

  #changePriority(slot: number, priority: number): void {
    const before = this.slots.priority(slot);
    if (before === priority) return;
    this.slots.setPriority(slot, priority);
    if (this.slots.state(slot) === QUEUED) this.#levels.move(slot, before, priority);
  }

  #giveUp(): void {
    this.#lifecycle = 'shut down';
    for (let slot = this.#levels.next(); slot !== NONE; slot = this.#levels.next()) {
      this.slots.setState(slot, IDLE);
      this.reasons.take(slot);
    }
    for (const slot of this.slots.processing()) {
      this.slots.setState(slot, PROCESSING);
      this.reasons.take(slot);
    }
    this.#dirty = 0;
    this.metrics?.depth(0);
  }

  /** Nothing is queued, and nothing will be. */
  #isExhausted(): boolean {
    return this.#lifecycle !== 'open' && this.#depth === 0;
  }

  #endIfIdle(): void {
    if (!this.#isExhausted()) return;
    this.#waiters.dismiss();
    if (this.#processing > 0) return;
    this.#lifecycle = 'shut down';
    this.slots.sweep();
    this.metrics?.close();
    this.metrics = undefined;
    this.#ended.resolve();
  }

  /** Metrics need the time exact. */
  #now(): number {
    return this.metrics === undefined ? this.#turnClock.now() : this.clock.monotonic();
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
