// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta, NamespacedKind } from '../../../served.ts';
import type { NodeSelector } from '../core/v1.ts';
import type { Condition, Quantity, RawExtension, Time } from '../meta/v1.ts';

export interface AllocatedDeviceStatus {
  conditions?: Condition[] | null;
  data?: RawExtension;
  device: string;
  driver: string;
  networkData?: NetworkDeviceData;
  pool: string;
  shareID?: string;
}

export interface AllocationResult {
  allocationTimestamp?: Time;
  devices?: DeviceAllocationResult;
  nodeSelector?: NodeSelector;
}

export interface CELDeviceSelector {
  expression: string;
}

export interface CapacityRequestPolicy {
  default?: Quantity | null;
  validRange?: CapacityRequestPolicyRange;
  validValues?: Quantity[];
}

export interface CapacityRequestPolicyRange {
  max?: Quantity;
  min: Quantity;
  step?: Quantity;
}

export interface CapacityRequirements {
  requests?: { [key: string]: Quantity };
}

export interface Counter {
  value: Quantity;
}

export interface CounterSet {
  counters: { [key: string]: Counter };
  name: string;
}

export interface Device {
  allNodes?: boolean;
  allowMultipleAllocations?: boolean;
  attributes?: { [key: string]: DeviceAttribute };
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  bindsToNode?: boolean;
  capacity?: { [key: string]: DeviceCapacity };
  consumesCounters?: DeviceCounterConsumption[];
  name: string;
  nodeAllocatableResourceMappings?: { [key: string]: NodeAllocatableResourceMapping };
  nodeName?: string;
  nodeSelector?: NodeSelector;
  taints?: DeviceTaint[];
}

export interface DeviceAllocationConfiguration {
  opaque?: OpaqueDeviceConfiguration;
  requests?: string[];
  source: 'FromClaim' | 'FromClass' | (string & {});
}

export interface DeviceAllocationResult {
  config?: DeviceAllocationConfiguration[];
  results?: DeviceRequestAllocationResult[];
}

export interface DeviceAttribute {
  bool?: boolean;
  bools?: boolean[];
  int?: number;
  ints?: number[];
  string?: string;
  strings?: string[];
  version?: string;
  versions?: string[];
}

export interface DeviceCapacity {
  requestPolicy?: CapacityRequestPolicy;
  value: Quantity;
}

export interface DeviceClaim {
  config?: DeviceClaimConfiguration[];
  constraints?: DeviceConstraint[];
  requests?: DeviceRequest[] | null;
}

export interface DeviceClaimConfiguration {
  opaque?: OpaqueDeviceConfiguration;
  requests?: string[];
}

export interface DeviceClass extends ClusterKind {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'DeviceClass';
  metadata?: ClusterObjectMeta;
  spec: DeviceClassSpec;
}
export const DeviceClass: ResourceType<DeviceClass> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  namespaced: false,
};

export interface DeviceClassConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}

export interface DeviceClassList extends KubeList<DeviceClass> {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'DeviceClassList';
}

export interface DeviceClassSpec {
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
  selectors?: DeviceSelector[];
}

export interface DeviceConstraint {
  distinctAttribute?: string;
  matchAttribute?: string;
  requests?: string[];
}

export interface DeviceCounterConsumption {
  counterSet: string;
  counters: { [key: string]: Counter };
}

export interface DeviceRequest {
  exactly?: ExactDeviceRequest;
  firstAvailable?: DeviceSubRequest[];
  name: string;
}

export interface DeviceRequestAllocationResult {
  adminAccess?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  consumedCapacity?: { [key: string]: Quantity };
  device: string;
  driver: string;
  pool: string;
  request: string;
  shareID?: string;
  tolerations?: DeviceToleration[];
}

export interface DeviceSelector {
  cel?: CELDeviceSelector;
}

export interface DeviceSubRequest {
  allocationMode?: 'All' | 'ExactCount' | (string & {});
  capacity?: CapacityRequirements;
  count?: number;
  deviceClassName: string;
  name: string;
  selectors?: DeviceSelector[];
  tolerations?: DeviceToleration[];
}

export interface DeviceTaint {
  effect: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
  key: string;
  timeAdded?: Time;
  value?: string;
}

export interface DeviceTaintRule extends ClusterKind {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'DeviceTaintRule';
  metadata?: ClusterObjectMeta;
  spec: DeviceTaintRuleSpec;
  status?: DeviceTaintRuleStatus;
}
export const DeviceTaintRule: ResourceType<DeviceTaintRule> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'DeviceTaintRule',
  plural: 'devicetaintrules',
  namespaced: false,
};

export interface DeviceTaintRuleList extends KubeList<DeviceTaintRule> {
  apiVersion?: 'resource.k8s.io/v1beta2';
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

export interface DeviceToleration {
  effect?: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
  key?: string;
  operator?: 'Equal' | 'Exists' | (string & {});
  tolerationSeconds?: number;
  value?: string;
}

export interface ExactDeviceRequest {
  adminAccess?: boolean;
  allocationMode?: 'All' | 'ExactCount' | (string & {});
  capacity?: CapacityRequirements;
  count?: number;
  deviceClassName: string;
  selectors?: DeviceSelector[];
  tolerations?: DeviceToleration[];
}

export interface NetworkDeviceData {
  hardwareAddress?: string;
  interfaceName?: string;
  ips?: string[];
}

export interface NodeAllocatableResourceMapping {
  allocationMultiplier?: Quantity;
  capacityKey?: string;
}

export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters: RawExtension;
}

export interface ResourceClaim extends NamespacedKind {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'ResourceClaim';
  metadata?: ObjectMeta;
  spec: ResourceClaimSpec;
  status?: ResourceClaimStatus;
}
export const ResourceClaim: ResourceType<ResourceClaim> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  namespaced: true,
};

export interface ResourceClaimConsumerReference {
  apiGroup?: string;
  name: string;
  resource: string;
  uid: string;
}

export interface ResourceClaimList extends KubeList<ResourceClaim> {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'ResourceClaimList';
}

export interface ResourceClaimSpec {
  devices?: DeviceClaim;
}

export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  devices?: AllocatedDeviceStatus[];
  reservedFor?: ResourceClaimConsumerReference[];
}

export interface ResourceClaimTemplate extends NamespacedKind {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'ResourceClaimTemplate';
  metadata?: ObjectMeta;
  spec: ResourceClaimTemplateSpec;
}
export const ResourceClaimTemplate: ResourceType<ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  namespaced: true,
};

export interface ResourceClaimTemplateList extends KubeList<ResourceClaimTemplate> {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'ResourceClaimTemplateList';
}

export interface ResourceClaimTemplateSpec {
  metadata?: ObjectMeta;
  spec: ResourceClaimSpec;
}

export interface ResourcePool {
  generation: number;
  name: string;
  resourceSliceCount: number;
}

export interface ResourceSlice extends ClusterKind {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'ResourceSlice';
  metadata?: ClusterObjectMeta;
  spec: ResourceSliceSpec;
}
export const ResourceSlice: ResourceType<ResourceSlice> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  namespaced: false,
};

export interface ResourceSliceList extends KubeList<ResourceSlice> {
  apiVersion?: 'resource.k8s.io/v1beta2';
  kind?: 'ResourceSliceList';
}

export interface ResourceSliceSpec {
  allNodes?: boolean;
  devices?: Device[];
  driver: string;
  nodeName?: string;
  nodeSelector?: NodeSelector;
  perDeviceNodeSelection?: boolean;
  pool: ResourcePool;
  sharedCounters?: CounterSet[];
}
