import { type Cached, type CountedResource, countNameOf, keyOf } from '@windlass/apimachinery';
import type { PartialObjectMetadata } from '@windlass/client';
import type { Cluster, RunningSource, Source, SourceSink } from '@windlass/runtime';
import { RESOURCE_CLAIMS } from './usage.ts';

export interface CountedObjectsOptions {
  readonly cluster: Cluster;
  /**
   * The keys of quotas that limit objects of the resource in the namespace; with `createdAt`, only of those that
   * an object which was created then may not be charged to yet.
   */
  readonly quotasFor: (resource: CountedResource, namespace: string, createdAt?: string) => Iterable<string>;
}

type Informer = ReturnType<Cluster['cache']['factory']['metadataInformer']>;

interface Watched {
  readonly informer: Informer;
  readonly registration: ReturnType<Informer['addHandler']>;
}

/** Of these more than the metadata counts, and it never changes. Not every cluster serves them. */
const WHOLE: ReadonlySet<string> = new Set([countNameOf(RESOURCE_CLAIMS)]);

/**
 * Objects that quotas limit by their number. Nothing is watched before a quota names it, and then as a rule only its
 * metadata.
 */
export class CountedObjects implements Source {
  readonly name = 'counted-objects';
  readonly #options: CountedObjectsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #sinks = new Set<SourceSink<string>>();

  constructor(options: CountedObjectsOptions) {
    this.#options = options;
  }

  start(sink: SourceSink<string>): RunningSource {
    this.#sinks.add(sink);
    const isIdle = (): boolean =>
      this.#watched.values().every(({ registration }) => registration.pending === 0);
    return {
      synced: () => Promise.resolve(),
      whyNotSynced: () => undefined,
      get isIdle() {
        return isIdle();
      },
      stop: async () => {
        this.#sinks.delete(sink);
        if (this.#sinks.size > 0) return;
        await Promise.all(Array.from(this.#watched.values(), ({ informer }) => informer.release()));
        this.#watched.clear();
      },
    };
  }

  /** Undefined when the server does not serve it. */
  async list(
    resource: CountedResource,
    namespace: string,
    signal: AbortSignal,
  ): Promise<Cached<PartialObjectMetadata>[] | undefined> {
    const watched = this.#watched.get(countNameOf(resource)) ?? (await this.#watch(resource, signal));
    if (watched === undefined) return undefined;
    await watched.informer.synced(signal);
    return watched.informer.lister.list({ namespace });
  }

  async #watch(resource: CountedResource, signal: AbortSignal): Promise<Watched | undefined> {
    const { cluster, quotasFor } = this.#options;
    const { group, plural } = resource;
    const registry = await cluster.client.discovery.refresh({ signal });
    // Versions are in the server's order of preference.
    const served = registry.groups
      .filter((one) => one.group === group)
      .flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))
      .find((one) => one.plural === plural && ['list', 'watch'].every((verb) => one.verbs.includes(verb)));
    if (served === undefined) return undefined;
    const known = this.#watched.get(countNameOf(resource));
    if (known !== undefined) return known;
    const { factory } = cluster.cache;
    const target = { group, plural, version: served.version };
    // What is whole has its metadata, too.
    const informer: Informer = WHOLE.has(countNameOf(resource))
      ? factory.informer<PartialObjectMetadata>(target)
      : factory.metadataInformer(target);
    const tell = (object: Cached<PartialObjectMetadata>, type: 'add' | 'delete'): void => {
      const { namespace = '', creationTimestamp } = object.metadata;
      for (const key of quotasFor(resource, namespace, type === 'add' ? creationTimestamp : undefined))
        for (const sink of this.#sinks) sink.add(key, { type, source: plural, object: keyOf(object) });
    };
    const registration = informer.addHandler({
      onAdd: (object, { isInInitialList }) => {
        if (!isInInitialList) tell(object, 'add');
      },
      onDelete: (object) => tell(object, 'delete'),
    });
    const watched = { informer, registration };
    this.#watched.set(countNameOf(resource), watched);
    informer.start();
    return watched;
  }
}
