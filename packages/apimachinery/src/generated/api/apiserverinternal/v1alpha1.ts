// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Time } from '../meta/v1.ts';

/**
 * An API server instance reports the version it can decode and the version it encodes objects to when
 * persisting objects in the backend.
 */
export interface ServerStorageVersion {
  /** apiServerID is the ID of the reporting API server. */
  apiServerID: string;
  /**
   * decodableVersions are the encoding versions the API server can handle to decode. The API server can
   * decode objects encoded in these versions. The encodingVersion must be included in the decodableVersions.
   */
  decodableVersions: string[];
  /** encodingVersion the API server encodes the object to when persisting it in the backend (e.g., etcd). */
  encodingVersion: string;
  /**
   * servedVersions lists all versions the API server can serve. DecodableVersions must include all
   * ServedVersions.
   */
  servedVersions?: string[];
}

/** Storage version of a specific resource. */
export interface StorageVersion extends ClusterKind {
  apiVersion?: 'internal.apiserver.k8s.io/v1alpha1';
  kind?: 'StorageVersion';
  /** metadata is the standard object metadata. The name is \<group\>.\<resource\>. */
  metadata: ClusterObjectMeta;
  /** spec is an empty spec. It is here to comply with Kubernetes API style. */
  spec?: StorageVersionSpec;
  /**
   * status on the version the API server instance can decode from and encode objects to when persisting
   * objects in the backend.
   */
  status?: StorageVersionStatus;
}
export const StorageVersion: ResourceType<StorageVersion> = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  kind: 'StorageVersion',
  plural: 'storageversions',
  namespaced: false,
};

/** Describes the state of the storageVersion at a certain point. */
export interface StorageVersionCondition {
  /** lastTransitionTime is the last time the condition transitioned from one status to another. */
  lastTransitionTime?: Time | null;
  /** message is a human readable string indicating details about the transition. */
  message: string;
  /**
   * observedGeneration represents the .metadata.generation that the condition was set based upon, if field is
   * set.
   */
  observedGeneration?: number;
  /** reason for the condition's last transition. */
  reason: string;
  /** status of the condition, one of True, False, Unknown. */
  status: string;
  /** type of the condition. */
  type: string;
}

/** A list of StorageVersions. */
export interface StorageVersionList extends KubeList<StorageVersion> {
  apiVersion?: 'internal.apiserver.k8s.io/v1alpha1';
  kind?: 'StorageVersionList';
}

/** StorageVersionSpec is an empty spec. */
export type StorageVersionSpec = { [key: string]: never };

/**
 * API server instances report the versions they can decode and the version they encode objects to when
 * persisting objects in the backend.
 */
export interface StorageVersionStatus {
  /**
   * commonEncodingVersion is set to an encoding storage version if all API server instances share that same
   * version. If they don't share one storage version, this field is left empty. API servers should finish
   * updating its storageVersionStatus entry before serving write operations, so that this field will be in
   * sync with the reality.
   */
  commonEncodingVersion?: string;
  /** conditions lists the latest available observations of the storageVersion's state. */
  conditions?: StorageVersionCondition[];
  /** storageVersions lists the reported versions per API server instance. */
  storageVersions?: ServerStorageVersion[];
}
