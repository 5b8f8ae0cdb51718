import {
  apiVersionOf,
  type Cached,
  type DeepReadonly,
  type ObjectMeta,
  type ServedResource,
} from '@windlass/apimachinery';
import { type Clock, type Logger, type Timer, toError } from '@windlass/base';
import type { PartialObjectMetadata } from '@windlass/client';
import type { Cluster } from '@windlass/runtime';
import type { Identity } from './graph.ts';

/** What happens to any object that could be collected. */
export interface MonitorHandler {
  seen(identity: Identity, metadata: DeepReadonly<ObjectMeta>, old?: DeepReadonly<ObjectMeta>): void;
  gone(identity: Identity): void;
}

export interface MonitorsOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly handler: MonitorHandler;
  /** All that the server has been told of, or not any more. */
  readonly onSynced: (isSynced: boolean) => void;
}

type Informer = ReturnType<Cluster['cache']['factory']['metadataInformer']>;

interface Monitor {
  readonly informer: Informer;
  readonly registration: ReturnType<Informer['addHandler']>;
}

const RESYNC_MS = 30_000;
/** A new definition is served a moment after it was seen. */
const AFTER_DEFINITION_MS = 1000;
/** They come and go by the thousand, and own nothing. */
const IGNORED: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events']);

/** Watches the metadata of every resource that can be watched and deleted, and follows what the server serves. */
export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #monitors = new Map<string, Monitor>();
  readonly #stop = new AbortController();
  #timer: Timer | undefined = undefined;
  #resyncing: Promise<void> | undefined = undefined;
  #hasSynced = false;

  constructor(options: MonitorsOptions) {
    this.#options = options;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Whether nothing that was cached still waits to be told. */
  get isIdle(): boolean {
    return this.#hasSynced && this.#monitors.values().every(({ registration }) => registration.pending === 0);
  }

  start(): void {
    this.#resync();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#timer?.cancel();
    await this.#resyncing;
    await Promise.all(Array.from(this.#monitors.values(), ({ informer }) => informer.release()));
    this.#monitors.clear();
  }

  #resync(): void {
    if (this.#resyncing !== undefined || this.#stop.signal.aborted) return;
    this.#timer?.cancel();
    const { logger } = this.#options;
    this.#resyncing = this.#follow()
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted)
          logger.warn('the garbage collector could not ask what the server serves; it asks again', {
            error: toError(error),
          });
      })
      .finally(() => {
        this.#resyncing = undefined;
        this.#schedule(RESYNC_MS);
      });
  }

  #schedule(ms: number): void {
    this.#timer?.cancel();
    if (this.#stop.signal.aborted) return;
    this.#timer = this.#options.clock.setTimeout(() => this.#resync(), ms, { keepAlive: false });
  }

  async #follow(): Promise<void> {
    const { discovery } = this.#options.cluster.client;
    const { signal } = this.#stop;
    const registry = await discovery.refresh({ signal });
    const wanted = new Map(collectable(registry.groups).map((resource) => [keyOf(resource), resource]));
    const silent = new Set(discovery.failed.map(({ group, version }) => `${group}/${version}`));
    for (const [key, { informer }] of this.#monitors) {
      // What does not answer now may be there still.
      if (wanted.has(key) || silent.has(key.slice(0, key.lastIndexOf('/')))) continue;
      this.#monitors.delete(key);
      await informer.release();
    }
    const added = [...wanted].filter(([key]) => !this.#monitors.has(key));
    if (added.length > 0) this.#setSynced(false);
    for (const [key, resource] of added) this.#monitors.set(key, this.#watch(resource));
    if (this.#hasSynced) return;
    await Promise.all(
      Array.from(this.#monitors.values(), async ({ informer, registration }) => {
        await informer.synced(signal);
        await registration.synced(signal);
      }),
    );
    this.#setSynced(true);
  }

  #setSynced(hasSynced: boolean): void {
    this.#hasSynced = hasSynced;
    this.#options.onSynced(hasSynced);
  }

  #watch(resource: ServedResource): Monitor {
    const { cluster, handler } = this.#options;
    const { group, version, plural, kind } = resource;
    const apiVersion = apiVersionOf(resource);
    const informer = cluster.cache.factory.metadataInformer({ group, version, plural }, { reuseWhole: true });
    const isDefinition = kind === 'CustomResourceDefinition';
    const identityOf = ({ metadata }: Cached<PartialObjectMetadata>): Identity => ({
      apiVersion,
      kind,
      namespace: metadata.namespace ?? '',
      name: metadata.name ?? '',
      uid: metadata.uid ?? '',
    });
    const registration = informer.addHandler({
      onAdd: (object) => {
        handler.seen(identityOf(object), object.metadata);
        if (isDefinition && this.#hasSynced) this.#schedule(AFTER_DEFINITION_MS);
      },
      onUpdate: (old, object) => {
        // Deleted and made again, and nobody saw it: these are two objects.
        if (old.metadata.uid !== object.metadata.uid) {
          handler.gone(identityOf(old));
          handler.seen(identityOf(object), object.metadata);
        } else handler.seen(identityOf(object), object.metadata, old.metadata);
      },
      onDelete: (object) => handler.gone(identityOf(object)),
    });
    informer.start();
    return { informer, registration };
  }
}

/** Each resource once, in the version that the server prefers for it. */
function collectable(
  groups: readonly { versions: readonly { resources: readonly ServedResource[] }[] }[],
): ServedResource[] {
  return groups.flatMap(({ versions }) => {
    const seen = new Set<string>();
    return versions
      .flatMap(({ resources }) => resources)
      .filter(({ group, plural, verbs }) => {
        if (seen.has(plural) || IGNORED.has(`${group}/${plural}`)) return false;
        seen.add(plural);
        return ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb));
      });
  });
}

const keyOf = ({ group, version, plural }: ServedResource): string => `${group}/${version}/${plural}`;
