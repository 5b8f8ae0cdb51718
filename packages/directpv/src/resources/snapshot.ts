import type { ClusterKind, ClusterObjectMeta, ResourceType } from '@windlass/apimachinery';
import type { Condition } from '@windlass/apimachinery/api/meta/v1';
import { GROUP, VERSION } from './constants.ts';

/** All statuses of snapshots. */
export const SNAPSHOT_STATUSES = ['Pending', 'Ready'] as const;
/** What state a snapshot is in. */
export type SnapshotStatus = (typeof SNAPSHOT_STATUSES)[number];

/** Why a snapshot is not there yet, where the node knows. */
export const SNAPSHOT_REASONS = {
  /** The drive has no room for what the snapshot would keep from being freed. */
  insufficientCapacity: 'InsufficientCapacity',
  /** Files changed while they were copied, and their writers could not be paused for long enough. */
  busy: 'VolumeBusy',
  /** The drive's file system cannot share blocks between files. */
  unsupported: 'Unsupported',
  /** Something else; it is tried again. */
  failed: 'Failed',
} as const;
/** Why a snapshot is not there yet. */
export type SnapshotReason = (typeof SNAPSHOT_REASONS)[keyof typeof SNAPSHOT_REASONS];

/** What a snapshot is of, where it is, and how large it is. */
export interface DirectPVSnapshotStatus {
  /** The volume that it was made of. It may be gone by now. */
  volume: string;
  /** Its drive: the volume's. */
  fsuuid: string;
  /** Bytes: what its drive has set aside for it, which is what its files take. 0 until it is made. */
  totalCapacity: number;
  /** Bytes: the size of the volume at that time. A volume that is made of it has at least that. */
  restoreSize: number;
  status: SnapshotStatus;
  /** The moment that it shows, RFC 3339. */
  takenAt?: string;
  /** For how many milliseconds the pods that used the volume were paused. */
  pausedMs?: number;
  /** Why it is not there yet. */
  reason?: SnapshotReason;
  message?: string;
  conditions?: Condition[];
}

/** A volume as it was at one moment, on the volume's own drive. Cluster-scoped; its name is the CSI snapshot id. */
export interface DirectPVSnapshot extends ClusterKind {
  apiVersion?: 'directpv.min.io/v1beta1';
  kind?: 'DirectPVSnapshot';
  metadata?: ClusterObjectMeta;
  status: DirectPVSnapshotStatus;
}
export const DirectPVSnapshot: ResourceType<DirectPVSnapshot> = {
  group: GROUP,
  version: VERSION,
  kind: 'DirectPVSnapshot',
  plural: 'directpvsnapshots',
  namespaced: false,
};
