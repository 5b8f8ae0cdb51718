import type { ClusterKind, ClusterObjectMeta, DeepReadonly, ResourceType } from '@windlass/apimachinery';
import type { Condition } from '@windlass/apimachinery/api/meta/v1';
import { GROUP, VERSION } from './constants.ts';
import { LABELS, SUSPENDED } from './labels.ts';

/** All statuses of drives. */
export const DRIVE_STATUSES = ['Ready', 'Lost', 'Error', 'Removed', 'Moving', 'Repairing'] as const;
/** What state a drive is in. */
export type DriveStatus = (typeof DRIVE_STATUSES)[number];

/** What people ask of a drive. */
export interface DirectPVDriveSpec {
  /** Gets no new volumes. */
  unschedulable?: boolean;
  /** Asks the node for the mount sentinel, after a migration from DirectCSI. */
  relabel?: boolean;
}

/** What a drive is, where it is, and how much of it is used. */
export interface DirectPVDriveStatus {
  /**
   * Bytes. On drives with the annotation `ACCOUNTING` these are the bytes that volumes may have, and
   * `freeCapacity + allocatedCapacity = totalCapacity`. Drives that DirectPV wrote and nobody has adopted
   * yet may count the file system's own blocks here, and nowhere else.
   */
  totalCapacity: number;
  /** What its volumes have been promised, together. */
  allocatedCapacity: number;
  freeCapacity: number;
  /** Also the drive's name. */
  fsuuid: string;
  status: DriveStatus;
  topology: { [key: string]: string };
  make?: string;
  conditions?: Condition[];
}

/** A formatted drive of a node. Cluster-scoped; its name is the UUID of its file system. */
export interface DirectPVDrive extends ClusterKind {
  apiVersion?: 'directpv.min.io/v1beta1';
  kind?: 'DirectPVDrive';
  metadata?: ClusterObjectMeta;
  spec?: DirectPVDriveSpec;
  status: DirectPVDriveStatus;
}
export const DirectPVDrive: ResourceType<DirectPVDrive> = {
  group: GROUP,
  version: VERSION,
  kind: 'DirectPVDrive',
  plural: 'directpvdrives',
  namespaced: false,
};

/** Whether somebody has suspended the drive or volume. */
export function isSuspended(object: {
  readonly metadata?: { readonly labels?: { readonly [key: string]: string } };
}): boolean {
  return object.metadata?.labels?.[LABELS.suspend] === SUSPENDED;
}

/** The node that has the drive, as its label says: `nodeLabelValue` of the node's name. */
export function nodeOfDrive(drive: DeepReadonly<DirectPVDrive>): string {
  return drive.metadata?.labels?.[LABELS.node] ?? drive.status.topology[LABELS.node] ?? '';
}
