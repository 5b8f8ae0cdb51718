// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';

export interface VolumeAttributesClass extends ClusterKind {
  apiVersion?: 'storage.k8s.io/v1beta1';
  kind?: 'VolumeAttributesClass';
  driverName: string;
  metadata?: ClusterObjectMeta;
  parameters?: { [key: string]: string };
}
export const VolumeAttributesClass: ResourceType<VolumeAttributesClass> = {
  group: 'storage.k8s.io',
  version: 'v1beta1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  namespaced: false,
};

export interface VolumeAttributesClassList extends KubeList<VolumeAttributesClass> {
  apiVersion?: 'storage.k8s.io/v1beta1';
  kind?: 'VolumeAttributesClassList';
}
