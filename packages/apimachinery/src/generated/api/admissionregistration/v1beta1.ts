// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { LabelSelector } from '../meta/v1.ts';

export interface ApplyConfiguration {
  expression?: string;
}

export interface JSONPatch {
  expression?: string;
}

export interface MatchCondition {
  expression: string;
  name: string;
}

export interface MatchResources {
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
}

export interface MutatingAdmissionPolicy extends ClusterKind {
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  kind?: 'MutatingAdmissionPolicy';
  metadata?: ClusterObjectMeta;
  spec?: MutatingAdmissionPolicySpec;
}
export const MutatingAdmissionPolicy: ResourceType<MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  namespaced: false,
};

export interface MutatingAdmissionPolicyBinding extends ClusterKind {
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  kind?: 'MutatingAdmissionPolicyBinding';
  metadata?: ClusterObjectMeta;
  spec?: MutatingAdmissionPolicyBindingSpec;
}
export const MutatingAdmissionPolicyBinding: ResourceType<MutatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  namespaced: false,
};

export interface MutatingAdmissionPolicyBindingList extends KubeList<MutatingAdmissionPolicyBinding> {
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  kind?: 'MutatingAdmissionPolicyBindingList';
}

export interface MutatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources;
  paramRef?: ParamRef;
  policyName?: string;
}

export interface MutatingAdmissionPolicyList extends KubeList<MutatingAdmissionPolicy> {
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  kind?: 'MutatingAdmissionPolicyList';
}

export interface MutatingAdmissionPolicySpec {
  failurePolicy?: string;
  matchConditions?: MatchCondition[];
  matchConstraints?: MatchResources;
  mutations?: Mutation[];
  paramKind?: ParamKind;
  reinvocationPolicy?: 'IfNeeded' | 'Never' | (string & {});
  variables?: Variable[];
}

export interface Mutation {
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
  patchType: 'ApplyConfiguration' | 'JSONPatch' | (string & {});
}

export interface NamedRuleWithOperations {
  apiGroups?: string[];
  apiVersions?: string[];
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE' | (string & {}))[];
  resourceNames?: string[];
  resources?: string[];
  scope?: '*' | 'Cluster' | 'Namespaced' | (string & {});
}

export interface ParamKind {
  apiVersion?: string;
  kind?: string;
}

export interface ParamRef {
  name?: string;
  namespace?: string;
  parameterNotFoundAction?: string;
  selector?: LabelSelector;
}

export interface Variable {
  expression: string;
  name: string;
}
