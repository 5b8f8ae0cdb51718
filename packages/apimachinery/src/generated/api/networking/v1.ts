// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta, NamespacedKind } from '../../../served.ts';
import type { TypedLocalObjectReference } from '../core/v1.ts';
import type { Condition, IntOrString, LabelSelector } from '../meta/v1.ts';

export interface HTTPIngressPath {
  backend: IngressBackend;
  path?: string;
  pathType: 'Exact' | 'ImplementationSpecific' | 'Prefix' | (string & {});
}

export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[];
}

export interface IPAddress extends ClusterKind {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'IPAddress';
  metadata?: ClusterObjectMeta;
  spec: IPAddressSpec;
}
export const IPAddress: ResourceType<IPAddress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  namespaced: false,
};

export interface IPAddressList extends KubeList<IPAddress> {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'IPAddressList';
}

export interface IPAddressSpec {
  parentRef: ParentReference;
}

export interface IPBlock {
  cidr: string;
  except?: string[];
}

export interface Ingress extends NamespacedKind {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'Ingress';
  metadata?: ObjectMeta;
  spec?: IngressSpec;
  status?: IngressStatus;
}
export const Ingress: ResourceType<Ingress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
};

export interface IngressBackend {
  resource?: TypedLocalObjectReference;
  service?: IngressServiceBackend;
}

export interface IngressClass extends ClusterKind {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'IngressClass';
  metadata?: ClusterObjectMeta;
  spec?: IngressClassSpec;
}
export const IngressClass: ResourceType<IngressClass> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
};

export interface IngressClassList extends KubeList<IngressClass> {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'IngressClassList';
}

export interface IngressClassParametersReference {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
  scope?: string | null;
}

export interface IngressClassSpec {
  controller?: string;
  parameters?: IngressClassParametersReference;
}

export interface IngressList extends KubeList<Ingress> {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'IngressList';
}

export interface IngressLoadBalancerIngress {
  hostname?: string;
  ip?: string;
  ports?: IngressPortStatus[];
}

export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[];
}

export interface IngressPortStatus {
  error?: string;
  port: number;
  protocol: 'SCTP' | 'TCP' | 'UDP' | (string & {});
}

export interface IngressRule {
  host?: string;
  http?: HTTPIngressRuleValue;
}

export interface IngressServiceBackend {
  name: string;
  port?: ServiceBackendPort;
}

export interface IngressSpec {
  defaultBackend?: IngressBackend;
  ingressClassName?: string;
  rules?: IngressRule[];
  tls?: IngressTLS[];
}

export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus;
}

export interface IngressTLS {
  hosts?: string[];
  secretName?: string;
}

export interface NetworkPolicy extends NamespacedKind {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'NetworkPolicy';
  metadata?: ObjectMeta;
  spec?: NetworkPolicySpec;
}
export const NetworkPolicy: ResourceType<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  namespaced: true,
};

export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
}

export interface NetworkPolicyIngressRule {
  from?: NetworkPolicyPeer[];
  ports?: NetworkPolicyPort[];
}

export interface NetworkPolicyList extends KubeList<NetworkPolicy> {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'NetworkPolicyList';
}

export interface NetworkPolicyPeer {
  ipBlock?: IPBlock;
  namespaceSelector?: LabelSelector;
  podSelector?: LabelSelector;
}

export interface NetworkPolicyPort {
  endPort?: number;
  port?: IntOrString;
  protocol?: 'SCTP' | 'TCP' | 'UDP' | (string & {});
}

export interface NetworkPolicySpec {
  egress?: NetworkPolicyEgressRule[];
  ingress?: NetworkPolicyIngressRule[];
  podSelector?: LabelSelector;
  policyTypes?: ('Egress' | 'Ingress' | (string & {}))[];
}

export interface ParentReference {
  group?: string;
  name: string;
  namespace?: string;
  resource: string;
}

export interface ServiceBackendPort {
  name?: string;
  number?: number;
}

export interface ServiceCIDR extends ClusterKind {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'ServiceCIDR';
  metadata?: ClusterObjectMeta;
  spec?: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}
export const ServiceCIDR: ResourceType<ServiceCIDR> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
};

export interface ServiceCIDRList extends KubeList<ServiceCIDR> {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'ServiceCIDRList';
}

export interface ServiceCIDRSpec {
  cidrs?: string[];
}

export interface ServiceCIDRStatus {
  conditions?: Condition[];
}
