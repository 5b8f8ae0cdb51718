// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Time } from '../meta/v1.ts';

export interface ExemptPriorityLevelConfiguration {
  lendablePercent?: number;
  nominalConcurrencyShares?: number;
}

export interface FlowDistinguisherMethod {
  type: string;
}

export interface FlowSchema extends ClusterKind {
  apiVersion?: 'flowcontrol.apiserver.k8s.io/v1';
  kind?: 'FlowSchema';
  metadata?: ClusterObjectMeta;
  spec?: FlowSchemaSpec;
  status?: FlowSchemaStatus;
}
export const FlowSchema: ResourceType<FlowSchema> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  namespaced: false,
};

export interface FlowSchemaCondition {
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status?: string;
  type?: string;
}

export interface FlowSchemaList extends KubeList<FlowSchema> {
  apiVersion?: 'flowcontrol.apiserver.k8s.io/v1';
  kind?: 'FlowSchemaList';
}

export interface FlowSchemaSpec {
  distinguisherMethod?: FlowDistinguisherMethod;
  matchingPrecedence?: number;
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  rules?: PolicyRulesWithSubjects[];
}

export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[];
}

export interface GroupSubject {
  name: string;
}

export interface LimitResponse {
  queuing?: QueuingConfiguration;
  type: string;
}

export interface LimitedPriorityLevelConfiguration {
  borrowingLimitPercent?: number;
  lendablePercent?: number;
  limitResponse?: LimitResponse;
  nominalConcurrencyShares?: number | null;
}

export interface NonResourcePolicyRule {
  nonResourceURLs: string[];
  verbs: string[];
}

export interface PolicyRulesWithSubjects {
  nonResourceRules?: NonResourcePolicyRule[];
  resourceRules?: ResourcePolicyRule[];
  subjects: Subject[];
}

export interface PriorityLevelConfiguration extends ClusterKind {
  apiVersion?: 'flowcontrol.apiserver.k8s.io/v1';
  kind?: 'PriorityLevelConfiguration';
  metadata?: ClusterObjectMeta;
  spec?: PriorityLevelConfigurationSpec;
  status?: PriorityLevelConfigurationStatus;
}
export const PriorityLevelConfiguration: ResourceType<PriorityLevelConfiguration> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  namespaced: false,
};

export interface PriorityLevelConfigurationCondition {
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status?: string;
  type?: string;
}

export interface PriorityLevelConfigurationList extends KubeList<PriorityLevelConfiguration> {
  apiVersion?: 'flowcontrol.apiserver.k8s.io/v1';
  kind?: 'PriorityLevelConfigurationList';
}

export interface PriorityLevelConfigurationReference {
  name: string;
}

export interface PriorityLevelConfigurationSpec {
  exempt?: ExemptPriorityLevelConfiguration;
  limited?: LimitedPriorityLevelConfiguration;
  type: string;
}

export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[];
}

export interface QueuingConfiguration {
  handSize?: number;
  queueLengthLimit?: number;
  queues?: number;
}

export interface ResourcePolicyRule {
  apiGroups: string[];
  clusterScope?: boolean;
  namespaces?: string[] | null;
  resources: string[];
  verbs: string[];
}

export interface ServiceAccountSubject {
  name: string;
  namespace: string;
}

export interface Subject {
  group?: GroupSubject;
  kind: string;
  serviceAccount?: ServiceAccountSubject;
  user?: UserSubject;
}

export interface UserSubject {
  name: string;
}
