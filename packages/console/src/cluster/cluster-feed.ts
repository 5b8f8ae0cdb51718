import type { Cached, KubeObject, ResourceType } from '@windlass/apimachinery';
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { CronJob, Job } from '@windlass/apimachinery/api/batch/v1';
import { Event, Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock, Logger, Random } from '@windlass/base';
import type { Client } from '@windlass/client';
import { type InformerTarget, SharedInformerFactory } from '@windlass/informer';
import type { ClusterChange, ClusterItem } from '../protocol.ts';
import {
  driveItem,
  eventItem,
  nodeItem,
  ownerItem,
  podItem,
  type ShownDrive,
  type ShownVolume,
  volumeItem,
} from './items.ts';

export interface ClusterFeedOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Nodes that somebody took away. */
  readonly lostNodes: () => ReadonlySet<string>;
}

const DRIVES = { group: 'directpv.min.io', version: 'v1beta1', plural: 'directpvdrives' } as const;
const VOLUMES = { group: 'directpv.min.io', version: 'v1beta1', plural: 'directpvvolumes' } as const;
const OWNERS = [Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob] as const;

/** So many events are kept and told; there may be thousands. */
const MAX_EVENTS = 300;

/** Who is told of changes: at first of everything that is there. */
export type FeedListener = (changes: readonly ClusterChange[]) => void;

/** What the pages Cluster and Storage show, kept by watches that run only while somebody listens. */
export class ClusterFeed implements AsyncDisposable {
  readonly #options: ClusterFeedOptions;
  readonly #items = new Map<string, ClusterItem>();
  readonly #listeners = new Set<FeedListener>();
  #factory: SharedInformerFactory | undefined = undefined;
  #events = 0;

  constructor(options: ClusterFeedOptions) {
    this.#options = options;
  }

  listen(listener: FeedListener): Disposable {
    this.#start();
    this.#listeners.add(listener);
    listener(Array.from(this.#items.values(), (item) => ({ type: 'set', item })));
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** Nodes were taken away or have come back. */
  refreshNodes(): void {
    // What is set goes to the end, where a walk would meet it again.
    const nodes = Array.from(this.#items.values()).filter(({ kind }) => kind === 'Node');
    for (const node of nodes) this.#set(node);
  }

  /** Ends the watches; the next listener starts them again. */
  async rest(): Promise<void> {
    const factory = this.#factory;
    this.#factory = undefined;
    this.#items.clear();
    this.#events = 0;
    await factory?.shutdown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    return this.rest();
  }

  #start(): void {
    if (this.#factory !== undefined) return;
    const { client, clock, random, logger } = this.#options;
    const factory = new SharedInformerFactory({ client, clock, random, logger });
    this.#factory = factory;
    this.#watch(factory, Node, nodeItem);
    this.#watch(factory, Pod, podItem);
    this.#watch(factory, Event, eventItem);
    // Each is a kind of its own; what is read is common to all.
    for (const type of OWNERS)
      this.#watch(factory, type, (object) => ownerItem(object, type.kind, `${type.plural}.${type.group}`));
    this.#watch<ShownDrive>(factory, DRIVES, driveItem);
    this.#watch<ShownVolume>(factory, VOLUMES, volumeItem);
    factory.start();
  }

  #watch<T extends KubeObject>(
    factory: SharedInformerFactory,
    target: InformerTarget | ResourceType<T>,
    itemOf: (object: Cached<T>) => ClusterItem,
  ): void {
    const told = (object: Cached<T>): void => {
      // Informers that were told to stop may have some more to say.
      if (this.#factory === factory) this.#set(itemOf(object));
    };
    const informer = factory.informer<T>(target as ResourceType<T>); // either form is a target
    informer.addHandler({
      onAdd: told,
      onUpdate: (_, now) => told(now),
      onDelete: (object) => {
        if (this.#factory === factory) this.#remove(itemOf(object));
      },
    });
  }

  #set(item: ClusterItem): void {
    const shown = item.kind === 'Node' ? { ...item, lost: this.#options.lostNodes().has(item.key) } : item;
    // What changes goes to the end, so that the oldest event is the first.
    const isNew = !this.#items.delete(idOf(shown.kind, shown.uid));
    this.#items.set(idOf(shown.kind, shown.uid), shown);
    this.#tell({ type: 'set', item: shown });
    if (shown.kind !== 'Event') return;
    if (isNew) this.#events++;
    this.#dropOldEvents();
  }

  #remove(item: ClusterItem): void {
    const { kind, key, uid } = item;
    if (!this.#items.delete(idOf(kind, uid))) return;
    if (kind === 'Event') this.#events--;
    const resource = item.kind === 'Owner' ? item.resource : undefined;
    // Another object may have the name already.
    for (const other of this.#items.values())
      if (other.kind === kind && other.key === key && (other.kind !== 'Owner' || other.resource === resource))
        return;
    this.#tell({ type: 'gone', kind, key, ...(resource !== undefined && { resource }) });
  }

  #dropOldEvents(): void {
    if (this.#events <= MAX_EVENTS) return;
    for (const item of this.#items.values()) {
      if (item.kind !== 'Event') continue;
      this.#remove(item);
      return;
    }
  }

  #tell(change: ClusterChange): void {
    for (const listener of this.#listeners) listener([change]);
  }
}

function idOf(kind: string, uid: string): string {
  return `${kind} ${uid}`;
}
