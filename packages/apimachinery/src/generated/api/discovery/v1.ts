// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { ObjectReference } from '../core/v1.ts';

export interface Endpoint {
  addresses: string[];
  conditions?: EndpointConditions;
  deprecatedTopology?: { [key: string]: string };
  hints?: EndpointHints;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
  zone?: string;
}

export interface EndpointConditions {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
}

export interface EndpointHints {
  forNodes?: ForNode[];
  forZones?: ForZone[];
}

export interface EndpointPort {
  appProtocol?: string;
  name?: string;
  port?: number;
  protocol?: 'SCTP' | 'TCP' | 'UDP' | (string & {});
}

export interface EndpointSlice extends NamespacedKind {
  apiVersion?: 'discovery.k8s.io/v1';
  kind?: 'EndpointSlice';
  addressType: 'FQDN' | 'IPv4' | 'IPv6' | (string & {});
  endpoints?: Endpoint[] | null;
  metadata?: ObjectMeta;
  ports?: EndpointPort[] | null;
}
export const EndpointSlice: ResourceType<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};

export interface EndpointSliceList extends KubeList<EndpointSlice> {
  apiVersion?: 'discovery.k8s.io/v1';
  kind?: 'EndpointSliceList';
}

export interface ForNode {
  name: string;
}

export interface ForZone {
  name: string;
}
