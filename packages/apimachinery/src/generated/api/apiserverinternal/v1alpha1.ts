// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Time } from '../meta/v1.ts';

export interface ServerStorageVersion {
  apiServerID: string;
  decodableVersions: string[];
  encodingVersion: string;
  servedVersions?: string[];
}

export interface StorageVersion extends ClusterKind {
  apiVersion?: 'internal.apiserver.k8s.io/v1alpha1';
  kind?: 'StorageVersion';
  metadata: ClusterObjectMeta;
  spec?: StorageVersionSpec;
  status?: StorageVersionStatus;
}
export const StorageVersion: ResourceType<StorageVersion> = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  kind: 'StorageVersion',
  plural: 'storageversions',
  namespaced: false,
};

export interface StorageVersionCondition {
  lastTransitionTime?: Time | null;
  message: string;
  observedGeneration?: number;
  reason: string;
  status: string;
  type: string;
}

export interface StorageVersionList extends KubeList<StorageVersion> {
  apiVersion?: 'internal.apiserver.k8s.io/v1alpha1';
  kind?: 'StorageVersionList';
}

export type StorageVersionSpec = { [key: string]: never };

export interface StorageVersionStatus {
  commonEncodingVersion?: string;
  conditions?: StorageVersionCondition[];
  storageVersions?: ServerStorageVersion[];
}
