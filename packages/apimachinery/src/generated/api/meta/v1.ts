// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { JsonValue, ListMeta } from '../../../object.ts';

export type { ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../../../object.ts';

export interface APIGroup {
  apiVersion?: 'v1';
  kind?: 'APIGroup';
  name: string;
  preferredVersion?: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
  versions: GroupVersionForDiscovery[];
}

export interface APIGroupList {
  apiVersion?: 'v1';
  kind?: 'APIGroupList';
  groups: APIGroup[];
}

export interface APIResource {
  categories?: string[];
  group?: string;
  kind: string;
  name: string;
  namespaced: boolean;
  shortNames?: string[];
  singularName: string;
  storageVersionHash?: string;
  verbs: string[];
  version?: string;
}

export interface APIResourceList {
  apiVersion?: 'v1';
  kind?: 'APIResourceList';
  groupVersion: string;
  resources: APIResource[];
}

export interface APIVersions {
  apiVersion?: 'v1';
  kind?: 'APIVersions';
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[];
  versions: string[];
}

export interface Condition {
  lastTransitionTime: Time;
  message: string;
  observedGeneration?: number;
  reason: string;
  status: string;
  type: string;
}

export interface DeleteOptions {
  apiVersion?: string;
  dryRun?: string[];
  gracePeriodSeconds?: number;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  kind?: string;
  orphanDependents?: boolean;
  preconditions?: Preconditions;
  propagationPolicy?: string;
}

export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export type FieldsV1 = { [key: string]: JsonValue };

export interface GroupResource {
  group: string;
  resource: string;
}

export interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}

export interface Info {
  buildDate: string;
  compiler: string;
  emulationMajor?: string;
  emulationMinor?: string;
  gitCommit: string;
  gitTreeState: string;
  gitVersion: string;
  goVersion: string;
  major: string;
  minCompatibilityMajor?: string;
  minCompatibilityMinor?: string;
  minor: string;
  platform: string;
}

export type IntOrString = number | string;

export interface LabelSelector {
  matchExpressions?: LabelSelectorRequirement[];
  matchLabels?: { [key: string]: string };
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export type MicroTime = string;

export type Patch = JsonValue;

export interface Preconditions {
  resourceVersion?: string;
  uid?: string;
}

export type Quantity = string;

export type RawExtension = JsonValue;

export interface ServerAddressByClientCIDR {
  clientCIDR: string;
  serverAddress: string;
}

export interface ShardInfo {
  selector: string;
}

export interface Status {
  apiVersion?: 'v1';
  kind?: 'Status';
  code?: number;
  details?: StatusDetails;
  message?: string;
  metadata?: ListMeta;
  reason?: string;
  status?: string;
}

export interface StatusCause {
  field?: string;
  message?: string;
  reason?: string;
}

export interface StatusDetails {
  causes?: StatusCause[];
  group?: string;
  kind?: string;
  name?: string;
  retryAfterSeconds?: number;
  uid?: string;
}

export type Time = string;

export interface WatchEvent {
  object: RawExtension;
  type: string;
}
