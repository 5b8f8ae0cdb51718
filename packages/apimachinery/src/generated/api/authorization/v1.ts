// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { UnstoredKind } from '../../../served.ts';
import type { FieldSelectorRequirement, LabelSelectorRequirement } from '../meta/v1.ts';

export interface FieldSelectorAttributes {
  rawSelector?: string;
  requirements?: FieldSelectorRequirement[];
}

export interface LabelSelectorAttributes {
  rawSelector?: string;
  requirements?: LabelSelectorRequirement[];
}

export interface LocalSubjectAccessReview extends UnstoredKind {
  apiVersion?: 'authorization.k8s.io/v1';
  kind?: 'LocalSubjectAccessReview';
  metadata?: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export const LocalSubjectAccessReview: ResourceType<LocalSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  namespaced: true,
};

export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}

export interface NonResourceRule {
  nonResourceURLs?: string[];
  verbs: string[];
}

export interface ResourceAttributes {
  fieldSelector?: FieldSelectorAttributes;
  group?: string;
  labelSelector?: LabelSelectorAttributes;
  name?: string;
  namespace?: string;
  resource?: string;
  subresource?: string;
  verb?: string;
  version?: string;
}

export interface ResourceRule {
  apiGroups?: string[];
  resourceNames?: string[];
  resources?: string[];
  verbs: string[];
}

export interface SelfSubjectAccessReview extends UnstoredKind {
  apiVersion?: 'authorization.k8s.io/v1';
  kind?: 'SelfSubjectAccessReview';
  metadata?: ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export const SelfSubjectAccessReview: ResourceType<SelfSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};

export interface SelfSubjectAccessReviewSpec {
  nonResourceAttributes?: NonResourceAttributes;
  resourceAttributes?: ResourceAttributes;
}

export interface SelfSubjectRulesReview extends UnstoredKind {
  apiVersion?: 'authorization.k8s.io/v1';
  kind?: 'SelfSubjectRulesReview';
  metadata?: ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
}
export const SelfSubjectRulesReview: ResourceType<SelfSubjectRulesReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  namespaced: false,
};

export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}

export interface SubjectAccessReview extends UnstoredKind {
  apiVersion?: 'authorization.k8s.io/v1';
  kind?: 'SubjectAccessReview';
  metadata?: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export const SubjectAccessReview: ResourceType<SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

export interface SubjectAccessReviewSpec {
  extra?: { [key: string]: string[] };
  groups?: string[];
  nonResourceAttributes?: NonResourceAttributes;
  resourceAttributes?: ResourceAttributes;
  uid?: string;
  user?: string;
}

export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean;
  evaluationError?: string;
  reason?: string;
}

export interface SubjectRulesReviewStatus {
  evaluationError?: string;
  incomplete: boolean;
  nonResourceRules: NonResourceRule[];
  resourceRules: ResourceRule[];
}
