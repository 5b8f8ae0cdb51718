// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta, NamespacedKind } from '../../../served.ts';
import type { LabelSelector } from '../meta/v1.ts';

/** AggregationRule describes how to locate ClusterRoles to aggregate into the ClusterRole */
export interface AggregationRule {
  /**
   * ClusterRoleSelectors holds a list of selectors which will be used to find ClusterRoles and create the
   * rules. If any of the selectors match, then the ClusterRole's permissions will be added
   */
  clusterRoleSelectors?: LabelSelector[];
}

/**
 * ClusterRole is a cluster level, logical grouping of PolicyRules that can be referenced as a unit by a
 * RoleBinding or ClusterRoleBinding.
 */
export interface ClusterRole extends ClusterKind {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRole';
  /**
   * AggregationRule is an optional field that describes how to build the Rules for this ClusterRole. If
   * AggregationRule is set, then the Rules are controller managed and direct changes to Rules will be stomped
   * by the controller.
   */
  aggregationRule?: AggregationRule;
  /** Standard object's metadata. */
  metadata?: ClusterObjectMeta;
  /** Rules holds all the PolicyRules for this ClusterRole */
  rules?: PolicyRule[] | null;
}
export const ClusterRole: ResourceType<ClusterRole> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

/**
 * ClusterRoleBinding references a ClusterRole, but not contain it. It can reference a ClusterRole in the
 * global namespace, and adds who information via Subject.
 */
export interface ClusterRoleBinding extends ClusterKind {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRoleBinding';
  /** Standard object's metadata. */
  metadata?: ClusterObjectMeta;
  /**
   * RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the
   * Authorizer must return an error. This field is immutable.
   */
  roleRef: RoleRef;
  /** Subjects holds references to the objects the role applies to. */
  subjects?: Subject[];
}
export const ClusterRoleBinding: ResourceType<ClusterRoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};

/** ClusterRoleBindingList is a collection of ClusterRoleBindings */
export interface ClusterRoleBindingList extends KubeList<ClusterRoleBinding> {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRoleBindingList';
}

/** ClusterRoleList is a collection of ClusterRoles */
export interface ClusterRoleList extends KubeList<ClusterRole> {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRoleList';
}

/**
 * PolicyRule holds information that describes a policy rule, but does not contain information about who the
 * rule applies to or which namespace the rule applies to.
 */
export interface PolicyRule {
  /**
   * APIGroups is the name of the APIGroup that contains the resources. If multiple API groups are specified,
   * any action requested against one of the enumerated resources in any API group will be allowed. ""
   * represents the core API group and "*" represents all API groups.
   */
  apiGroups?: string[];
  /**
   * NonResourceURLs is a set of partial urls that a user should have access to. *s are allowed, but only as
   * the full, final step in the path Since non-resource URLs are not namespaced, this field is only
   * applicable for ClusterRoles referenced from a ClusterRoleBinding. Rules can either apply to API resources
   * (such as "pods" or "secrets") or non-resource URL paths (such as "/api"), but not both.
   */
  nonResourceURLs?: string[];
  /**
   * ResourceNames is an optional white list of names that the rule applies to. An empty set means that
   * everything is allowed.
   */
  resourceNames?: string[];
  /** Resources is a list of resources this rule applies to. '*' represents all resources. */
  resources?: string[];
  /**
   * Verbs is a list of Verbs that apply to ALL the ResourceKinds contained in this rule. '*' represents all
   * verbs.
   */
  verbs: string[];
}

/**
 * Role is a namespaced, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding.
 */
export interface Role extends NamespacedKind {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'Role';
  /** Standard object's metadata. */
  metadata?: ObjectMeta;
  /** Rules holds all the PolicyRules for this Role */
  rules?: PolicyRule[] | null;
}
export const Role: ResourceType<Role> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
};

/**
 * RoleBinding references a role, but does not contain it. It can reference a Role in the same namespace or a
 * ClusterRole in the global namespace. It adds who information via Subjects and namespace information by
 * which namespace it exists in. RoleBindings in a given namespace only have effect in that namespace.
 */
export interface RoleBinding extends NamespacedKind {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'RoleBinding';
  /** Standard object's metadata. */
  metadata?: ObjectMeta;
  /**
   * RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the
   * RoleRef cannot be resolved, the Authorizer must return an error. This field is immutable.
   */
  roleRef: RoleRef;
  /** Subjects holds references to the objects the role applies to. */
  subjects?: Subject[];
}
export const RoleBinding: ResourceType<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

/** RoleBindingList is a collection of RoleBindings */
export interface RoleBindingList extends KubeList<RoleBinding> {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'RoleBindingList';
}

/** RoleList is a collection of Roles */
export interface RoleList extends KubeList<Role> {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'RoleList';
}

/** RoleRef contains information that points to the role being used */
export interface RoleRef {
  /** APIGroup is the group for the resource being referenced */
  apiGroup?: string;
  /** Kind is the type of resource being referenced */
  kind: string;
  /** Name is the name of resource being referenced */
  name: string;
}

/**
 * Subject contains a reference to the object or user identities a role binding applies to. This can either
 * hold a direct API object reference, or a value for non-objects such as user and group names.
 */
export interface Subject {
  /**
   * APIGroup holds the API group of the referenced subject. Defaults to "" for ServiceAccount subjects.
   * Defaults to "rbac.authorization.k8s.io" for User and Group subjects.
   */
  apiGroup?: string;
  /**
   * Kind of object being referenced. Values defined by this API group are "User", "Group", and
   * "ServiceAccount". If the Authorizer does not recognized the kind value, the Authorizer should report an
   * error.
   */
  kind: string;
  /** Name of the object being referenced. */
  name: string;
  /**
   * Namespace of the referenced object. If the object kind is non-namespace, such as "User" or "Group", and
   * this value is not empty the Authorizer should report an error.
   */
  namespace?: string;
}
