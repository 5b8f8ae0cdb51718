import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import {
  type Clock,
  type Logger,
  type Metrics,
  noMetrics,
  onAbort,
  type Random,
  realClock,
  warningLogger,
} from '@windlass/base';
import {
  type Client,
  type ClientConfig,
  type ClientOptions,
  createClient,
  type DynamicObject,
  type KindQuery,
  type PluralQuery,
} from '@windlass/client';
import type { InformerTarget } from '@windlass/informer';
import { Cache, type CacheOptions, nameOf } from './cache/cache.ts';
import { KindClient } from './objects/kind-client.ts';
import type { Runnable, RunnableContext } from './runnable.ts';

/** Gives what is sent instead of the object. It throws when the object must not be written. */
export type BeforeWrite = <T extends KubeObject>(target: InformerTarget, object: T) => T;

/** The way to a cluster, and what is kept of it. */
export interface ClusterOptions {
  /** In logs and keys of several clusters. @default default */
  readonly name?: string;
  /** The way to the API server: one of `client`, `config` and `transport`. A client is not closed by us. */
  readonly client?: Client;
  readonly config?: ClientConfig;
  readonly transport?: NonNullable<ClientOptions['transport']>;
  /** For the client that is made of `config` or `transport`. */
  readonly clientOptions?: Omit<
    ClientOptions,
    'config' | 'transport' | 'clock' | 'random' | 'logger' | 'metrics'
  >;
  /** Only these namespaces are cached. @default all */
  readonly namespaces?: readonly string[];
  /** How informers behave. */
  readonly cache?: Omit<CacheOptions, 'client' | 'namespaces' | 'clock' | 'random' | 'logger' | 'metrics'>;
  /** Kinds that `objects` reads from the API server and does not cache, such as secrets. @default none */
  readonly uncached?: readonly InformerTarget[];
  /** How long a first read waits for its cache. @default 120000 */
  readonly syncTimeoutMs?: number;
  /**
   * How long a read waits until the cache has seen this process's own write. Then the API server is asked.
   * @default 5000
   */
  readonly ownWriteTimeoutMs?: number;
  /** Changes what is created, updated and applied, before it is sent. @default nothing is changed */
  readonly beforeWrite?: BeforeWrite;
  /** Throws when this process may not write now: set by a manager with leader election. @default writes always */
  readonly assertMayWrite?: () => void;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default the machine's */
  readonly random?: Random;
  /** @default errors are warnings of the process */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
}

/** How long a read waits for the cache to show this process's own writes. */
export const DEFAULT_OWN_WRITE_TIMEOUT_MS = 5000;
const DEFAULT_SYNC_TIMEOUT_MS = 120_000;

/** One API server: a client for it, a cache of what it serves, and the two put together for reconcilers. */
export class Cluster implements Runnable, AsyncDisposable {
  readonly name: string;
  readonly signalsReady = true;
  readonly client: Client;
  readonly cache: Cache;
  readonly #options: ClusterOptions;
  readonly #ownsClient: boolean;
  readonly #kinds = new Map<InformerTarget, KindClient<KubeObject>>();
  readonly #byName = new Map<string, KindClient<KubeObject>>();
  readonly #uncached: ReadonlySet<string>;
  #stopped: Promise<void> | undefined = undefined;

  constructor(options: ClusterOptions) {
    const { name = 'default', config, transport, clock, random, logger, metrics, namespaces } = options;
    const surroundings = {
      ...(clock !== undefined && { clock }),
      ...(random !== undefined && { random }),
      ...(metrics !== undefined && { metrics }),
      logger: (logger ?? warningLogger).with({ cluster: name }),
    };
    this.name = name;
    this.#options = options;
    this.#ownsClient = options.client === undefined;
    this.client =
      options.client ??
      createClient({
        ...surroundings,
        ...options.clientOptions,
        ...(config !== undefined && { config }),
        ...(transport !== undefined && { transport }),
      });
    this.cache = new Cache({
      // What is shared must not change under others; whoever tries hears of it at once.
      freeze: true,
      ...surroundings,
      ...options.cache,
      client: this.client,
      ...(namespaces !== undefined && { namespaces }),
    });
    this.#uncached = new Set((options.uncached ?? []).map(idOf));
  }

  /** Reads from the cache, writes to the server. Ask once and keep it, or ask each time: it is the same one. */
  objects<T extends KubeObject>(type: ResourceType<T>): KindClient<T>;
  objects<T extends KubeObject = DynamicObject>(query: KindQuery | PluralQuery): KindClient<T>;
  objects<T extends KubeObject>(target: InformerTarget): KindClient<T> {
    let found = this.#kinds.get(target);
    if (found === undefined) {
      const id = idOf(target);
      found = this.#byName.get(id) ?? this.#createKindClient(target, id);
      this.#byName.set(id, found);
      // Queries are often written in place; only kinds are kept by identity, so that nothing piles up.
      if ('namespaced' in target) this.#kinds.set(target, found);
    }
    // The target says which kind of object it is.
    return found as unknown as KindClient<T>;
  }

  /** Fills the caches that have been asked for, then runs until the signal aborts. */
  async run({ signal, ready }: RunnableContext): Promise<void> {
    this.cache.factory.start();
    await this.cache.factory.waitForCacheSync({
      signal,
      timeoutMs: this.#options.syncTimeoutMs ?? DEFAULT_SYNC_TIMEOUT_MS,
    });
    ready();
    await new Promise<void>((resolve) => void onAbort(signal, resolve));
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop(): Promise<void> {
    await Promise.all(Array.from(this.#byName.values(), (kind) => kind.release()));
    await this.cache.stop();
    if (this.#ownsClient) await this.client.close();
  }

  #createKindClient(target: InformerTarget, id: string): KindClient<KubeObject> {
    const { clock = realClock, syncTimeoutMs = DEFAULT_SYNC_TIMEOUT_MS } = this.#options;
    const { ownWriteTimeoutMs = DEFAULT_OWN_WRITE_TIMEOUT_MS, assertMayWrite = () => {} } = this.#options;
    const { beforeWrite, cache } = this.#options;
    const name = nameOf(target);
    const stale = (this.#options.metrics ?? noMetrics).counter({
      name: 'windlass_cache_stale_reads_total',
      help: 'Reads that went to the API server because the cache had not seen a write of this process in time',
      labelNames: ['resource'],
    });
    return new KindClient<KubeObject>({
      name,
      resource: this.client.resource<KubeObject>(target),
      kind: this.#uncached.has(id) ? undefined : () => this.cache.kind<KubeObject>(target),
      clock,
      syncTimeoutMs,
      ownWriteTimeoutMs,
      onStaleRead: () => stale.labels({ resource: name }).inc(),
      assertMayWrite,
      ...(beforeWrite !== undefined && { beforeWrite: (object) => beforeWrite(target, object) }),
      scope: cache?.tweakListOptions?.(target, {}) ?? {},
    });
  }
}

function idOf(target: InformerTarget): string {
  return `${target.group}/${target.version ?? '*'}/${'plural' in target ? target.plural : target.kind}`;
}
