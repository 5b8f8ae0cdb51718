import type { ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
} from '@windlass/apimachinery/api/rbac/v1';
import { SNAPSHOT_GROUP } from '@windlass/csi';
import { GROUP, NAMESPACE } from '../../resources/index.ts';
import { CONTROLLER_ACCOUNT, clusterMeta, NODE_ACCOUNT, namespacedMeta } from './shared.ts';

const API = 'rbac.authorization.k8s.io/v1';
const READ = ['get', 'list', 'watch'];

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [group],
  resources: [...resources],
  verbs: [...verbs],
});

/** Events of controllers, in the group that has series. */
const EVENTS = rule('events.k8s.io', ['events'], ['create', 'patch']);

/** Of the process that provisions: it never sees a secret, a pod, or a definition. */
const CONTROLLER_RULES: readonly PolicyRule[] = [
  rule(GROUP, ['directpvdrives'], [...READ, 'update', 'delete']),
  rule(GROUP, ['directpvvolumes'], [...READ, 'create', 'update', 'delete']),
  rule(GROUP, ['directpvsnapshots'], [...READ, 'create', 'update', 'delete']),
  rule(GROUP, ['directpvnodes'], ['delete']),
  rule('', ['persistentvolumes'], [...READ, 'create', 'patch', 'delete']),
  rule('', ['persistentvolumeclaims'], [...READ, 'update']),
  rule('', ['persistentvolumeclaims/status'], ['patch']),
  rule('', ['nodes'], READ),
  rule('storage.k8s.io', ['storageclasses', 'csinodes'], READ),
  rule('storage.k8s.io', ['csistoragecapacities'], ['list', 'watch']),
  rule(SNAPSHOT_GROUP, ['volumesnapshots'], [...READ, 'update']),
  rule(SNAPSHOT_GROUP, ['volumesnapshotcontents'], [...READ, 'create', 'update', 'delete']),
  rule(SNAPSHOT_GROUP, ['volumesnapshots/status', 'volumesnapshotcontents/status'], ['update']),
  rule(SNAPSHOT_GROUP, ['volumesnapshotclasses'], READ),
  EVENTS,
];

/** In its own namespace: the lease of the leader, and what the scheduler is told of free space. */
const CONTROLLER_NAMESPACE_RULES: readonly PolicyRule[] = [
  rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
  rule('storage.k8s.io', ['csistoragecapacities'], ['get', 'create', 'update', 'delete']),
];

/** Of the process on each node: its drives and volumes, its own Node, and the pods that it mounts for. */
const NODE_RULES: readonly PolicyRule[] = [
  rule(GROUP, ['directpvdrives'], [...READ, 'create', 'update', 'delete']),
  rule(GROUP, ['directpvvolumes'], [...READ, 'update']),
  rule(GROUP, ['directpvsnapshots'], [...READ, 'update']),
  rule(GROUP, ['directpvnodes'], [...READ, 'create', 'update']),
  rule(GROUP, ['directpvinitrequests'], [...READ, 'update']),
  rule('', ['nodes', 'pods'], ['get']),
  // A volume's claim is told of what its drive does not do.
  rule('', ['persistentvolumes'], ['get']),
  EVENTS,
];

const OPENSHIFT: PolicyRule = {
  apiGroups: ['security.openshift.io'],
  resources: ['securitycontextconstraints'],
  resourceNames: ['privileged'],
  verbs: ['use'],
};

const account = (name: string): ServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: namespacedMeta(name),
});

const clusterRole = (name: string, rules: readonly PolicyRule[]): ClusterRole => ({
  apiVersion: API,
  kind: 'ClusterRole',
  metadata: clusterMeta(name),
  rules: [...rules],
});

const subjects = (name: string) => [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }];

const clusterRoleBinding = (name: string): ClusterRoleBinding => ({
  apiVersion: API,
  kind: 'ClusterRoleBinding',
  metadata: clusterMeta(name),
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  subjects: subjects(name),
});

/** Two accounts, each with what its process uses and nothing more. */
export function rbacObjects(openshift: boolean) {
  const role: Role = {
    apiVersion: API,
    kind: 'Role',
    metadata: namespacedMeta(CONTROLLER_ACCOUNT),
    rules: [...CONTROLLER_NAMESPACE_RULES],
  };
  const roleBinding: RoleBinding = {
    apiVersion: API,
    kind: 'RoleBinding',
    metadata: namespacedMeta(CONTROLLER_ACCOUNT),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: CONTROLLER_ACCOUNT },
    subjects: subjects(CONTROLLER_ACCOUNT),
  };
  return [
    account(CONTROLLER_ACCOUNT),
    account(NODE_ACCOUNT),
    clusterRole(CONTROLLER_ACCOUNT, CONTROLLER_RULES),
    clusterRole(NODE_ACCOUNT, openshift ? [...NODE_RULES, OPENSHIFT] : NODE_RULES),
    clusterRoleBinding(CONTROLLER_ACCOUNT),
    clusterRoleBinding(NODE_ACCOUNT),
    role,
    roleBinding,
  ];
}
