// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Condition } from '../meta/v1.ts';

export interface IPAddress extends ClusterKind {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'IPAddress';
  metadata?: ClusterObjectMeta;
  spec: IPAddressSpec;
}
export const IPAddress: ResourceType<IPAddress> = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  namespaced: false,
};

export interface IPAddressList extends KubeList<IPAddress> {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'IPAddressList';
}

export interface IPAddressSpec {
  parentRef: ParentReference;
}

export interface ParentReference {
  group?: string;
  name: string;
  namespace?: string;
  resource: string;
}

export interface ServiceCIDR extends ClusterKind {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'ServiceCIDR';
  metadata?: ClusterObjectMeta;
  spec?: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}
export const ServiceCIDR: ResourceType<ServiceCIDR> = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
};

export interface ServiceCIDRList extends KubeList<ServiceCIDR> {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'ServiceCIDRList';
}

export interface ServiceCIDRSpec {
  cidrs?: string[];
}

export interface ServiceCIDRStatus {
  conditions?: Condition[];
}
