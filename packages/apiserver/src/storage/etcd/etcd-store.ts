import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import {
  type Clock,
  type Logger,
  type Metrics,
  noMetrics,
  type Random,
  realClock,
  silentLogger,
  systemRandom,
  toError,
} from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import { requireKey, requireWhole } from '../arguments.ts';
import { FutureRevisionError, StoreClosedError } from '../errors.ts';
import type { RetentionOptions } from '../retention.ts';
import type {
  ListOptions,
  ReadOptions,
  Store,
  StoredList,
  StoredObject,
  StoreKey,
  StoreWatch,
  WatchOptions,
} from '../store.ts';
import { type StoreMetrics, storeMetrics } from '../store-metrics.ts';
import { Watcher } from '../watcher.ts';
import { Compactor } from './compactor.ts';
import { parseEncryptionConfiguration } from './encryption/configuration.ts';
import { encryptedValues } from './encryption/encrypted-values.ts';
import { EtcdUnusableError, isCompacted, StorageUnavailableError } from './errors.ts';
import { EtcdClient, type EtcdServers } from './etcd-client.ts';
import { EventLeases } from './event-leases.ts';
import { Feed } from './feed.ts';
import { Freshness, revisionOf } from './freshness.ts';
import { DEFAULT_PREFIX, etcdKey } from './keys.ts';
import { PendingWrites } from './pending-writes.ts';
import { describeEtcd } from './release.ts';
import { ServerLeases } from './server-leases.ts';
import { Slots } from './slots.ts';
import { PLAIN_VALUES } from './value-codec.ts';
import { WatchCache } from './watch-cache.ts';
import { type WriteOptions, writeOnce } from './write.ts';

/** Where the etcd is, and what of it is the store's. */
export interface EtcdStoreOptions extends EtcdServers, RetentionOptions {
  /** All keys begin so. @default '/registry' */
  readonly prefix?: string | undefined;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default none */
  readonly logger?: Logger;
  /** @default measures nothing */
  readonly metrics?: Metrics;
  /** @default the machine's generator */
  readonly random?: Random;
  /** An EncryptionConfiguration, as YAML or JSON: what is encrypted in etcd. @default nothing */
  readonly encryption?: string | undefined;
  /** How long an event stays, in milliseconds. @default 3600000 */
  readonly eventTtlMs?: number;
  /**
   * How often the past is forgotten, in milliseconds, up to where it was the time before: by one of all API servers on the
   * etcd. 0 leaves it to others. @default 300000
   */
  readonly compactionMs?: number;
}

const PAST_REVISIONS = 10_000;
const MAX_BUFFERED = 10_000;
const PROBE_MS = 1000;
/** More than what an API server writes at once wait here: those that etcd cannot answer in time would be sent again. */
const WRITES_AT_ONCE = 128;

/**
 * The store on etcd, as kube-apiserver has it: the same keys and bytes, etcd's revision as the only one, and any number of
 * servers at once. Reads come from a cache that etcd's watch feeds, and that asks etcd how far it is before each read.
 * @throws EtcdUnusableError, StorageUnavailableError, EncryptionConfigurationError
 */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<Store> {
  const {
    clock = realClock,
    logger = silentLogger,
    metrics = noMetrics,
    random = systemRandom,
    prefix = DEFAULT_PREFIX,
    encryption,
  } = options;
  const values =
    encryption === undefined
      ? PLAIN_VALUES
      : encryptedValues(parseEncryptionConfiguration(encryption, random), prefix);
  const client = new EtcdClient(options, { clock, metrics });
  const measured = storeMetrics(metrics);
  const restarts = metrics
    .counter({
      name: 'windlass_etcd_watch_restarts_total',
      help: 'Watches of etcd that broke and were made again',
    })
    .labels();
  const pending = new PendingWrites();
  const parts = { client, prefix, values, pending, clock, logger, metrics };
  const cache = new WatchCache({ ...options, ...parts }, measured);
  try {
    const { id, isProgressSafe } = await describeEtcd(client, prefix, logger);
    const feed = new Feed({
      ...parts,
      cache,
      isProgressSafe,
      pastRevisions: PAST_REVISIONS,
      onRestart: () => restarts.inc(),
    });
    await feed.start();
    const store = new EtcdStore(
      id,
      { ...parts, cache, feed, measured },
      {
        leases: new EventLeases(client, { clock, random, ttlMs: options.eventTtlMs }),
        servers: new ServerLeases(client, prefix, random),
        compactor: new Compactor(client, { clock, logger, everyMs: options.compactionMs }),
      },
    );
    await store.ready();
    return store;
  } catch (error) {
    await client.close();
    throw asUnusable(options.servers, error);
  }
}

/** Whoever starts a server is told why etcd does not answer, and which one. */
function asUnusable(servers: readonly string[], error: unknown): Error {
  if (!(error instanceof StorageUnavailableError) && !(error instanceof GrpcError)) return toError(error);
  const reason = error instanceof GrpcError ? error.message : toError(error.cause).message;
  return new EtcdUnusableError(
    `the etcd at ${servers.join(', ')} cannot be used: ${reason}; check that it runs, and the --etcd flags`,
    error,
  );
}

interface Parts extends WriteOptions {
  readonly prefix: string;
  readonly feed: Feed;
  readonly measured: StoreMetrics;
}

interface Helpers {
  readonly leases: EventLeases;
  readonly compactor: Compactor;
  readonly servers: ServerLeases;
}

class EtcdStore implements Store {
  readonly id: string;
  readonly isShared = true;
  readonly servers: ServerLeases;
  readonly expiresEvents = true;
  readonly failure = undefined;
  readonly #parts: Parts;
  readonly #cache: WatchCache;
  readonly #freshness: Freshness;
  readonly #leases: EventLeases;
  readonly #compactor: Compactor;
  readonly #slots = new Slots(WRITES_AT_ONCE);
  /** The last write of each key that is under way: the next one waits for it. */
  readonly #last = new Map<StoreKey, Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(id: string, parts: Parts, { leases, compactor, servers }: Helpers) {
    this.id = id;
    this.servers = servers;
    this.#parts = parts;
    this.#cache = parts.cache;
    this.#freshness = new Freshness(
      () => revisionOf(parts.client, parts.prefix),
      parts.cache,
      parts.clock,
      () =>
        parts.feed.beginAnew(
          'etcd has lost revisions; was an older snapshot restored without --bump-revision?',
        ),
    );
    this.#leases = leases;
    this.#compactor = compactor;
  }

  /** Everything that was there when it was opened can be read. */
  ready(): Promise<void> {
    this.#compactor.start();
    return this.#freshness.latest();
  }

  get revision(): number {
    return this.#cache.state.revision;
  }

  get compactedRevision(): number {
    return this.#cache.state.compactedRevision;
  }

  async problem(): Promise<string | undefined> {
    if (this.#closing !== undefined) return new StoreClosedError().message;
    const { client, prefix } = this.#parts;
    try {
      await client.once((etcd) =>
        etcd.range({ key: Buffer.from(`${prefix}/`), countOnly: true }, { timeoutMs: PROBE_MS }),
      );
      return undefined;
    } catch (error) {
      return `etcd does not answer: ${toError(error).message}`;
    }
  }

  async get(key: StoreKey, options: ReadOptions = {}): Promise<StoredObject | undefined> {
    await this.#readable(options);
    return this.#cache.state.get(key, options.revision);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<StoredList> {
    requireWhole('limit', options.limit ?? 0, 0);
    await this.#readable(options);
    return this.#cache.state.list(prefix, options);
  }

  put(key: StoreKey, object: DeepReadonly<KubeObject>, expected: number): Promise<StoredObject> {
    return this.#inTurn(key, () => {
      requireKey(key);
      requireWhole('expected', expected, 0);
      return this.#write(key, object, expected);
    });
  }

  delete(key: StoreKey, expected: number): Promise<StoredObject> {
    return this.#inTurn(key, () => {
      requireWhole('expected', expected, 1);
      return this.#write(key, undefined, expected);
    });
  }

  watch(prefix: string, options: WatchOptions): StoreWatch {
    this.#requireOpen();
    const { fromRevision, signal, maxBuffered = MAX_BUFFERED } = options;
    requireWhole('fromRevision', fromRevision, 0);
    return new Watcher(this.#cache.hub, prefix, fromRevision, maxBuffered, signal);
  }

  async compact(revision: number): Promise<void> {
    this.#requireOpen();
    requireWhole('revision', revision, 0);
    if (revision > this.revision) throw new FutureRevisionError(revision, this.revision);
    if (revision <= this.compactedRevision) return;
    try {
      await this.#parts.client.read('compacting', (etcd) => etcd.compact({ revision }));
    } catch (error) {
      if (!isCompacted(error)) throw error;
    }
    this.#cache.forget(revision);
  }

  async waitFor(revision: number, signal?: AbortSignal): Promise<void> {
    this.#requireOpen();
    requireWhole('revision', revision, 0);
    await this.#cache.reach(revision, signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#last.values());
    await this.#compactor.stop();
    this.#cache.close(new StoreClosedError());
    await this.#parts.feed.stop();
    await this.#parts.client.close();
  }

  async #readable({ revision, cached = false }: ReadOptions): Promise<void> {
    this.#requireOpen();
    if (revision !== undefined) {
      requireWhole('revision', revision, 0);
      // Others may have written it already.
      if (revision > this.revision) await this.#freshness.latest();
    } else if (!cached) await this.#freshness.latest();
  }

  /** One write of a key after the other: a write may stand on one that was asked for in the same turn. */
  #inTurn(key: StoreKey, write: () => Promise<StoredObject>): Promise<StoredObject> {
    if (this.#closing !== undefined) return Promise.reject(new StoreClosedError());
    const before = this.#last.get(key);
    const mine = before === undefined ? (async () => write())() : before.then(write, write);
    this.#last.set(key, mine);
    const done = (): void => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    void mine.finally(done).catch(() => {});
    return mine;
  }

  async #write(
    storeKey: StoreKey,
    object: DeepReadonly<KubeObject> | undefined,
    expected: number,
  ): Promise<StoredObject> {
    const { prefix, values, clock, measured } = this.#parts;
    const key = etcdKey(prefix, storeKey);
    const put = object && { object, value: values.encode(key, object) };
    const lease = put === undefined ? undefined : await this.#leases.leaseOf(storeKey);
    const started = clock.monotonic();
    const write = { key, put, expected, stored: undefined, isOutOfSight: false };
    const stored = await this.#slots.run(() => writeOnce(this.#parts, write, { storeKey, lease }));
    measured.committed(1, clock.monotonic() - started);
    return stored;
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosedError();
  }
}
