// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';

export interface VolumeAttributesClass {
  apiVersion?: 'storage.k8s.io/v1beta1';
  kind?: 'VolumeAttributesClass';
  driverName: string;
  metadata?: ObjectMeta;
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
