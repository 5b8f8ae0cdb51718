import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import { type Clock, type Logger, type Metrics, type Random, realClock, withDeadline } from '@windlass/base';
import type { Client, DynamicObject, KindQuery, PartialObjectMetadata, PluralQuery } from '@windlass/client';
import type { Indexers } from '../cache/indexer.ts';
import type { PreparationOptions } from '../cache/object-preparation.ts';
import { CacheSyncError, InformerConflictError, InformerStoppedError } from '../errors.ts';
import { clientListWatch } from '../list-watch/client-list-watch.ts';
import type { ListWatch } from '../list-watch/list-watch.ts';
import type { ReflectorTuning } from '../reflector/reflector-options.ts';
import type { Report } from '../reflector/reflector-state.ts';
import {
  type InformerForm,
  type InformerScope,
  type InformerTarget,
  identityOf,
  ResourceNames,
  shardOf,
} from './informer-key.ts';
import { InformerLease } from './informer-lease.ts';
import { SharedInformer } from './shared-informer.ts';

/** What the informers of a factory have in common. */
export interface SharedInformerFactoryOptions extends ReflectorTuning {
  readonly client: Client;
  /** For informers that do not say; a kind that is known to live in none has none. @default all namespaces */
  readonly namespace?: string;
  /** For handlers that do not say. @default 0, which is never */
  readonly resyncMs?: number;
  /**
   * The same for single resources, by plural and group: `{ 'deployments.apps': 60_000 }`. Who asks by the
   * kind alone names no plural, and gives `resyncMs` to `informer` instead.
   */
  readonly resyncMsFor?: Readonly<Record<string, number>>;
  /**
   * Which objects of a kind its informers watch, for all of them in one place: what is asked for goes in, what is asked of
   * the server comes out. Who asks for the same later gets the same informer.
   * @default what is asked for
   */
  readonly tweakListOptions?: (target: InformerTarget, scope: InformerScope) => InformerScope;
  /** Drops `metadata.managedFields` from every object. @default false */
  readonly dropManagedFields?: boolean;
  /** Lets equal texts of different objects be one: a sixth less memory for many pods. @default false */
  readonly shareTexts?: boolean;
  /** Freezes what is cached, so that a handler that changes it throws: for tests. @default false */
  readonly freeze?: boolean;
  /** Each reopening, relisting and failure of any informer. */
  readonly onReport?: (informer: string, report: Report) => void;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the machine's generator */
  readonly random?: Random;
  /** @default errors are warnings of the process */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
}

/** What a user of a shared informer needs of it. */
export interface InformerOptions<T extends KubeObject> extends InformerScope {
  /** Added to those that the informer has. */
  readonly indexers?: Indexers<T>;
  /** For this user's handlers that do not say. @default the factory's */
  readonly resyncMs?: number;
  /** As for a SharedInformer. All users of one informer must give the same function, or none. */
  readonly transform?: PreparationOptions<T>['transform'];
}

/** How long to wait for caches to fill. */
export interface WaitForCacheSyncOptions {
  readonly signal?: AbortSignal;
  /** @default 120000 */
  readonly timeoutMs?: number;
}

/** How long `waitForCacheSync` waits unless it is told otherwise. */
export const DEFAULT_SYNC_TIMEOUT_MS = 120_000;

/** As `InformerOptions`, for an informer that keeps only the metadata. */
export interface MetadataInformerOptions extends InformerOptions<PartialObjectMetadata> {
  /** Where somebody has the whole objects already, these are taken: they have the metadata, too. @default false */
  readonly reuseWhole?: boolean;
}

interface Shared {
  readonly informer: SharedInformer<KubeObject>;
  readonly transform: unknown;
  users: number;
}

/**
 * One informer for each resource, namespace, selector and form, whoever asks for it: one watch and one
 * cache in memory. Asking by type, by kind or by plural gives the same one. Each user releases what it
 * was given; the last one out stops the informer.
 */
export class SharedInformerFactory implements AsyncDisposable {
  readonly #options: SharedInformerFactoryOptions;
  readonly #names = new ResourceNames();
  readonly #informers = new Map<string, Shared>();
  #shutdown: Promise<void> | undefined = undefined;

  constructor(options: SharedInformerFactoryOptions) {
    this.#options = options;
  }

  /** For a kind of the generated modules. */
  informer<T extends KubeObject>(type: ResourceType<T>, options?: InformerOptions<T>): InformerLease<T>;
  /**
   * For a kind that is named at run time: a custom resource. One that is not served yet is tried again
   * until it is.
   */
  informer<T extends KubeObject = DynamicObject>(
    query: KindQuery | PluralQuery,
    options?: InformerOptions<T>,
  ): InformerLease<T>;
  informer<T extends KubeObject>(target: InformerTarget, options: InformerOptions<T> = {}): InformerLease<T> {
    return this.#lease<T>(target, options, 'full', (scope) => {
      const resource = this.#options.client.resource<T>(target);
      const { namespace } = scope;
      return this.#listWatch(
        target,
        namespace === undefined ? resource : resource.namespace(namespace),
        scope,
      );
    });
  }

  /** Nothing but the metadata of the objects, which is much less to send and to keep. */
  metadataInformer(
    target: InformerTarget,
    { reuseWhole = false, ...options }: MetadataInformerOptions = {},
  ): InformerLease<PartialObjectMetadata> {
    const full = this.#informers.get(
      identityOf(this.#names, target, this.#scopeOf(target, options), 'full').key,
    );
    if (reuseWhole && full !== undefined && full.transform === options.transform)
      return this.informer<PartialObjectMetadata>(target, options);
    return this.#lease<PartialObjectMetadata>(target, options, 'metadata', (scope) => {
      const resource = this.#options.client.resource<KubeObject>(target);
      const { namespace } = scope;
      const { metadata } = namespace === undefined ? resource : resource.namespace(namespace);
      return this.#listWatch(target, metadata, scope);
    });
  }

  /** Names of the informers there are. */
  get informers(): string[] {
    return [...this.#informers.values()].map(({ informer }) => informer.name);
  }

  /** Starts what is not running. To be called again after more was asked for. */
  start(): void {
    this.#requireRunning();
    for (const { informer } of this.#informers.values()) informer.start();
  }

  /**
   * Resolves when every cache has held its server's whole state.
   * @throws CacheSyncError that names those that have not, and why: not started, not allowed, not served
   */
  async waitForCacheSync(options: WaitForCacheSyncOptions = {}): Promise<void> {
    this.#requireRunning();
    const { signal, timeoutMs = DEFAULT_SYNC_TIMEOUT_MS } = options;
    const informers = [...this.#informers.values()].map(({ informer }) => informer);
    if (informers.some((informer) => !informer.isStarted)) throw syncError(informers);
    using deadline = withDeadline(this.#options.clock ?? realClock, timeoutMs, 'the sync of caches', signal);
    try {
      await Promise.all(informers.map((informer) => syncedOrReleased(informer, deadline.signal)));
    } catch (error) {
      throw syncError(informers, error);
    }
    this.#requireRunning();
  }

  /** Stops all informers; resolves when nothing of them runs. Cannot be undone. */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#stopAll();
    return this.#shutdown;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  #lease<T extends KubeObject>(
    target: InformerTarget,
    options: InformerOptions<T>,
    form: InformerForm,
    listWatchOf: (scope: InformerScope) => ListWatch<T>,
  ): InformerLease<T> {
    this.#requireRunning();
    const scope = this.#scopeOf(target, options);
    const { key, name } = identityOf(this.#names, target, scope, form);
    const shared = this.#informers.get(key) ?? this.#create(name, target, options, listWatchOf(scope));
    if (options.transform !== undefined && shared.transform !== options.transform)
      throw new InformerConflictError(name, 'transform');
    // The key says which kind of object it holds.
    const informer = shared.informer as unknown as SharedInformer<T>;
    if (options.indexers !== undefined) informer.addIndexers(options.indexers);
    this.#informers.set(key, shared);
    shared.users++;
    const resyncMs = options.resyncMs ?? this.#resyncMsOf(target);
    return new InformerLease({ informer, resyncMs, onRelease: () => this.#release(key, shared) });
  }

  #create<T extends KubeObject>(
    name: string,
    target: InformerTarget,
    { transform }: InformerOptions<T>,
    listWatch: ListWatch<T>,
  ): Shared {
    const {
      client: _,
      namespace: _namespace,
      resyncMs: _resync,
      tweakListOptions: _tweak,
      onReport,
      ...options
    } = this.#options;
    const informer = new SharedInformer<T>({
      ...options,
      listWatch,
      name,
      resource: {
        group: target.group,
        plural: 'plural' in target ? target.plural : target.kind,
        ...(target.version !== undefined && { version: target.version }),
        ...('kind' in target && { kind: target.kind }),
      },
      ...(transform !== undefined && { transform }),
      ...(onReport !== undefined && { onReport: (report) => onReport(name, report) }),
    });
    // Under its key it is found only by those who ask for this kind of object.
    return { informer: informer as unknown as SharedInformer<KubeObject>, transform, users: 0 };
  }

  #listWatch<T extends KubeObject>(
    target: InformerTarget,
    reader: Parameters<typeof clientListWatch<T>>[0],
    { labelSelector, fieldSelector, shardSelector }: InformerScope,
  ): ListWatch<T> {
    const isNamed = 'kind' in target && 'plural' in target;
    const shard = shardOf(shardSelector);
    return clientListWatch(reader, {
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
      ...(shard !== undefined && { shardSelector: shard }),
      ...(!isNamed && { discovery: this.#options.client.discovery }),
    });
  }

  #scopeOf<T extends KubeObject>(target: InformerTarget, options: InformerOptions<T>): InformerScope {
    const { labelSelector, fieldSelector, shardSelector } = options;
    const namespace = options.namespace ?? this.#namespaceFor(target);
    const scope: InformerScope = {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
      ...(shardSelector !== undefined && { shardSelector }),
    };
    return this.#options.tweakListOptions?.(target, scope) ?? scope;
  }

  #namespaceFor(target: InformerTarget): string | undefined {
    const isInNone = 'namespaced' in target && !target.namespaced;
    return isInNone ? undefined : this.#options.namespace;
  }

  #resyncMsOf(target: InformerTarget): number {
    const { resyncMs = 0, resyncMsFor = {} } = this.#options;
    if (!('plural' in target)) return resyncMs;
    return resyncMsFor[target.group === '' ? target.plural : `${target.plural}.${target.group}`] ?? resyncMs;
  }

  async #release(key: string, shared: Shared): Promise<void> {
    shared.users--;
    if (shared.users > 0) return;
    // Whoever asks from now on gets a new one.
    if (this.#informers.get(key) === shared) this.#informers.delete(key);
    await shared.informer.stop();
  }

  async #stopAll(): Promise<void> {
    const informers = [...this.#informers.values()];
    await Promise.all(informers.map(({ informer }) => informer.stop()));
    this.#informers.clear();
  }

  #requireRunning(): void {
    if (this.#shutdown !== undefined) throw new InformerStoppedError('the factory');
  }
}

/** Who releases an informer does not wait for it any more. */
async function syncedOrReleased(informer: SharedInformer<KubeObject>, signal: AbortSignal): Promise<void> {
  try {
    await informer.synced(signal);
  } catch (error) {
    if (!informer.isStopped) throw error;
  }
}

function syncError(informers: readonly SharedInformer<KubeObject>[], cause?: unknown): CacheSyncError {
  const unsynced = informers.filter((informer) => !informer.hasSynced);
  return new CacheSyncError(
    unsynced.map((informer) => ({ name: informer.name, why: informer.whyNotSynced() })),
    cause,
  );
}
