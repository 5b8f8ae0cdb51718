import {
  type ClusterKind,
  type ClusterObjectMeta,
  type DeepReadonly,
  hasFinalizer,
  type ResourceType,
} from '@windlass/apimachinery';
import type { Condition } from '@windlass/apimachinery/api/meta/v1';
import { GROUP, VERSION } from './constants.ts';
import { FINALIZERS } from './finalizers.ts';

/** All statuses of volumes. */
export const VOLUME_STATUSES = ['Pending', 'Ready'] as const;
/** What state a volume is in. */
export type VolumeStatus = (typeof VOLUME_STATUSES)[number];

/** Where a volume is, how large it is, and who uses it. */
export interface DirectPVVolumeStatus {
  dataPath: string;
  stagingTargetPath: string;
  targetPath: string;
  /** Its drive. */
  fsuuid: string;
  /**
   * Bytes: what its drive has set aside for it, and what its quota has to be. The controller raises it when a
   * volume is expanded, together with the drive; the node then brings the quota up to it. So the node must
   * compare a wanted size with the quota, never with this field.
   */
  totalCapacity: number;
  availableCapacity: number;
  usedCapacity: number;
  status: VolumeStatus;
  conditions?: Condition[];
}

/** A volume of a drive. Cluster-scoped; its name is the CSI volume id. */
export interface DirectPVVolume extends ClusterKind {
  apiVersion?: 'directpv.min.io/v1beta1';
  kind?: 'DirectPVVolume';
  metadata?: ClusterObjectMeta;
  status: DirectPVVolumeStatus;
}
export const DirectPVVolume: ResourceType<DirectPVVolume> = {
  group: GROUP,
  version: VERSION,
  kind: 'DirectPVVolume',
  plural: 'directpvvolumes',
  namespaced: false,
};

/** Whether the volume is mounted on its node, for pods to use. */
export function isStaged({ status }: DeepReadonly<DirectPVVolume>): boolean {
  return status.stagingTargetPath !== '';
}

/** Whether the volume is mounted in a pod. */
export function isPublished({ status }: DeepReadonly<DirectPVVolume>): boolean {
  return status.targetPath !== '';
}

/** Nobody wants it any more: what is left is to purge its data. Other people's finalizers are respected. */
export function isReleased(volume: DeepReadonly<DirectPVVolume>): boolean {
  return volume.metadata?.finalizers?.length === 1 && hasFinalizer(volume, FINALIZERS.purgeProtection);
}
