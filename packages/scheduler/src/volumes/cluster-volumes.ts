import { type Cached, type KubeObject, keyOf, storageClassOf } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '@windlass/apimachinery/api/storage/v1';
import type { CachedKind, Manager, Subscription } from '@windlass/runtime';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ClusterEvent } from '../framework/cluster-event.ts';
import type { ReadonlyClaim, ReadonlyVolume, VolumeView } from '../framework/volume-view.ts';
import { Assumptions } from './assumptions.ts';

/** Free volumes by class, others by the claim that they name. */
const VOLUMES = 'windlass.dev/scheduler-volumes';
const ATTACHMENTS = 'windlass.dev/scheduler-attachments';
const CAPACITIES = 'windlass.dev/scheduler-capacities';

const freeOf = (className: string): string => `free:${className}`;
const namedBy = (claim: string): string => `named:${claim}`;

function claimNamedBy({ spec }: ReadonlyVolume): string | undefined {
  const { namespace = '', name = '' } = spec?.claimRef ?? {};
  return spec?.claimRef === undefined ? undefined : `${namespace}/${name}`;
}

/** Brings a pod back that this concerns. */
export type OnVolumeEvent = (event: ClusterEvent, concerns?: (pod: PodInfo) => boolean) => void;

/** The storage of a cluster, with what this scheduler has decided. */
export class ClusterVolumes implements VolumeView {
  readonly assumedVolumes = new Assumptions<PersistentVolume>();
  readonly assumedClaims = new Assumptions<PersistentVolumeClaim>();
  readonly #claims: CachedKind<PersistentVolumeClaim>;
  readonly #volumes: CachedKind<PersistentVolume>;
  readonly #classes: CachedKind<StorageClass>;
  readonly #csiNodes: CachedKind<CSINode>;
  readonly #csiDrivers: CachedKind<CSIDriver>;
  readonly #capacities: CachedKind<CSIStorageCapacity>;
  readonly #attachments: CachedKind<VolumeAttachment>;
  readonly #listeners = new Set<() => void>();

  constructor({ cluster: { cache } }: Manager) {
    this.#claims = cache.kind(PersistentVolumeClaim);
    this.#volumes = cache.kind(PersistentVolume);
    this.#classes = cache.kind(StorageClass);
    this.#csiNodes = cache.kind(CSINode);
    this.#csiDrivers = cache.kind(CSIDriver);
    this.#capacities = cache.kind(CSIStorageCapacity);
    this.#attachments = cache.kind(VolumeAttachment);
    this.#volumes.addIndexers({
      [VOLUMES]: (volume) => {
        const claim = claimNamedBy(volume);
        return [claim === undefined ? freeOf(storageClassOf(volume)) : namedBy(claim)];
      },
    });
    this.#attachments.addIndexers({ [ATTACHMENTS]: ({ spec }) => [spec.nodeName] });
    this.#capacities.addIndexers({ [CAPACITIES]: ({ storageClassName }) => [storageClassName] });
  }

  /** Resolves when all is known. Undo it with what it returns. */
  async start(signal: AbortSignal, onEvent: OnVolumeEvent): Promise<readonly Subscription[]> {
    const handlerFor = <T extends KubeObject>(tell: (object: Cached<T>) => void) => {
      const hear = (object: Cached<T>): void => {
        tell(object);
        this.changed();
      };
      return {
        onAdd: hear,
        onUpdate: (_: Cached<T>, object: Cached<T>): void => hear(object),
        onDelete: (): void => this.changed(),
      };
    };
    const subscriptions = [
      this.#claims.subscribe(
        handlerFor<PersistentVolumeClaim>((claim) => onEvent('ClaimChange', uses(keyOf(claim)))),
      ),
      this.#volumes.subscribe(
        handlerFor<PersistentVolume>((volume) => {
          const claim = claimNamedBy(volume);
          onEvent('VolumeChange', claim === undefined ? undefined : uses(claim));
        }),
      ),
      this.#classes.subscribe(handlerFor(() => onEvent('StorageClassChange'))),
      this.#csiNodes.subscribe(handlerFor(() => onEvent('CsiNodeChange'))),
      this.#csiDrivers.subscribe(handlerFor(() => onEvent('CsiDriverChange'))),
      this.#capacities.subscribe(handlerFor(() => onEvent('StorageCapacityChange'))),
      this.#attachments.subscribe({ onDelete: () => onEvent('VolumeAttachmentDelete') }),
    ];
    for (const kind of [
      this.#claims,
      this.#volumes,
      this.#classes,
      this.#csiNodes,
      this.#csiDrivers,
      this.#capacities,
      this.#attachments,
    ])
      kind.start();
    await Promise.all(subscriptions.map((subscription) => subscription.synced(signal)));
    return subscriptions;
  }

  /** Who waits looks again. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls whenever something may have changed, until it is disposed of. */
  listen(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  claim(key: string): ReadonlyClaim | undefined {
    return this.assumedClaims.over(key, this.#claims.find(key));
  }

  volume(name: string): ReadonlyVolume | undefined {
    return this.assumedVolumes.over(name, this.#volumes.find(name));
  }

  /** By the server's word alone. */
  serverClaim(key: string): ReadonlyClaim | undefined {
    return this.#claims.find(key);
  }

  serverVolume(name: string): ReadonlyVolume | undefined {
    return this.#volumes.find(name);
  }

  candidates(claim: ReadonlyClaim): readonly ReadonlyVolume[] {
    const className = storageClassOf(claim);
    const named = this.#volumes.byIndex(VOLUMES, namedBy(keyOf(claim)));
    const free = this.#volumes.byIndex(VOLUMES, freeOf(className));
    return [...named.filter((volume) => storageClassOf(volume) === className), ...free].map(
      (volume) => this.assumedVolumes.over(keyOf(volume), volume) ?? volume,
    );
  }

  storageClass(name: string): Cached<StorageClass> | undefined {
    return this.#classes.find(name);
  }

  csiNode(name: string): Cached<CSINode> | undefined {
    return this.#csiNodes.find(name);
  }

  csiDriver(name: string): Cached<CSIDriver> | undefined {
    return this.#csiDrivers.find(name);
  }

  capacities(className: string): readonly Cached<CSIStorageCapacity>[] {
    return this.#capacities.byIndex(CAPACITIES, className);
  }

  attachments(node: string): readonly Cached<VolumeAttachment>[] {
    return this.#attachments.byIndex(ATTACHMENTS, node);
  }
}

function uses(claim: string): (pod: PodInfo) => boolean {
  return ({ namespace, claims }) => claims.some((each) => `${namespace}/${each.claim}` === claim);
}
