import type { ClusterKind, ClusterObjectMeta, ResourceType } from '@windlass/apimachinery';
import type { Condition } from '@windlass/apimachinery/api/meta/v1';
import { GROUP, VERSION } from './constants.ts';

/** A block device of a node. */
export interface DirectPVDevice {
  name: string;
  /** Changes with everything that matters about the device, so that nothing else is formatted than what was seen. */
  id: string;
  majorMinor: string;
  /** Bytes. */
  size: number;
  make?: string;
  fsType?: string;
  fsuuid?: string;
  /** Why it may not be initialised. Absent when it may. */
  deniedReason?: string;
}

/** What people ask of a node. */
export interface DirectPVNodeSpec {
  /** Asks the node to look at its devices again; it answers with false. */
  refresh?: boolean;
}

/** The block devices of a node. */
export interface DirectPVNodeStatus {
  devices?: DirectPVDevice[] | null;
  conditions?: Condition[];
}

/** What a node found when it looked at its devices. Cluster-scoped; named like the node. */
export interface DirectPVNode extends ClusterKind {
  apiVersion?: 'directpv.min.io/v1beta1';
  kind?: 'DirectPVNode';
  metadata?: ClusterObjectMeta;
  spec?: DirectPVNodeSpec;
  status?: DirectPVNodeStatus;
}
export const DirectPVNode: ResourceType<DirectPVNode> = {
  group: GROUP,
  version: VERSION,
  kind: 'DirectPVNode',
  plural: 'directpvnodes',
  namespaced: false,
};
