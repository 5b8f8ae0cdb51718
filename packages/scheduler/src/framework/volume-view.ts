import type { Cached } from '@windlass/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '@windlass/apimachinery/api/storage/v1';

export type ReadonlyClaim = Cached<PersistentVolumeClaim>;
export type ReadonlyVolume = Cached<PersistentVolume>;

/**
 * Storage as plugins see it: what the server says, and over it what this scheduler has decided and is being
 * written. It does not change while one pod is scheduled.
 */
export interface VolumeView {
  /** By `namespace/name`. */
  claim(key: string): ReadonlyClaim | undefined;
  volume(name: string): ReadonlyVolume | undefined;
  /** Those that name the claim, and the free ones of its class. */
  candidates(claim: ReadonlyClaim): readonly ReadonlyVolume[];
  storageClass(name: string): Cached<StorageClass> | undefined;
  csiNode(name: string): Cached<CSINode> | undefined;
  csiDriver(name: string): Cached<CSIDriver> | undefined;
  /** What there is left of a class, and where. */
  capacities(className: string): readonly Cached<CSIStorageCapacity>[];
  /** What is attached to the node, or is about to be. */
  attachments(node: string): readonly Cached<VolumeAttachment>[];
}

export const NO_VOLUMES: VolumeView = Object.freeze({
  claim: () => undefined,
  volume: () => undefined,
  candidates: () => [],
  storageClass: () => undefined,
  csiNode: () => undefined,
  csiDriver: () => undefined,
  capacities: () => [],
  attachments: () => [],
});
