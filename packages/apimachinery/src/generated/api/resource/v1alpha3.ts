// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Condition, Time } from '../meta/v1.ts';

export interface DeviceTaint {
  effect: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
  key: string;
  timeAdded?: Time;
  value?: string;
}

export interface DeviceTaintRule extends ClusterKind {
  apiVersion?: 'resource.k8s.io/v1alpha3';
  kind?: 'DeviceTaintRule';
  metadata?: ClusterObjectMeta;
  spec: DeviceTaintRuleSpec;
  status?: DeviceTaintRuleStatus;
}
export const DeviceTaintRule: ResourceType<DeviceTaintRule> = {
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  kind: 'DeviceTaintRule',
  plural: 'devicetaintrules',
  namespaced: false,
};

export interface DeviceTaintRuleList extends KubeList<DeviceTaintRule> {
  apiVersion?: 'resource.k8s.io/v1alpha3';
  kind?: 'DeviceTaintRuleList';
}

export interface DeviceTaintRuleSpec {
  deviceSelector?: DeviceTaintSelector;
  taint: DeviceTaint;
}

export interface DeviceTaintRuleStatus {
  conditions?: Condition[];
}

export interface DeviceTaintSelector {
  device?: string;
  driver?: string;
  pool?: string;
}

export interface PoolStatus {
  allocatedDevices?: number;
  availableDevices?: number;
  driver: string;
  generation: number;
  nodeName?: string;
  poolName: string;
  resourceSliceCount?: number;
  totalDevices?: number;
  unavailableDevices?: number;
  validationError?: string;
}

export interface ResourcePoolStatusRequest extends ClusterKind {
  apiVersion?: 'resource.k8s.io/v1alpha3';
  kind?: 'ResourcePoolStatusRequest';
  metadata: ClusterObjectMeta;
  spec: ResourcePoolStatusRequestSpec;
  status?: ResourcePoolStatusRequestStatus;
}
export const ResourcePoolStatusRequest: ResourceType<ResourcePoolStatusRequest> = {
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  plural: 'resourcepoolstatusrequests',
  namespaced: false,
};

export interface ResourcePoolStatusRequestList extends KubeList<ResourcePoolStatusRequest> {
  apiVersion?: 'resource.k8s.io/v1alpha3';
  kind?: 'ResourcePoolStatusRequestList';
}

export interface ResourcePoolStatusRequestSpec {
  driver: string;
  limit?: number;
  poolName?: string;
}

export interface ResourcePoolStatusRequestStatus {
  conditions?: Condition[];
  poolCount: number;
  pools?: PoolStatus[];
}
