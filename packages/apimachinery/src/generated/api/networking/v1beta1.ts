// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Condition } from '../meta/v1.ts';

/**
 * IPAddress represents a single IP of a single IP Family. The object is designed to be used by APIs that
 * operate on IP addresses. The object is used by the Service core API for allocation of IP addresses. An IP
 * address can be represented in different formats, to guarantee the uniqueness of the IP, the name of the
 * object is the IP address in canonical format, four decimal digits separated by dots suppressing leading
 * zeros for IPv4 and the representation defined by RFC 5952 for IPv6. …
 */
export interface IPAddress extends ClusterKind {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'IPAddress';
  /**
   * Standard object's metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  metadata?: ClusterObjectMeta;
  /**
   * spec is the desired state of the IPAddress. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status
   */
  spec: IPAddressSpec;
}
export const IPAddress: ResourceType<IPAddress> = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  namespaced: false,
};

/** IPAddressList contains a list of IPAddress. */
export interface IPAddressList extends KubeList<IPAddress> {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'IPAddressList';
}

/** IPAddressSpec describe the attributes in an IP Address. */
export interface IPAddressSpec {
  /**
   * ParentRef references the resource that an IPAddress is attached to. An IPAddress must reference a parent
   * object.
   */
  parentRef: ParentReference;
}

/** ParentReference describes a reference to a parent object. */
export interface ParentReference {
  /** Group is the group of the object being referenced. */
  group?: string;
  /** Name is the name of the object being referenced. */
  name: string;
  /** Namespace is the namespace of the object being referenced. */
  namespace?: string;
  /** Resource is the resource of the object being referenced. */
  resource: string;
}

/**
 * ServiceCIDR defines a range of IP addresses using CIDR format (e.g. 192.168.0.0/24 or 2001:db2::/64). This
 * range is used to allocate ClusterIPs to Service objects.
 */
export interface ServiceCIDR extends ClusterKind {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'ServiceCIDR';
  /**
   * Standard object's metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  metadata?: ClusterObjectMeta;
  /**
   * spec is the desired state of the ServiceCIDR. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status
   */
  spec?: ServiceCIDRSpec;
  /**
   * status represents the current state of the ServiceCIDR. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status
   */
  status?: ServiceCIDRStatus;
}
export const ServiceCIDR: ResourceType<ServiceCIDR> = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
};

/** ServiceCIDRList contains a list of ServiceCIDR objects. */
export interface ServiceCIDRList extends KubeList<ServiceCIDR> {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'ServiceCIDRList';
}

/** ServiceCIDRSpec define the CIDRs the user wants to use for allocating ClusterIPs for Services. */
export interface ServiceCIDRSpec {
  /**
   * CIDRs defines the IP blocks in CIDR notation (e.g. "192.168.0.0/24" or "2001:db8::/64") from which to
   * assign service cluster IPs. Max of two CIDRs is allowed, one of each IP family. This field is immutable.
   */
  cidrs?: string[];
}

/** ServiceCIDRStatus describes the current state of the ServiceCIDR. */
export interface ServiceCIDRStatus {
  /**
   * conditions holds an array of metav1.Condition that describe the state of the ServiceCIDR. Current service
   * state
   */
  conditions?: Condition[];
}
