import {
  type Cached,
  compareResourceVersions,
  isNotFound,
  isResourceVersion,
  type JsonPatchOperation,
  type KubeObject,
  keyOf,
  type Served,
  type Status,
  splitKey,
} from '@windlass/apimachinery';
import { type Clock, DeadlineError, InvalidArgumentError, isCancelled, withDeadline } from '@windlass/base';
import type {
  ApplyConfiguration,
  ApplyOptions,
  DeleteOptions,
  MergePatch,
  PatchOptions,
  ResourceClient,
  StrategicPatch,
  SubresourceClient,
  WriteOptions,
} from '@windlass/client';
import {
  CacheSyncError,
  type Indexers,
  type InformerScope,
  type ListerOptions,
  shardOf,
} from '@windlass/informer';
import type { CachedKind } from '../cache/cached-kind.ts';
import { asCached } from './as-cached.ts';
import { OwnWrites } from './own-writes.ts';
import { StatusWriter } from './status-writer.ts';

export interface KindClientOptions<T extends KubeObject> {
  /** In messages. */
  readonly name: string;
  readonly resource: ResourceClient<T>;
  /** Undefined: reads go to the API server. */
  readonly kind: (() => CachedKind<T>) | undefined;
  readonly clock: Clock;
  /** How long the first read waits for the cache to fill. */
  readonly syncTimeoutMs: number;
  /** How long a read waits for the cache to see our own write; then the API server is asked. */
  readonly ownWriteTimeoutMs: number;
  readonly onStaleRead: () => void;
  /** Throws when this process may not write now. */
  readonly assertMayWrite: () => void;
  /** Changes what is created, updated and applied. @default nothing is changed */
  readonly beforeWrite?: (object: T) => T;
  /** Which objects the cache has, for lists that the server answers instead. @default all */
  readonly scope?: InformerScope;
}

/** Options of a read from the cache. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
}

/** Which objects are read from the cache. */
export interface ListReadOptions extends ReadOptions, ListerOptions {
  /** Only objects with this value of an index that was added with `addIndex`. */
  readonly index?: { readonly name: string; readonly value: string };
}

/**
 * One kind, as a reconciler works with it: reads come from the cache, writes go to the API server, and a
 * read after a write of this process sees that write. What is read is shared: change a copy.
 */
export class KindClient<T extends KubeObject> {
  readonly status: StatusWriter<T>;
  readonly #options: KindClientOptions<T>;
  readonly #writes = new OwnWrites();
  #kind: CachedKind<T> | undefined = undefined;
  readonly #indexes = new Map<string, Indexers<T>[string]>();
  #isReady = false;

  constructor(options: KindClientOptions<T>) {
    this.#options = options;
    this.status = new StatusWriter<T>({
      statusOf: (key): SubresourceClient<T> => this.live(splitKey(key).namespace).status,
      write: (key, call) => this.#write(key, call),
    });
  }

  /** The API server itself, past the cache. */
  live(namespace?: string): ResourceClient<T> {
    const { resource } = this.#options;
    return namespace === undefined || namespace === '' ? resource : resource.namespace(namespace);
  }

  /** Undefined when there is no such object. Resolves at once when the cache is filled and up to date. */
  async find(key: string, { signal }: ReadOptions = {}): Promise<Cached<T> | undefined> {
    const kind = this.#isReady ? this.#kind : await this.#cached(signal);
    // A namespace that is not cached is still there.
    if (kind?.informerOf(key) === undefined) return this.#findLive(key, signal);
    const version = this.#writes.versionOf(key);
    if (version !== undefined && !(await this.#caughtUp(kind, key, version, signal)))
      return this.#findLive(key, signal);
    const found = kind.find(key);
    return this.#writes.hasDeleted && this.#writes.isGone(key, found) ? undefined : found;
  }

  /** @throws a StatusError for which `isNotFound` holds */
  async get(key: string, options: ReadOptions = {}): Promise<Cached<T>> {
    const found = await this.find(key, options);
    if (found !== undefined) return found;
    const kind = this.#kind;
    const { namespace, name } = splitKey(key);
    // With no object the cache throws the API's own error.
    if (kind === undefined || kind.find(key) !== undefined)
      return asCached(await this.live(namespace).get(name));
    return kind.get(key);
  }

  async list(options: ListReadOptions = {}): Promise<Cached<T>[]> {
    const { signal, index, namespace } = options;
    const kind = this.#isReady ? this.#kind : await this.#cached(signal);
    if (kind === undefined || !kind.covers(namespace) || !(await this.#allCaughtUp(kind, signal)))
      return this.#listLive(options);
    let objects = index === undefined ? kind.list(options) : kind.byIndex(index.name, index.value);
    if (index !== undefined && namespace !== undefined)
      objects = objects.filter((object) => object.metadata.namespace === namespace);
    if (!this.#writes.hasDeleted) return objects;
    return objects.filter((object) => !this.#writes.isGone(keyOf(object), object));
  }

  /** Makes `list({ index })` work for this name. At any time; what is cached is indexed then. */
  addIndex(name: string, values: Indexers<T>[string]): void {
    this.#cachedKind()?.addIndexers({ [name]: values });
    this.#indexes.set(name, values);
  }

  /** Fills the cache before the first read needs it. */
  async warmUp(signal?: AbortSignal): Promise<void> {
    await this.#cached(signal);
  }

  create(object: T, options: WriteOptions = {}): Promise<Served<T>> {
    return this.#write(undefined, async () => {
      const sent = this.#sent(object);
      const created: unknown = await this.live(object.metadata?.namespace).create(sent, options);
      // Kinds that a reconciler works with are stored.
      return created as Served<T>;
    });
  }

  /** Overwrites; refused (`isConflict`) if the object has changed since it was read. */
  update(object: T, options: WriteOptions = {}): Promise<Served<T>> {
    return this.#write(undefined, () =>
      this.live(object.metadata?.namespace).replace(this.#sent(object), options),
    );
  }

  patch(
    key: string,
    patch: MergePatch<T> | StrategicPatch<T> | readonly JsonPatchOperation[],
    options: PatchOptions = {},
  ): Promise<Served<T>> {
    const { namespace, name } = splitKey(key);
    return this.#write(key, () => this.live(namespace).patch(name, patch, options));
  }

  /** Server-side apply. A controller owns what it applies, so that it takes fields over unless told not to. */
  apply(configuration: ApplyConfiguration<T>, options: ApplyOptions = {}): Promise<Served<T>> {
    // A configuration is a part of an object, whatever the kind.
    const { namespace } = (configuration as KubeObject).metadata ?? {};
    return this.#write(undefined, () => {
      // The same part of an object comes back, with more metadata at most.
      const sent = this.#sent(configuration as unknown as T) as unknown as ApplyConfiguration<T>;
      return this.live(namespace).apply(sent, { force: true, ...options });
    });
  }

  /** Resolves when it is gone or going; also when it was not there. */
  async delete(key: string, options: DeleteOptions = {}): Promise<void> {
    this.#options.assertMayWrite();
    const { namespace, name } = splitKey(key);
    const answer = await this.live(namespace)
      .delete(name, options)
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      });
    if (answer === undefined || options.dryRun === true || this.#kind === undefined) return;
    if (isStatus(answer)) this.#writes.deleted(key, answer.details?.uid);
    else this.#writes.wrote(key, answer);
    this.#sweep(this.#kind);
  }

  async release(): Promise<void> {
    this.#isReady = false;
    await this.#kind?.release();
  }

  #sent(object: T): T {
    return this.#options.beforeWrite?.(object) ?? object;
  }

  async #write(key: string | undefined, call: () => Promise<Served<T>>): Promise<Served<T>> {
    this.#options.assertMayWrite();
    const written = await call();
    // Without a cache there is nothing that could be behind.
    if (this.#kind !== undefined) {
      this.#writes.wrote(key ?? keyOf(written), written);
      this.#sweep(this.#kind);
    }
    return written;
  }

  #sweep(kind: CachedKind<T>): void {
    this.#writes.sweep({
      hasSeen: (key, version) => {
        const at = kind.informerOf(key)?.resourceVersion ?? '';
        return isResourceVersion(at) && compareResourceVersions(at, version) >= 0;
      },
      uidOf: (key) => kind.find(key)?.metadata.uid,
    });
  }

  #cachedKind(): CachedKind<T> | undefined {
    this.#kind ??= this.#options.kind?.();
    return this.#kind;
  }

  async #cached(signal: AbortSignal | undefined): Promise<CachedKind<T> | undefined> {
    const kind = this.#cachedKind();
    if (kind === undefined) return undefined;
    kind.start();
    if (!kind.hasSynced) {
      const { clock, syncTimeoutMs, name } = this.#options;
      using deadline = withDeadline(clock, syncTimeoutMs, `the first read of ${name}`, signal);
      await kind.synced(deadline.signal).catch((error: unknown) => {
        if (isCancelled(error)) throw error;
        throw new CacheSyncError([{ name, why: kind.whyNotSynced() ?? 'stopped' }], error);
      });
    }
    this.#isReady = true;
    return kind;
  }

  /** False when the cache did not see our write in time: it is better to ask the server than to go wrong. */
  async #caughtUp(
    kind: CachedKind<T>,
    key: string,
    version: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const informer = kind.informerOf(key);
    if (informer === undefined) return true;
    const timeoutMs = this.#options.ownWriteTimeoutMs;
    try {
      await informer.waitForVersion(version, { timeoutMs, ...(signal !== undefined && { signal }) });
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      this.#options.onStaleRead();
      return false;
    }
    this.#writes.seen(key, version);
    return true;
  }

  async #allCaughtUp(kind: CachedKind<T>, signal: AbortSignal | undefined): Promise<boolean> {
    const waits = Array.from(this.#writes.versions(), ([key, version]) =>
      this.#caughtUp(kind, key, version, signal),
    );
    return waits.length === 0 || (await Promise.all(waits)).every(Boolean);
  }

  async #findLive(key: string, signal: AbortSignal | undefined): Promise<Cached<T> | undefined> {
    const { namespace, name } = splitKey(key);
    try {
      return asCached(await this.live(namespace).get(name, signal === undefined ? {} : { signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #listLive({ namespace, selector, index, signal }: ListReadOptions): Promise<Cached<T>[]> {
    const values = index === undefined ? undefined : this.#indexes.get(index.name);
    if (index !== undefined && values === undefined)
      throw new InvalidArgumentError('index', index.name, 'one that was added with addIndex');
    const found: Cached<T>[] = [];
    const { scope = {} } = this.#options;
    const labels = [selector?.toString(), scope.labelSelector?.toString()].filter(Boolean).join(',');
    const shard = shardOf(scope.shardSelector);
    const items = this.live(namespace).items({
      ...(labels !== '' && { labelSelector: labels }),
      ...(scope.fieldSelector !== undefined && { fieldSelector: scope.fieldSelector }),
      ...(shard !== undefined && { shardSelector: shard }),
      ...(signal !== undefined && { signal }),
    });
    for await (const object of items) if (shard?.matches(object) !== false) found.push(asCached(object));
    if (index === undefined) return found;
    return found.filter((object) => values?.(object).includes(index.value) === true);
  }
}

function isStatus(answer: KubeObject | Status): answer is Status {
  return answer.kind === 'Status';
}
