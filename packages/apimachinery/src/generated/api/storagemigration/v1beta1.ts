// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Condition, GroupResource } from '../meta/v1.ts';

export interface StorageVersionMigration extends ClusterKind {
  apiVersion?: 'storagemigration.k8s.io/v1beta1';
  kind?: 'StorageVersionMigration';
  metadata?: ClusterObjectMeta;
  spec?: StorageVersionMigrationSpec;
  status?: StorageVersionMigrationStatus;
}
export const StorageVersionMigration: ResourceType<StorageVersionMigration> = {
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  kind: 'StorageVersionMigration',
  plural: 'storageversionmigrations',
  namespaced: false,
};

export interface StorageVersionMigrationList extends KubeList<StorageVersionMigration> {
  apiVersion?: 'storagemigration.k8s.io/v1beta1';
  kind?: 'StorageVersionMigrationList';
}

export interface StorageVersionMigrationSpec {
  resource: GroupResource;
}

export interface StorageVersionMigrationStatus {
  conditions?: Condition[];
  resourceVersion?: string;
}
