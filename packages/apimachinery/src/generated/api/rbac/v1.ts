// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta, NamespacedKind } from '../../../served.ts';
import type { LabelSelector } from '../meta/v1.ts';

export interface AggregationRule {
  clusterRoleSelectors?: LabelSelector[];
}

export interface ClusterRole extends ClusterKind {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRole';
  aggregationRule?: AggregationRule;
  metadata?: ClusterObjectMeta;
  rules?: PolicyRule[] | null;
}
export const ClusterRole: ResourceType<ClusterRole> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

export interface ClusterRoleBinding extends ClusterKind {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRoleBinding';
  metadata?: ClusterObjectMeta;
  roleRef: RoleRef;
  subjects?: Subject[];
}
export const ClusterRoleBinding: ResourceType<ClusterRoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};

export interface ClusterRoleBindingList extends KubeList<ClusterRoleBinding> {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRoleBindingList';
}

export interface ClusterRoleList extends KubeList<ClusterRole> {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRoleList';
}

export interface PolicyRule {
  apiGroups?: string[];
  nonResourceURLs?: string[];
  resourceNames?: string[];
  resources?: string[];
  verbs: string[];
}

export interface Role extends NamespacedKind {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'Role';
  metadata?: ObjectMeta;
  rules?: PolicyRule[] | null;
}
export const Role: ResourceType<Role> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
};

export interface RoleBinding extends NamespacedKind {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'RoleBinding';
  metadata?: ObjectMeta;
  roleRef: RoleRef;
  subjects?: Subject[];
}
export const RoleBinding: ResourceType<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

export interface RoleBindingList extends KubeList<RoleBinding> {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'RoleBindingList';
}

export interface RoleList extends KubeList<Role> {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'RoleList';
}

export interface RoleRef {
  apiGroup?: string;
  kind: string;
  name: string;
}

export interface Subject {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
}
