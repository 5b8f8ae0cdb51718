import { type DeepReadonly, type KubeObject, type RawWatchEvent } from '@windlass/apimachinery';
import {
  type Clock,
  InvalidArgumentError,
  type Logger,
  type Metrics,
  orAbort,
  type Random,
  realClock,
  systemRandom,
  toError,
  warningLogger,
} from '@windlass/base';
import { applyDeltas } from './apply-deltas.ts';
import { DeltaFifo } from './delta-fifo.ts';
import { changes, type PublishedReport, publishChanges, reports } from './diagnostics.ts';
import { CacheSyncError, InformerStoppedError } from './errors.ts';
import type { FailureKind } from './failure.ts';
import { Indexer, type Indexers, type ReadIndexer } from './indexer.ts';
import { DEFAULT_MAX_BUFFERED, type HandlerOptions, type Informer } from './informer.ts';
import type { ListWatch } from './list-watch.ts';
import { Listener } from './listener.ts';
import { createLister, type Lister, NAMESPACE_INDEX, namespaceOf } from './lister.ts';
import { type InformerMetrics, informerMetrics } from './metrics.ts';
import type { EventHandler, Notification } from './notification.ts';
import { objectPreparation, type PreparationOptions } from './object-preparation.ts';
import { keyOrNone, Reflector, type ReflectorTuning } from './reflector.ts';
import type { Report } from './reflector-state.ts';
import { HandlerRegistration, type Registration } from './registration.ts';
import { ResyncSchedule } from './resync-schedule.ts';
import { VersionGate, type WaitForVersionOptions } from './version-gate.ts';

export interface SharedInformerOptions<T> extends ReflectorTuning, PreparationOptions<T> {
  readonly listWatch: ListWatch<T>;
  readonly resource: { readonly group: string; readonly plural: string };
  /** In metrics, logs and errors. @default the resource, as `deployments.apps` */
  readonly name?: string;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the machine's generator */
  readonly random?: Random;
  /** @default errors are warnings of the process */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
  /** Besides the one by namespace. */
  readonly indexers?: Indexers<T>;
  /** For handlers that do not say. @default 0, which is never */
  readonly resyncMs?: number;
  /** Each reopening, relisting and failure, also those in mid-stream. What it throws is logged. */
  readonly onReport?: (report: Report) => void;
}

/** One watch and one cache of a kind, for any number of handlers. */
export class SharedInformer<T extends KubeObject> implements Informer<T>, AsyncDisposable {
  readonly name: string;
  readonly lister: Lister<T>;
  readonly #options: SharedInformerOptions<T>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: InformerMetrics | undefined;
  readonly #prepare: ((object: T) => DeepReadonly<T>) | undefined;
  readonly #indexer: Indexer<T>;
  readonly #fifo = new DeltaFifo<T>();
  readonly #gate: VersionGate;
  readonly #reflector: Reflector<T>;
  readonly #resyncs: ResyncSchedule<HandlerRegistration<T>>;
  readonly #stopping = new AbortController();
  readonly #synced = Promise.withResolvers<void>();
  readonly #registrations = new Set<HandlerRegistration<T>>();
  /** Those who know the present state. Replaced, never changed, so that a round tells who was there at its start. */
  #handlers: readonly HandlerRegistration<T>[] = [];
  #handlerCount = 0;
  #lifecycle: 'new' | 'running' | 'stopped' = 'new';
  #hasSynced = false;
  #lastFailure: { readonly error: Error; readonly kind?: FailureKind } | undefined = undefined;
  #lastContact: number;
  #running: Promise<void> = Promise.resolve();
  /** Those whom the Sync that is being told is for. */
  #resyncing: ReadonlySet<HandlerRegistration<T>> = new Set();
  #stopCollecting: () => void = () => {};

  constructor(options: SharedInformerOptions<T>) {
    this.#options = options;
    requireResync(options.resyncMs ?? 0);
    const { resource } = options;
    this.name =
      options.name ?? (resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`);
    this.#clock = options.clock ?? realClock;
    this.#logger = (options.logger ?? warningLogger).with({ informer: this.name });
    this.#metrics = options.metrics && informerMetrics(options.metrics, this.name);
    this.#prepare = objectPreparation(options, this.#logger);
    this.#indexer = new Indexer<T>({
      lazyIndexers: { [NAMESPACE_INDEX]: namespaceOf },
      ...(options.indexers !== undefined && { indexers: options.indexers }),
      onIndexError: (failed) => {
        this.#metrics?.indexErrors.inc();
        this.#logger.error('an index function failed; the object is not in that index', { ...failed });
      },
    });
    this.lister = createLister(this.#indexer, resource);
    this.#gate = new VersionGate(this.name, this.#clock);
    this.#lastContact = this.#clock.monotonic();
    this.#resyncs = new ResyncSchedule(this.#clock, (due) => this.#resync(due));
    this.#reflector = new Reflector<T>({
      ...options,
      clock: this.#clock,
      random: options.random ?? systemRandom,
      sink: {
        replace: (objects, version, versionsAreUnique) => this.#replace(objects, version, versionsAreUnique),
        // The cache's objects go back into the cache and nowhere else.
        known: (key) => this.#indexer.get(key) as T | undefined,
        events: (events) => this.#take(events),
        malformed: (object) => this.#leaveOut(object),
      },
      onReport: (report) => this.#report(report),
      onRequest: (request) => this.#metrics?.request(request),
    });
    // Nobody may be waiting when it is stopped.
    this.#synced.promise.catch(() => {});
  }

  get indexer(): ReadIndexer<T> {
    return this.#indexer;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get resourceVersion(): string {
    return this.#gate.version;
  }

  get isStarted(): boolean {
    return this.#lifecycle !== 'new';
  }

  get isStopped(): boolean {
    return this.#lifecycle === 'stopped';
  }

  get lastError(): Error | undefined {
    return this.#lastFailure?.error;
  }

  start(): void {
    this.#requireNotStopped();
    if (this.#lifecycle === 'running') return;
    this.#lifecycle = 'running';
    this.#stopCollecting = this.#options.metrics?.onCollect(() => this.#collect()) ?? this.#stopCollecting;
    this.#resyncs.start();
    this.#running = this.#reflector.run(this.#stopping.signal).catch((thrown: unknown) => {
      const error = toError(thrown);
      this.#lastFailure = { error };
      this.#logger.error('the informer failed and has stopped; this is a defect', { error });
    });
  }

  /**
   * Stops watching and tells handlers nothing more. Resolves when nothing of it runs, so a handler must
   * not wait for it. What is cached can still be read. Cannot be undone.
   */
  async stop(): Promise<void> {
    if (this.#lifecycle !== 'stopped') {
      this.#lifecycle = 'stopped';
      const error = new InformerStoppedError(this.name);
      this.#stopping.abort(error);
      this.#resyncs.stop();
      this.#stopCollecting();
      this.#gate.close(error);
      this.#synced.reject(error);
    }
    await Promise.all([this.#running, ...[...this.#registrations].map((handler) => handler.remove())]);
    this.#metrics?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  synced(signal?: AbortSignal): Promise<void> {
    return orAbort(this.#synced.promise, signal).catch((thrown: unknown) => {
      if (this.isStopped) throw thrown;
      throw new CacheSyncError([{ name: this.name, why: this.whyNotSynced() }], thrown);
    });
  }

  whyNotSynced(): string {
    if (this.#hasSynced) return 'synced';
    if (this.#lifecycle === 'new') return 'not started';
    if (this.#lifecycle === 'stopped') return 'stopped';
    if (this.#lastFailure !== undefined) return explain(this.#lastFailure);
    return `no answer from the server yet, ${this.#reflector.phase}`;
  }

  waitForVersion(resourceVersion: string, options?: WaitForVersionOptions): Promise<void> {
    return this.#gate.wait(resourceVersion, options);
  }

  relist(): void {
    this.#reflector.relist();
  }

  addIndexers(indexers: Indexers<T>): void {
    this.#requireNotStopped();
    this.#indexer.addIndexers(indexers);
  }

  addHandler(handler: EventHandler<T>, options: HandlerOptions = {}): Registration {
    this.#requireNotStopped();
    const { resyncMs = this.#options.resyncMs ?? 0, wantsUnchanged = false } = options;
    const { maxBuffered = DEFAULT_MAX_BUFFERED } = options;
    requireResync(resyncMs);
    if (!(maxBuffered >= 1))
      throw new InvalidArgumentError('maxBuffered', maxBuffered, 'a number of at least 1');
    const name = options.name ?? `handler-${++this.#handlerCount}`;
    const metrics = this.#metrics?.handler(name);
    const registration = new HandlerRegistration<T>({
      listener: new Listener(handler, {
        name,
        clock: this.#clock,
        logger: this.#logger,
        maxBuffered,
        onError: () => metrics?.errors.inc(),
        onCoalesced: () => metrics?.coalesced.inc(),
      }),
      metrics,
      wantsUnchanged,
      onRemove: (removed) => this.#leave(removed),
    });
    this.#registrations.add(registration);
    this.#resyncs.add(registration, resyncMs);
    // Later, so that the caller has the registration before the handler is called.
    queueMicrotask(() => this.#join(registration));
    return registration;
  }

  /** Nothing changes while the present state is told, so nothing is missed and nothing is told twice. */
  #join(registration: HandlerRegistration<T>): void {
    if (registration.isRemoved) return;
    for (const [key, now] of this.#indexer.entries())
      registration.notify({ type: 'add', key, now, isInInitialList: true });
    this.#handlers = [...this.#handlers, registration];
    if (this.#hasSynced) registration.initialStateSent();
  }

  #leave(registration: HandlerRegistration<T>): void {
    this.#registrations.delete(registration);
    this.#resyncs.remove(registration);
    this.#handlers = this.#handlers.filter((other) => other !== registration);
  }

  #replace(objects: Map<string, T>, resourceVersion: string, versionsAreUnique: boolean): void {
    this.#heard();
    const prepare = this.#prepare;
    if (prepare !== undefined) {
      for (const [key, object] of objects) {
        // What the cache has already was prepared when it came.
        if (this.#indexer.get(key) !== object) objects.set(key, prepare(object) as T);
      }
    }
    // From here on nobody changes them.
    const prepared = objects as Map<string, DeepReadonly<T>>;
    this.#fifo.add({ type: 'Replaced', objects: prepared, resourceVersion, versionsAreUnique });
    this.#drain();
    if (this.#hasSynced) return;
    this.#hasSynced = true;
    this.#synced.resolve();
    for (const handler of this.#handlers) handler.initialStateSent();
  }

  #take(events: readonly RawWatchEvent[]): void {
    this.#heard();
    this.#metrics?.events.inc(events.length);
    const prepare = this.#prepare;
    for (const { type, object: raw } of events) {
      // The reflector passes on no ERROR, so this is an object of the kind.
      const object = raw as T;
      if (type === 'BOOKMARK') {
        const resourceVersion = object.metadata?.resourceVersion;
        if (resourceVersion !== undefined) this.#fifo.add({ type: 'Bookmark', resourceVersion });
        continue;
      }
      const key = keyOrNone(object);
      if (key === undefined) {
        this.#leaveOut(object);
        continue;
      }
      const prepared = prepare === undefined ? (object as DeepReadonly<T>) : prepare(object);
      const delta = type === 'MODIFIED' ? 'Updated' : type === 'ADDED' ? 'Added' : 'Deleted';
      this.#fifo.add({ type: delta, key, object: prepared });
    }
    this.#drain();
  }

  /** HandleDeltas: the cache first, then those who want to know. */
  #drain(): void {
    for (let batch = this.#fifo.popBatch(); batch.length > 0; batch = this.#fifo.popBatch()) {
      const handlers = this.#handlers;
      const wantsUnchanged = handlers.some((handler) => handler.wantsUnchanged);
      const applied = applyDeltas(this.#indexer, batch, {
        position: this.#gate.version,
        isInitialList: !this.#hasSynced,
        wantsUnchanged,
      });
      if (applied.stale > 0) this.#metrics?.stale.inc(applied.stale);
      if (changes.hasSubscribers) publishChanges(this.name, applied.notifications);
      for (const notification of applied.notifications) {
        for (const handler of handlers) if (this.#wants(handler, notification)) handler.notify(notification);
      }
      if (applied.resourceVersion === undefined) continue;
      if (batch[0]?.type === 'Replaced') this.#gate.reset(applied.resourceVersion);
      else this.#gate.advance(applied.resourceVersion);
    }
  }

  #wants(handler: HandlerRegistration<T>, notification: Notification<T>): boolean {
    if (notification.type !== 'sync') return true;
    return notification.cause === 'relist' ? handler.wantsUnchanged : this.#resyncing.has(handler);
  }

  #resync(due: ReadonlySet<HandlerRegistration<T>>): void {
    if (!this.#hasSynced) return;
    this.#resyncing = due;
    this.#fifo.add({ type: 'Sync' });
    this.#drain();
  }

  #leaveOut(object: unknown): void {
    this.#metrics?.malformed.inc();
    const kind = (object as KubeObject | undefined)?.kind;
    this.#logger.error('an object without a name is left out of the cache', { kind });
  }

  #heard(): void {
    this.#lastContact = this.#clock.monotonic();
    this.#lastFailure = undefined;
  }

  #report(report: Report): void {
    this.#metrics?.report(report);
    if (reports.hasSubscribers) reports.publish({ informer: this.name, report } satisfies PublishedReport);
    const error = report.failure?.error;
    if (report.failure !== undefined) this.#lastFailure = report.failure;
    const reason = 'reason' in report ? report.reason : report.failure.kind;
    const fields = { what: report.what, reason, error };
    if (error === undefined) this.#logger.debug('the watch goes on', fields);
    else this.#logger.warn('the watch was interrupted and goes on', fields);
    try {
      this.#options.onReport?.(report);
    } catch (thrown) {
      this.#logger.error('onReport threw', { error: toError(thrown) });
    }
  }

  #collect(): void {
    this.#metrics?.storeSize.set(this.#indexer.size);
    this.#metrics?.resourceVersion(this.#gate.version);
    this.#metrics?.lastContact.set((this.#clock.monotonic() - this.#lastContact) / 1000);
    for (const registration of this.#registrations) registration.updateMetrics();
  }

  #requireNotStopped(): void {
    if (this.isStopped) throw new InformerStoppedError(this.name);
  }
}

/** What the server said, and what to do about it. */
function explain({ error, kind }: { readonly error: Error; readonly kind?: FailureKind }): string {
  if (kind === 'not-found') return `${error.message}; is it installed? It is tried again until it is served`;
  if (kind === 'denied') return `${error.message}; it takes the verbs list and watch`;
  return error.message;
}

function requireResync(resyncMs: number): void {
  if (!(Number.isFinite(resyncMs) && resyncMs >= 0))
    throw new InvalidArgumentError('resyncMs', resyncMs, 'a finite number of at least 0');
}
