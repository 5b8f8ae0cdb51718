import { type Cached, type KubeObject, newNotFound, splitKey } from '@windlass/apimachinery';
import {
  type EventHandler,
  type HandlerOptions,
  type Indexers,
  type InformerLease,
  type ListerOptions,
  NAMESPACE_INDEX,
  type Registration,
} from '@windlass/informer';

import { type CacheRead, cacheReads } from './cache-reads.ts';

export interface CachedKindOptions<T extends KubeObject> {
  /** In messages: `deployments.apps`. */
  readonly name: string;
  readonly resource: { readonly group: string; readonly plural: string };
  /** Undefined: one informer for all namespaces, or for the cluster. */
  readonly namespaces: readonly string[] | undefined;
  readonly lease: (namespace: string | undefined) => InformerLease<T>;
  readonly onRelease: () => void;
}

interface Subscriber<T extends KubeObject> {
  readonly handler: EventHandler<T>;
  readonly options: HandlerOptions;
  readonly registrations: Map<string, Registration>;
}

/** A handler that was added, in all namespaces. */
export interface Subscription {
  synced(signal: AbortSignal): Promise<void>;
  /** Whether nothing that was cached still waits for the handler. */
  readonly isIdle: boolean;
  remove(): Promise<void>;
}

/** The informers of one kind: one, or one for each namespace, which may come and go while it is used. */
export class CachedKind<T extends KubeObject> {
  readonly name: string;
  readonly #options: CachedKindOptions<T>;
  /** By namespace; under the empty one that for all. */
  readonly #informers = new Map<string, InformerLease<T>>();
  readonly #subscribers = new Set<Subscriber<T>>();
  readonly #indexers: Indexers<T>[] = [];
  #isStarted = false;
  #released: Promise<void> | undefined = undefined;

  constructor(options: CachedKindOptions<T>) {
    this.name = options.name;
    this.#options = options;
    if (options.namespaces === undefined) this.#informers.set('', options.lease(undefined));
    for (const namespace of options.namespaces ?? [])
      this.#informers.set(namespace, options.lease(namespace));
  }

  get isNamespaced(): boolean {
    return this.#options.namespaces !== undefined;
  }

  get isReleased(): boolean {
    return this.#released !== undefined;
  }

  get hasSynced(): boolean {
    return this.#informers.values().every((informer) => informer.hasSynced);
  }

  /** The informer that has the key, if any has. */
  informerOf(key: string): InformerLease<T> | undefined {
    return this.#informers.get('') ?? this.#informers.get(splitKey(key).namespace);
  }

  /** Whether what there is in the namespace is cached; undefined for whatever the cache was asked for. */
  covers(namespace: string | undefined): boolean {
    return namespace === undefined || this.#informers.has('') || this.#informers.has(namespace);
  }

  find(key: string): Cached<T> | undefined {
    const found = this.informerOf(key)?.indexer.get(key);
    if (cacheReads.hasSubscribers) this.#tell(key, found === undefined ? 0 : 1);
    return found;
  }

  get(key: string): Cached<T> {
    const object = this.find(key);
    if (object !== undefined) return object;
    const { group, plural } = this.#options.resource;
    throw newNotFound({ group, resource: plural }, splitKey(key).name);
  }

  list(options: ListerOptions = {}): Cached<T>[] {
    const { namespace } = options;
    const one = namespace === undefined ? undefined : this.#informers.get(namespace);
    const found =
      one !== undefined
        ? one.lister.list(options)
        : [...this.#informers.values()].flatMap((informer) => informer.lister.list(options));
    if (cacheReads.hasSubscribers) this.#tell(undefined, found.length);
    return found;
  }

  /** Whether nothing of the namespace is cached. O(namespaces), where a list is O(objects). */
  isEmpty(namespace: string): boolean {
    const informer = this.#informers.get('') ?? this.#informers.get(namespace);
    return informer === undefined || !informer.indexer.indexValues(NAMESPACE_INDEX).includes(namespace);
  }

  byIndex(index: string, value: string): Cached<T>[] {
    const found = [...this.#informers.values()].flatMap((informer) => informer.indexer.byIndex(index, value));
    if (cacheReads.hasSubscribers) this.#tell(undefined, found.length);
    return found;
  }

  /** What there is, without anybody being told that it was read. */
  peek(key: string): Cached<T> | undefined {
    return this.informerOf(key)?.indexer.get(key);
  }

  addIndexers(indexers: Indexers<T>): void {
    this.#indexers.push(indexers);
    for (const informer of this.#informers.values()) informer.addIndexers(indexers);
  }

  #tell(key: string | undefined, count: number): void {
    cacheReads.publish({ kind: this.name, key, count } satisfies CacheRead);
  }

  start(): void {
    this.#isStarted = true;
    for (const informer of this.#informers.values()) informer.start();
  }

  async synced(signal?: AbortSignal): Promise<void> {
    await Promise.all(Array.from(this.#informers.values(), (informer) => informer.synced(signal)));
  }

  whyNotSynced(): string | undefined {
    const missing = [...this.#informers.values()].filter((informer) => !informer.hasSynced);
    if (missing.length === 0) return undefined;
    return missing.map((informer) => `${informer.name}: ${informer.whyNotSynced()}`).join(', ');
  }

  subscribe(handler: EventHandler<T>, options: HandlerOptions = {}): Subscription {
    const subscriber: Subscriber<T> = { handler, options, registrations: new Map() };
    this.#subscribers.add(subscriber);
    for (const [namespace, informer] of this.#informers)
      subscriber.registrations.set(namespace, informer.addHandler(handler, options));
    const registrations = (): Registration[] => [...subscriber.registrations.values()];
    return {
      async synced(signal) {
        await Promise.all(registrations().map((registration) => registration.synced(signal)));
      },
      get isIdle() {
        return registrations().every((registration) => registration.pending === 0);
      },
      remove: async () => {
        this.#subscribers.delete(subscriber);
        await Promise.all(registrations().map((registration) => registration.remove()));
      },
    };
  }

  /** Begins to cache a namespace; who has subscribed is told of what is there. */
  addNamespace(namespace: string): void {
    if (!this.isNamespaced || this.#informers.has(namespace)) return;
    const informer = this.#options.lease(namespace);
    for (const indexers of this.#indexers) informer.addIndexers(indexers);
    this.#informers.set(namespace, informer);
    for (const { handler, options, registrations } of this.#subscribers)
      registrations.set(namespace, informer.addHandler(handler, options));
    if (this.#isStarted) informer.start();
  }

  /** Forgets a namespace. Its objects are still there, so nobody is told of deletions. */
  async removeNamespace(namespace: string): Promise<void> {
    const informer = this.#informers.get(namespace);
    this.#informers.delete(namespace);
    for (const { registrations } of this.#subscribers) registrations.delete(namespace);
    await informer?.release();
  }

  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    this.#options.onRelease();
    await Promise.all(Array.from(this.#informers.values(), (informer) => informer.release()));
  }
}
