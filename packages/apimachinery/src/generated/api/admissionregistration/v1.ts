// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Condition, LabelSelector } from '../meta/v1.ts';

export interface ApplyConfiguration {
  expression?: string;
}

export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}

export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
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
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
}

export interface MutatingAdmissionPolicy extends ClusterKind {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'MutatingAdmissionPolicy';
  metadata?: ClusterObjectMeta;
  spec?: MutatingAdmissionPolicySpec;
}
export const MutatingAdmissionPolicy: ResourceType<MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  namespaced: false,
};

export interface MutatingAdmissionPolicyBinding extends ClusterKind {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'MutatingAdmissionPolicyBinding';
  metadata?: ClusterObjectMeta;
  spec?: MutatingAdmissionPolicyBindingSpec;
}
export const MutatingAdmissionPolicyBinding: ResourceType<MutatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  namespaced: false,
};

export interface MutatingAdmissionPolicyBindingList extends KubeList<MutatingAdmissionPolicyBinding> {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'MutatingAdmissionPolicyBindingList';
}

export interface MutatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources;
  paramRef?: ParamRef;
  policyName?: string;
}

export interface MutatingAdmissionPolicyList extends KubeList<MutatingAdmissionPolicy> {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'MutatingAdmissionPolicyList';
}

export interface MutatingAdmissionPolicySpec {
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  matchConditions?: MatchCondition[];
  matchConstraints?: MatchResources;
  mutations?: Mutation[];
  paramKind?: ParamKind;
  reinvocationPolicy?: 'IfNeeded' | 'Never' | (string & {});
  variables?: Variable[];
}

export interface MutatingWebhook {
  admissionReviewVersions: string[];
  clientConfig: WebhookClientConfig;
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  matchConditions?: MatchCondition[];
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
  name: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  reinvocationPolicy?: 'IfNeeded' | 'Never' | (string & {});
  rules?: RuleWithOperations[];
  sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown' | (string & {});
  timeoutSeconds?: number;
}

export interface MutatingWebhookConfiguration extends ClusterKind {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'MutatingWebhookConfiguration';
  metadata?: ClusterObjectMeta;
  webhooks?: MutatingWebhook[];
}
export const MutatingWebhookConfiguration: ResourceType<MutatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
};

export interface MutatingWebhookConfigurationList extends KubeList<MutatingWebhookConfiguration> {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'MutatingWebhookConfigurationList';
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

export interface RuleWithOperations {
  apiGroups?: string[];
  apiVersions?: string[];
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE' | (string & {}))[];
  resources?: string[];
  scope?: '*' | 'Cluster' | 'Namespaced' | (string & {});
}

export interface ServiceReference {
  name: string;
  namespace: string;
  path?: string;
  port?: number;
}

export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[];
}

export interface ValidatingAdmissionPolicy extends ClusterKind {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'ValidatingAdmissionPolicy';
  metadata?: ClusterObjectMeta;
  spec?: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus;
}
export const ValidatingAdmissionPolicy: ResourceType<ValidatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};

export interface ValidatingAdmissionPolicyBinding extends ClusterKind {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'ValidatingAdmissionPolicyBinding';
  metadata?: ClusterObjectMeta;
  spec: ValidatingAdmissionPolicyBindingSpec;
}
export const ValidatingAdmissionPolicyBinding: ResourceType<ValidatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  namespaced: false,
};

export interface ValidatingAdmissionPolicyBindingList extends KubeList<ValidatingAdmissionPolicyBinding> {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'ValidatingAdmissionPolicyBindingList';
}

export interface ValidatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources;
  paramRef?: ParamRef;
  policyName: string;
  validationActions: ('Audit' | 'Deny' | 'Warn' | (string & {}))[];
}

export interface ValidatingAdmissionPolicyList extends KubeList<ValidatingAdmissionPolicy> {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'ValidatingAdmissionPolicyList';
}

export interface ValidatingAdmissionPolicySpec {
  auditAnnotations?: AuditAnnotation[];
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  matchConditions?: MatchCondition[];
  matchConstraints?: MatchResources;
  paramKind?: ParamKind;
  validations?: Validation[];
  variables?: Variable[];
}

export interface ValidatingAdmissionPolicyStatus {
  conditions?: Condition[];
  observedGeneration?: number;
  typeChecking?: TypeChecking;
}

export interface ValidatingWebhook {
  admissionReviewVersions: string[];
  clientConfig: WebhookClientConfig;
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  matchConditions?: MatchCondition[];
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
  name: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  rules?: RuleWithOperations[];
  sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown' | (string & {});
  timeoutSeconds?: number;
}

export interface ValidatingWebhookConfiguration extends ClusterKind {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'ValidatingWebhookConfiguration';
  metadata?: ClusterObjectMeta;
  webhooks?: ValidatingWebhook[];
}
export const ValidatingWebhookConfiguration: ResourceType<ValidatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

export interface ValidatingWebhookConfigurationList extends KubeList<ValidatingWebhookConfiguration> {
  apiVersion?: 'admissionregistration.k8s.io/v1';
  kind?: 'ValidatingWebhookConfigurationList';
}

export interface Validation {
  expression: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
}

export interface Variable {
  expression: string;
  name: string;
}

export interface WebhookClientConfig {
  caBundle?: string;
  service?: ServiceReference;
  url?: string;
}
