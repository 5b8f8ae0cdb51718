// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';

/**
 * VolumeAttributesClass represents a specification of mutable volume attributes defined by the CSI driver.
 * The class can be specified during dynamic provisioning of PersistentVolumeClaims, and changed in the
 * PersistentVolumeClaim spec after provisioning.
 */
export interface VolumeAttributesClass extends ClusterKind {
  apiVersion?: 'storage.k8s.io/v1beta1';
  kind?: 'VolumeAttributesClass';
  /** Name of the CSI driver This field is immutable. */
  driverName: string;
  /**
   * Standard object's metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  metadata?: ClusterObjectMeta;
  /**
   * parameters hold volume attributes defined by the CSI driver. These values are opaque to the Kubernetes
   * and are passed directly to the CSI driver. The underlying storage provider supports changing these
   * attributes on an existing volume, however the parameters field itself is immutable. To invoke a volume
   * update, a new VolumeAttributesClass should be created with new parameters, and the PersistentVolumeClaim
   * should be updated to reference the new VolumeAttributesClass. …
   */
  parameters?: { [key: string]: string };
}
export const VolumeAttributesClass: ResourceType<VolumeAttributesClass> = {
  group: 'storage.k8s.io',
  version: 'v1beta1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  namespaced: false,
};

/** VolumeAttributesClassList is a collection of VolumeAttributesClass objects. */
export interface VolumeAttributesClassList extends KubeList<VolumeAttributesClass> {
  apiVersion?: 'storage.k8s.io/v1beta1';
  kind?: 'VolumeAttributesClassList';
}
