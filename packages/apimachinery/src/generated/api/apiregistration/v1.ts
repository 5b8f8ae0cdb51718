// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Time } from '../meta/v1.ts';

export interface APIService extends ClusterKind {
  apiVersion?: 'apiregistration.k8s.io/v1';
  kind?: 'APIService';
  metadata?: ClusterObjectMeta;
  spec?: APIServiceSpec;
  status?: APIServiceStatus;
}
export const APIService: ResourceType<APIService> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
};

export interface APIServiceCondition {
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface APIServiceList extends KubeList<APIService> {
  apiVersion?: 'apiregistration.k8s.io/v1';
  kind?: 'APIServiceList';
}

export interface APIServiceSpec {
  caBundle?: string;
  group?: string;
  groupPriorityMinimum: number;
  insecureSkipTLSVerify?: boolean;
  service?: ServiceReference;
  version?: string;
  versionPriority: number;
}

export interface APIServiceStatus {
  conditions?: APIServiceCondition[];
}

export interface ServiceReference {
  name?: string;
  namespace?: string;
  port?: number;
}
