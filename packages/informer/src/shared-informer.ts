import {
  type DeepReadonly,
  deepFreeze,
  type KubeObject,
  keyOf,
  type RawWatchEvent,
} from '@windlass/apimachinery';
import {
  type Clock,
  InvalidArgumentError,
  type Logger,
  type Metrics,
  orAbort,
  type Random,
  realClock,
  silentLogger,
  systemRandom,
  type Timer,
  toError,
} from '@windlass/base';
import { applyDeltas } from './apply-deltas.ts';
import { DeltaFifo } from './delta-fifo.ts';
import { CacheSyncError, InformerStoppedError } from './errors.ts';
import { Indexer, type Indexers, type ReadIndexer } from './indexer.ts';
import type { ListWatch } from './list-watch.ts';
import { Listener } from './listener.ts';
import { createLister, type Lister, NAMESPACE_INDEX, namespaceOf } from './lister.ts';
import { type InformerMetrics, informerMetrics } from './metrics.ts';
import type { EventHandler, Notification } from './notification.ts';
import { Reflector, type ReflectorOptions } from './reflector.ts';
import type { Report } from './reflector-step.ts';
import { HandlerRegistration, type Registration } from './registration.ts';
import { VersionGate, type WaitForVersionOptions } from './version-gate.ts';

type ReflectorTuning = Pick<
  ReflectorOptions<KubeObject>,
  'streaming' | 'pageSize' | 'minWatchSeconds' | 'silenceMs' | 'streamSilenceMs' | 'backoff'
>;

export interface SharedInformerOptions<T> extends ReflectorTuning {
  readonly listWatch: ListWatch<T>;
  readonly resource: { readonly group: string; readonly version: string; readonly plural: string };
  /** In metrics, logs and errors. Default: the resource, as `deployments.apps`. */
  readonly name?: string;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the machine's generator */
  readonly random?: Random;
  /** @default none */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
  /** Besides the one by namespace. */
  readonly indexers?: Indexers<T>;
  /**
   * Changes each object before it is cached: to drop what nobody reads. May change the object it is given
   * and return it. One that throws leaves the object as it is, and is logged.
   */
  readonly transform?: (object: T) => T;
  /**
   * Drops `metadata.managedFields`, often half of an object.
   * @default false
   */
  readonly dropManagedFields?: boolean;
  /**
   * Freezes what is cached, so that a handler that changes it throws. Costs time: for tests.
   * @default false
   */
  readonly freeze?: boolean;
  /** Each reopening, relisting and failure, also those in mid-stream. */
  readonly onReport?: (report: Report) => void;
}

export interface HandlerOptions {
  /** In metrics and logs. Default: `handler-1`, `handler-2`, … */
  readonly name?: string;
  /**
   * Reminds the handler of every object each time so many milliseconds have passed. 0 for never.
   * @default 0
   */
  readonly resyncMs?: number;
  /**
   * Tells the handler of objects that a relist found unchanged, too.
   * @default false
   */
  readonly wantsUnchanged?: boolean;
  /**
   * From this many waiting notifications on, those for one key are merged.
   * @default 1000
   */
  readonly maxBuffered?: number;
}

export const DEFAULT_MAX_BUFFERED = 1000;
/** Nobody is reminded more often. */
export const MIN_RESYNC_MS = 1000;

type Lifecycle = 'new' | 'running' | 'stopped';

/**
 * One watch and one cache of a kind, for any number of handlers.
 *
 * - The cache's states are a subsequence of the server's, in order, and never go back in time.
 * - Cache and indices are up to date before any handler is told.
 * - A handler gets what happens to one object in order. Handlers do not wait for each other.
 * - A handler that comes late first gets the present state.
 */
export class SharedInformer<T extends KubeObject> implements AsyncDisposable {
  readonly name: string;
  readonly #options: SharedInformerOptions<T>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: InformerMetrics | undefined;
  readonly #indexer: Indexer<T>;
  readonly #fifo = new DeltaFifo<T>();
  readonly #gate: VersionGate;
  readonly #reflector: Reflector<T>;
  readonly #stopping = new AbortController();
  readonly #synced = Promise.withResolvers<void>();
  readonly lister: Lister<T>;
  /** Replaced, never changed, so that a round of notifications is told to those who were there at its start. */
  #handlers: readonly HandlerRegistration<T>[] = [];
  #handlerCount = 0;
  #lifecycle: Lifecycle = 'new';
  #hasSynced = false;
  #lastError: Error | undefined = undefined;
  #lastContact: number;
  #running: Promise<void> = Promise.resolve();
  #resyncTimer: Timer | undefined = undefined;
  /** Those whom the last Sync is for. */
  #resyncing: ReadonlySet<HandlerRegistration<T>> = new Set();
  #stopCollecting: () => void = () => {};

  constructor(options: SharedInformerOptions<T>) {
    this.#options = options;
    const { resource } = options;
    this.name =
      options.name ?? (resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`);
    this.#clock = options.clock ?? realClock;
    this.#logger = (options.logger ?? silentLogger).with({ informer: this.name });
    this.#metrics = options.metrics === undefined ? undefined : informerMetrics(options.metrics, this.name);
    this.#indexer = new Indexer<T>(
      { [NAMESPACE_INDEX]: namespaceOf, ...options.indexers },
      ({ index, key, error }) =>
        this.#logger.error('an index function failed; the object is not in that index', {
          index,
          key,
          error,
        }),
    );
    this.lister = createLister(this.#indexer, resource);
    this.#gate = new VersionGate(this.name, this.#clock);
    this.#lastContact = this.#clock.monotonic();
    this.#reflector = new Reflector<T>({
      ...tuningOf(options),
      listWatch: options.listWatch,
      clock: this.#clock,
      random: options.random ?? systemRandom,
      sink: {
        replace: (objects, version, isHistoryLost) => this.#replace(objects, version, isHistoryLost),
        events: (events) => this.#take(events),
      },
      onReport: (report) => this.#report(report),
      onRequest: (request) => this.#metrics?.request(request),
    });
    // Nobody may be waiting when it is stopped.
    this.#synced.promise.catch(() => {});
  }

  /** The cache. Shared by all: read only. */
  get indexer(): ReadIndexer<T> {
    return this.#indexer;
  }

  /** Whether the cache has held the server's whole state. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The version that the cache is at; empty before the first list. */
  get resourceVersion(): string {
    return this.#gate.version;
  }

  get isStopped(): boolean {
    return this.#lifecycle === 'stopped';
  }

  /** What last went wrong with the server; undefined when it answers. */
  get lastError(): Error | undefined {
    return this.#lastError;
  }

  /** Starts watching. Does nothing when it runs already. */
  start(): void {
    if (this.#lifecycle === 'stopped') throw new InformerStoppedError(this.name);
    if (this.#lifecycle === 'running') return;
    this.#lifecycle = 'running';
    this.#stopCollecting = this.#options.metrics?.onCollect(() => this.#collect()) ?? this.#stopCollecting;
    this.#armResync();
    this.#running = this.#reflector.run(this.#stopping.signal).catch((thrown: unknown) => {
      this.#lastError = toError(thrown);
      this.#logger.error('the informer failed and has stopped; this is a defect', { error: this.#lastError });
    });
  }

  /** Stops watching and tells handlers nothing more. Resolves when nothing of it runs. Cannot be undone. */
  async stop(): Promise<void> {
    if (this.#lifecycle !== 'stopped') {
      this.#lifecycle = 'stopped';
      this.#stopping.abort();
      this.#resyncTimer?.cancel();
      this.#stopCollecting();
      this.#synced.reject(new InformerStoppedError(this.name));
    }
    await this.#running;
    await Promise.all(this.#handlers.map((handler) => handler.remove()));
    this.#metrics?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Resolves when the cache has held the server's whole state. */
  synced(signal?: AbortSignal): Promise<void> {
    return orAbort(this.#synced.promise, signal).catch((thrown: unknown) => {
      if (this.isStopped) throw thrown;
      throw new CacheSyncError([{ name: this.name, why: this.whyNotSynced() }], thrown);
    });
  }

  /** For messages to people. */
  whyNotSynced(): string {
    if (this.#lifecycle === 'new') return 'not started';
    if (this.#lastError !== undefined) return this.#lastError.message;
    return this.#hasSynced ? 'synced' : `no answer from the server yet, ${this.#reflector.phase}`;
  }

  /** Waits until the cache has seen this version: that of a write of one's own. */
  waitForVersion(resourceVersion: string, options?: WaitForVersionOptions): Promise<void> {
    return this.#gate.wait(resourceVersion, options);
  }

  /** Reads everything from the server anew. */
  relist(): void {
    this.#reflector.relist();
  }

  /** May be called at any time, but not after stop. */
  addIndexers(indexers: Indexers<T>): void {
    if (this.isStopped) throw new InformerStoppedError(this.name);
    this.#indexer.addIndexers(indexers);
  }

  /** A handler that comes after the start is first told of everything in the cache. */
  addHandler(handler: EventHandler<T>, options: HandlerOptions = {}): Registration {
    if (this.isStopped) throw new InformerStoppedError(this.name);
    const { resyncMs = 0, wantsUnchanged = false, maxBuffered = DEFAULT_MAX_BUFFERED } = options;
    if (!(Number.isFinite(resyncMs) && resyncMs >= 0))
      throw new InvalidArgumentError('resyncMs', resyncMs, 'a finite number of at least 0');
    if (!(maxBuffered >= 1))
      throw new InvalidArgumentError('maxBuffered', maxBuffered, 'a number of at least 1');
    const name = options.name ?? `handler-${++this.#handlerCount}`;
    const metrics = this.#metrics?.handler(name);
    const registration = new HandlerRegistration<T>({
      listener: new Listener(handler, {
        name,
        logger: this.#logger,
        maxBuffered,
        onError: () => metrics?.errors.inc(),
        onCoalesced: () => metrics?.coalesced.inc(),
      }),
      metrics,
      resyncMs: resyncMs === 0 ? 0 : Math.max(resyncMs, MIN_RESYNC_MS),
      wantsUnchanged,
      onRemove: (removed) => {
        this.#handlers = this.#handlers.filter((other) => other !== removed);
        this.#armResync();
      },
    });
    // Joins only after it has been told the present state: what comes later is told to it with the rest.
    for (const [key, now] of this.#indexer.snapshot())
      registration.notify({ type: 'add', key, now, isInInitialList: true });
    this.#handlers = [...this.#handlers, registration];
    if (this.#hasSynced) registration.initialStateSent();
    if (registration.resyncMs > 0)
      registration.nextResyncAt = this.#clock.monotonic() + registration.resyncMs;
    this.#armResync();
    return registration;
  }

  #replace(objects: ReadonlyMap<string, T>, resourceVersion: string, isHistoryLost: boolean): void {
    this.#heard();
    let prepared = objects as ReadonlyMap<string, DeepReadonly<T>>;
    if (this.#needsPreparing) {
      const changed = new Map<string, DeepReadonly<T>>();
      for (const [key, object] of objects) changed.set(key, this.#prepare(object));
      prepared = changed;
    }
    this.#fifo.add({
      type: 'Replaced',
      objects: prepared,
      resourceVersion,
      versionsAreUnique: !isHistoryLost,
    });
    this.#drain();
    if (this.#hasSynced) return;
    this.#hasSynced = true;
    this.#synced.resolve();
    for (const handler of this.#handlers) handler.initialStateSent();
  }

  #take(events: readonly RawWatchEvent[]): void {
    this.#heard();
    this.#metrics?.events(events.length);
    for (const event of events) {
      // The reflector passes on no ERROR, so this is an object of the kind.
      const object = event.object as T;
      if (event.type === 'BOOKMARK') {
        const resourceVersion = object.metadata?.resourceVersion;
        if (resourceVersion !== undefined) this.#fifo.add({ type: 'Bookmark', resourceVersion });
        continue;
      }
      const type = event.type === 'ADDED' ? 'Added' : event.type === 'DELETED' ? 'Deleted' : 'Updated';
      this.#fifo.add({
        type,
        key: keyOf(object),
        object: this.#needsPreparing ? this.#prepare(object) : (object as DeepReadonly<T>),
      });
    }
    this.#drain();
  }

  /** HandleDeltas: the cache first, then those who want to know. */
  #drain(): void {
    for (let batch = this.#fifo.popBatch(); batch.length > 0; batch = this.#fifo.popBatch()) {
      const handlers = this.#handlers;
      const wantsRelistSync = handlers.some((handler) => handler.wantsUnchanged);
      const applied = applyDeltas(this.#indexer, batch, { isInitialList: !this.#hasSynced, wantsRelistSync });
      if (applied.stale > 0) this.#metrics?.stale(applied.stale);
      for (const notification of applied.notifications) {
        for (const handler of handlers) if (this.#wants(handler, notification)) handler.notify(notification);
      }
      if (applied.resourceVersion !== undefined) this.#gate.advance(applied.resourceVersion);
    }
  }

  #wants(handler: HandlerRegistration<T>, notification: Notification<T>): boolean {
    if (notification.type !== 'sync') return true;
    return notification.cause === 'relist' ? handler.wantsUnchanged : this.#resyncing.has(handler);
  }

  #resync(): void {
    this.#resyncTimer = undefined;
    const now = this.#clock.monotonic();
    const due = this.#handlers.filter(
      (handler) => handler.nextResyncAt !== undefined && handler.nextResyncAt <= now,
    );
    for (const handler of due) handler.nextResyncAt = now + handler.resyncMs;
    if (due.length > 0 && this.#hasSynced) {
      this.#resyncing = new Set(due);
      this.#fifo.add({ type: 'Sync' });
      this.#drain();
    }
    this.#armResync();
  }

  #armResync(): void {
    this.#resyncTimer?.cancel();
    this.#resyncTimer = undefined;
    if (this.#lifecycle !== 'running') return;
    let next = Number.POSITIVE_INFINITY;
    for (const handler of this.#handlers)
      next = Math.min(next, handler.nextResyncAt ?? Number.POSITIVE_INFINITY);
    if (next === Number.POSITIVE_INFINITY) return;
    this.#resyncTimer = this.#clock.setTimeout(() => this.#resync(), next - this.#clock.monotonic(), {
      keepAlive: false,
    });
  }

  get #needsPreparing(): boolean {
    const { transform, dropManagedFields, freeze } = this.#options;
    return transform !== undefined || dropManagedFields === true || freeze === true;
  }

  #prepare(object: T): DeepReadonly<T> {
    const { transform, dropManagedFields, freeze } = this.#options;
    let prepared = object;
    if (dropManagedFields === true && prepared.metadata?.managedFields !== undefined)
      delete prepared.metadata.managedFields;
    if (transform !== undefined) {
      try {
        prepared = transform(prepared);
      } catch (thrown) {
        this.#logger.error('the transform failed; the object is cached as it came', {
          key: keyOf(object),
          error: toError(thrown),
        });
      }
    }
    return (freeze === true ? deepFreeze(prepared) : prepared) as DeepReadonly<T>;
  }

  #heard(): void {
    this.#lastContact = this.#clock.monotonic();
    this.#lastError = undefined;
  }

  #report(report: Report): void {
    this.#metrics?.report(report);
    const failure = 'failure' in report ? report.failure : undefined;
    if (failure !== undefined) this.#lastError = failure.error;
    const isRoutine = report.what === 'reopen' && report.reason === 'closed';
    const fields = { ...report, failure: undefined, error: failure?.error };
    if (isRoutine || report.what === 'streaming-unsupported')
      this.#logger.debug('the watch continues', fields);
    else this.#logger.warn('the watch was interrupted and continues', fields);
    this.#options.onReport?.(report);
  }

  #collect(): void {
    this.#metrics?.storeSize(this.#indexer.size);
    this.#metrics?.resourceVersion(this.#gate.version);
    this.#metrics?.lag((this.#clock.monotonic() - this.#lastContact) / 1000);
    for (const handler of this.#handlers) handler.updateMetrics();
  }
}

function tuningOf<T>(options: SharedInformerOptions<T>): ReflectorTuning {
  const { streaming, pageSize, minWatchSeconds, silenceMs, streamSilenceMs, backoff } = options;
  return {
    ...(streaming !== undefined && { streaming }),
    ...(pageSize !== undefined && { pageSize }),
    ...(minWatchSeconds !== undefined && { minWatchSeconds }),
    ...(silenceMs !== undefined && { silenceMs }),
    ...(streamSilenceMs !== undefined && { streamSilenceMs }),
    ...(backoff !== undefined && { backoff }),
  };
}
