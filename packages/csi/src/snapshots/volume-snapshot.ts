// The resources of snapshots, which every cluster has from the same definitions, whoever makes the snapshots.
import type { ClusterKind, ClusterObjectMeta, NamespacedKind, ResourceType } from '@windlass/apimachinery';
import type { ObjectReference } from '@windlass/apimachinery/api/core/v1';
import type { ObjectMeta } from '@windlass/apimachinery/api/meta/v1';

/** The API group of snapshots. */
export const SNAPSHOT_GROUP = 'snapshot.storage.k8s.io';

/** What becomes of a snapshot when the object that asked for it goes. */
export type DeletionPolicy = 'Delete' | 'Retain';

/** Why a snapshot could not be made, or is not ready. */
export interface VolumeSnapshotError {
  time?: string;
  message?: string;
}

/** Asks for a snapshot of a claim, or for one that is there already. */
export interface VolumeSnapshotSpec {
  /** One of the two. */
  source: { persistentVolumeClaimName?: string; volumeSnapshotContentName?: string };
  /** @default the default class of the claim's driver */
  volumeSnapshotClassName?: string;
}

/** What has become of it. */
export interface VolumeSnapshotStatus {
  boundVolumeSnapshotContentName?: string;
  creationTime?: string;
  readyToUse?: boolean;
  /** A quantity: volumes that are made of it have at least this size. */
  restoreSize?: string;
  error?: VolumeSnapshotError;
  volumeGroupSnapshotName?: string;
}

/** A snapshot, as its owner asks for it and uses it. */
export interface VolumeSnapshot extends NamespacedKind {
  apiVersion?: 'snapshot.storage.k8s.io/v1';
  kind?: 'VolumeSnapshot';
  metadata?: ObjectMeta;
  spec: VolumeSnapshotSpec;
  status?: VolumeSnapshotStatus;
}
export const VolumeSnapshot: ResourceType<VolumeSnapshot> = {
  group: SNAPSHOT_GROUP,
  version: 'v1',
  kind: 'VolumeSnapshot',
  plural: 'volumesnapshots',
  namespaced: true,
};

/** Which driver has the snapshot, of what, and for whom. */
export interface VolumeSnapshotContentSpec {
  deletionPolicy: DeletionPolicy;
  driver: string;
  /** One of the two: what to make it of, or what is there already. */
  source: { volumeHandle?: string; snapshotHandle?: string };
  sourceVolumeMode?: string;
  volumeSnapshotClassName?: string;
  volumeSnapshotRef: ObjectReference;
}

/** What the driver says of it. */
export interface VolumeSnapshotContentStatus {
  /** Nanoseconds since 1970. */
  creationTime?: number;
  error?: VolumeSnapshotError;
  readyToUse?: boolean;
  /** In bytes. */
  restoreSize?: number;
  snapshotHandle?: string;
  volumeGroupSnapshotHandle?: string;
}

/** A snapshot as a driver has it. */
export interface VolumeSnapshotContent extends ClusterKind {
  apiVersion?: 'snapshot.storage.k8s.io/v1';
  kind?: 'VolumeSnapshotContent';
  metadata?: ClusterObjectMeta;
  spec: VolumeSnapshotContentSpec;
  status?: VolumeSnapshotContentStatus;
}
export const VolumeSnapshotContent: ResourceType<VolumeSnapshotContent> = {
  group: SNAPSHOT_GROUP,
  version: 'v1',
  kind: 'VolumeSnapshotContent',
  plural: 'volumesnapshotcontents',
  namespaced: false,
};

/** How a driver makes snapshots. */
export interface VolumeSnapshotClass extends ClusterKind {
  apiVersion?: 'snapshot.storage.k8s.io/v1';
  kind?: 'VolumeSnapshotClass';
  metadata?: ClusterObjectMeta;
  driver: string;
  deletionPolicy: DeletionPolicy;
  parameters?: { [key: string]: string };
}
export const VolumeSnapshotClass: ResourceType<VolumeSnapshotClass> = {
  group: SNAPSHOT_GROUP,
  version: 'v1',
  kind: 'VolumeSnapshotClass',
  plural: 'volumesnapshotclasses',
  namespaced: false,
};
