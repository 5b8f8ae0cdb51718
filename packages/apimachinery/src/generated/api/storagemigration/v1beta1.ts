// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Condition, GroupResource } from '../meta/v1.ts';

/** StorageVersionMigration represents a migration of stored data to the latest storage version. */
export interface StorageVersionMigration extends ClusterKind {
  apiVersion?: 'storagemigration.k8s.io/v1beta1';
  kind?: 'StorageVersionMigration';
  /**
   * Standard object metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  metadata?: ClusterObjectMeta;
  /** Specification of the migration. */
  spec?: StorageVersionMigrationSpec;
  /** Status of the migration. */
  status?: StorageVersionMigrationStatus;
}
export const StorageVersionMigration: ResourceType<StorageVersionMigration> = {
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  kind: 'StorageVersionMigration',
  plural: 'storageversionmigrations',
  namespaced: false,
};

/** StorageVersionMigrationList is a collection of storage version migrations. */
export interface StorageVersionMigrationList extends KubeList<StorageVersionMigration> {
  apiVersion?: 'storagemigration.k8s.io/v1beta1';
  kind?: 'StorageVersionMigrationList';
}

/** Spec of the storage version migration. */
export interface StorageVersionMigrationSpec {
  /**
   * The resource that is being migrated. The migrator sends requests to the endpoint serving the resource.
   * Immutable.
   */
  resource: GroupResource;
}

/** Status of the storage version migration. */
export interface StorageVersionMigrationStatus {
  /** The latest available observations of the migration's current state. */
  conditions?: Condition[];
  /**
   * ResourceVersion to compare with the GC cache for performing the migration. This is the current resource
   * version of given group, version and resource when kube-controller-manager first observes this
   * StorageVersionMigration resource.
   */
  resourceVersion?: string;
}
