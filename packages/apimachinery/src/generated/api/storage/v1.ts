// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta, NamespacedKind } from '../../../served.ts';
import type { PersistentVolumeSpec, TopologySelectorTerm } from '../core/v1.ts';
import type { LabelSelector, Quantity, Time } from '../meta/v1.ts';

export interface CSIDriver extends ClusterKind {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'CSIDriver';
  metadata?: ClusterObjectMeta;
  spec: CSIDriverSpec;
}
export const CSIDriver: ResourceType<CSIDriver> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  namespaced: false,
};

export interface CSIDriverList extends KubeList<CSIDriver> {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'CSIDriverList';
}

export interface CSIDriverSpec {
  attachRequired?: boolean;
  fsGroupPolicy?: string;
  nodeAllocatableUpdatePeriodSeconds?: number;
  podInfoOnMount?: boolean;
  preventPodSchedulingIfMissing?: boolean;
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  serviceAccountTokenInSecrets?: boolean;
  storageCapacity?: boolean;
  tokenRequests?: TokenRequest[];
  volumeLifecycleModes?: string[];
}

export interface CSINode extends ClusterKind {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'CSINode';
  metadata?: ClusterObjectMeta;
  spec: CSINodeSpec;
}
export const CSINode: ResourceType<CSINode> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
};

export interface CSINodeDriver {
  allocatable?: VolumeNodeResources;
  name: string;
  nodeID: string;
  topologyKeys?: string[] | null;
}

export interface CSINodeList extends KubeList<CSINode> {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'CSINodeList';
}

export interface CSINodeSpec {
  drivers: CSINodeDriver[];
}

export interface CSIStorageCapacity extends NamespacedKind {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'CSIStorageCapacity';
  capacity?: Quantity;
  maximumVolumeSize?: Quantity;
  metadata?: ObjectMeta;
  nodeTopology?: LabelSelector;
  storageClassName: string;
}
export const CSIStorageCapacity: ResourceType<CSIStorageCapacity> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  namespaced: true,
};

export interface CSIStorageCapacityList extends KubeList<CSIStorageCapacity> {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'CSIStorageCapacityList';
}

export interface StorageClass extends ClusterKind {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'StorageClass';
  allowVolumeExpansion?: boolean;
  allowedTopologies?: TopologySelectorTerm[];
  metadata?: ClusterObjectMeta;
  mountOptions?: string[];
  parameters?: { [key: string]: string };
  provisioner: string;
  reclaimPolicy?: 'Delete' | 'Recycle' | 'Retain' | (string & {});
  volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer' | (string & {});
}
export const StorageClass: ResourceType<StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
};

export interface StorageClassList extends KubeList<StorageClass> {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'StorageClassList';
}

export interface TokenRequest {
  audience: string;
  expirationSeconds?: number;
}

export interface VolumeAttachment extends ClusterKind {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'VolumeAttachment';
  metadata?: ClusterObjectMeta;
  spec: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
}
export const VolumeAttachment: ResourceType<VolumeAttachment> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  namespaced: false,
};

export interface VolumeAttachmentList extends KubeList<VolumeAttachment> {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'VolumeAttachmentList';
}

export interface VolumeAttachmentSource {
  inlineVolumeSpec?: PersistentVolumeSpec;
  persistentVolumeName?: string;
}

export interface VolumeAttachmentSpec {
  attacher: string;
  nodeName: string;
  source: VolumeAttachmentSource;
}

export interface VolumeAttachmentStatus {
  attachError?: VolumeError;
  attached: boolean;
  attachmentMetadata?: { [key: string]: string };
  detachError?: VolumeError;
}

export interface VolumeAttributesClass extends ClusterKind {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'VolumeAttributesClass';
  driverName: string;
  metadata?: ClusterObjectMeta;
  parameters?: { [key: string]: string };
}
export const VolumeAttributesClass: ResourceType<VolumeAttributesClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  namespaced: false,
};

export interface VolumeAttributesClassList extends KubeList<VolumeAttributesClass> {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'VolumeAttributesClassList';
}

export interface VolumeError {
  errorCode?: number;
  message?: string;
  time?: Time | null;
}

export interface VolumeNodeResources {
  count?: number;
}
