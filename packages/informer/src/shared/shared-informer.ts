import type { KubeObject } from '@windlass/apimachinery';
import {
  type Clock,
  type Logger,
  orAbort,
  realClock,
  systemRandom,
  toError,
  warningLogger,
} from '@windlass/base';
import { Indexer, type Indexers, type ReadIndexer } from '../cache/indexer.ts';
import { createLister, type Lister, NAMESPACE_INDEX, namespaceOf } from '../cache/lister.ts';
import { objectPreparation } from '../cache/object-preparation.ts';
import { CacheSyncError, InformerStoppedError } from '../errors.ts';
import type { HandlerOptions } from '../handlers/handler-options.ts';
import { HandlerSet } from '../handlers/handler-set.ts';
import type { EventHandler } from '../handlers/notification.ts';
import type { Registration } from '../handlers/registration.ts';
import { type InformerMetrics, informerMetrics } from '../metrics.ts';
import { Reflector } from '../reflector/reflector.ts';
import { VersionGate, type WaitForVersionOptions } from '../versions/version-gate.ts';
import { CacheController } from './cache-controller.ts';
import type { Informer } from './informer.ts';
import { ServerContact } from './server-contact.ts';
import type { SharedInformerOptions } from './shared-informer-options.ts';

/** One watch and one cache of a kind, for any number of handlers. */
export class SharedInformer<T extends KubeObject> implements Informer<T>, AsyncDisposable {
  readonly name: string;
  readonly lister: Lister<T>;
  readonly #options: SharedInformerOptions<T>;
  readonly #metrics: InformerMetrics | undefined;
  readonly #indexer: Indexer<T>;
  readonly #handlers: HandlerSet<T>;
  readonly #gate: VersionGate;
  readonly #cache: CacheController<T>;
  readonly #contact: ServerContact;
  readonly #reflector: Reflector<T>;
  readonly #stopping = new AbortController();
  readonly #synced = Promise.withResolvers<void>();
  #lifecycle: 'new' | 'running' | 'stopped' = 'new';
  #running: Promise<void> = Promise.resolve();
  #stopCollecting: () => void = () => {};

  constructor(options: SharedInformerOptions<T>) {
    this.#options = options;
    const { resource, resyncMs = 0, clock = realClock } = options;
    this.name =
      options.name ?? (resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`);
    const logger = (options.logger ?? warningLogger).with({ informer: this.name });
    const metrics = options.metrics && informerMetrics(options.metrics, this.name);
    this.#metrics = metrics;
    this.#indexer = this.#createIndexer(logger);
    this.lister = createLister(this.#indexer, resource);
    this.#gate = new VersionGate(this.name, clock);
    this.#contact = new ServerContact({
      name: this.name,
      kind: kindText(resource),
      clock,
      logger,
      metrics,
      onReport: options.onReport,
    });
    this.#handlers = new HandlerSet<T>({
      clock,
      logger,
      metrics,
      resyncMs,
      entries: () => this.#indexer.entries(),
      onResync: () => this.#cache.resync(),
    });
    this.#cache = new CacheController<T>({
      name: this.name,
      indexer: this.#indexer,
      gate: this.#gate,
      handlers: this.#handlers,
      prepare: objectPreparation(options, logger),
      logger,
      metrics,
      onHeard: () => this.#contact.heard(),
      onSynced: () => this.#synced.resolve(),
    });
    this.#reflector = this.#createReflector(clock);
    // Nobody may be waiting when it is stopped.
    this.#synced.promise.catch(() => {});
  }

  get indexer(): ReadIndexer<T> {
    return this.#indexer;
  }

  get hasSynced(): boolean {
    return this.#cache.hasSynced;
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
    return this.#contact.lastError;
  }

  start(): void {
    this.#requireNotStopped();
    if (this.#lifecycle === 'running') return;
    this.#lifecycle = 'running';
    this.#stopCollecting = this.#options.metrics?.onCollect(() => this.#collect()) ?? this.#stopCollecting;
    this.#handlers.startResyncs();
    this.#running = this.#reflector
      .run(this.#stopping.signal)
      .catch((thrown: unknown) => this.#contact.failed(toError(thrown)));
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
      this.#handlers.stopResyncs();
      this.#stopCollecting();
      this.#gate.close(error);
      this.#synced.reject(error);
    }
    await Promise.all([this.#running, this.#handlers.removeAll()]);
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
    if (this.hasSynced) return 'synced';
    if (this.#lifecycle === 'new') return 'not started';
    if (this.#lifecycle === 'stopped') return 'stopped';
    return this.#contact.explain() ?? `no answer from the server yet, ${this.#reflector.phase}`;
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
    return this.#handlers.add(handler, options);
  }

  #createIndexer(logger: Logger): Indexer<T> {
    const { indexers } = this.#options;
    return new Indexer<T>({
      lazyIndexers: { [NAMESPACE_INDEX]: namespaceOf },
      ...(indexers !== undefined && { indexers }),
      onIndexError: (failed) => {
        this.#metrics?.indexErrors.inc();
        logger.error('an index function failed; the object is not in that index', { ...failed });
      },
    });
  }

  #createReflector(clock: Clock): Reflector<T> {
    return new Reflector<T>({
      ...this.#options,
      clock,
      random: this.#options.random ?? systemRandom,
      sink: this.#cache,
      onReport: (report) => this.#contact.report(report),
      onRequest: (request) => this.#metrics?.request(request),
    });
  }

  #collect(): void {
    this.#metrics?.storeSize.set(this.#indexer.size);
    this.#metrics?.resourceVersion(this.#gate.version);
    this.#metrics?.lastContact.set(this.#contact.silentMs / 1000);
    this.#handlers.updateMetrics();
  }

  #requireNotStopped(): void {
    if (this.isStopped) throw new InformerStoppedError(this.name);
  }
}

/** `the kind Foo (foos.example.com/v1)`, as far as it is known. */
function kindText({ group, plural, version, kind }: SharedInformerOptions<KubeObject>['resource']): string {
  const names = kind === plural ? [] : [plural];
  const place = [
    [...names, ...(group === '' ? [] : [group])].join('.'),
    ...(version === undefined ? [] : [version]),
  ];
  const resource = place.filter((part) => part !== '').join('/');
  return kind === undefined ? `the resource ${resource}` : `the kind ${kind} (${resource})`;
}
