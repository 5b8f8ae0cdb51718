import type { PolicyRule } from '../access/rbac/policy-rule.ts';
import {
  type BindingObject,
  RBAC_GROUP,
  type RoleObject,
  type Subject,
} from '../access/rbac/rbac-objects.ts';
import { COMPONENT_ROLES } from '../access/roles/component-roles.ts';
import { CONTROLLER_ROLES } from '../access/roles/controller-roles.ts';
import { NAMESPACE_ROLES } from '../access/roles/namespace-roles.ts';
import { AGGREGATED_RULES } from '../access/roles/user-roles.ts';

/** The roles and bindings that every cluster begins with. */
export interface DefaultPolicy {
  readonly clusterroles: readonly RoleObject[];
  readonly roles: readonly RoleObject[];
  readonly clusterrolebindings: readonly BindingObject[];
  readonly rolebindings: readonly BindingObject[];
}

export const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';
const AGGREGATE_TO = `${RBAC_GROUP}/aggregate-to-`;
const SYSTEM = 'kube-system';

export function defaultPolicy(): DefaultPolicy {
  return {
    clusterroles: [
      // Each of these takes in the one after it.
      aggregated('admin'),
      aggregated('edit', 'admin'),
      aggregated('view', 'edit'),
      ...Object.entries(AGGREGATED_RULES).map(([name, rules]) =>
        role(`system:aggregate-to-${name}`, rules, { labels: { [AGGREGATE_TO + name]: 'true' } }),
      ),
      ...Object.entries(COMPONENT_ROLES).map(([name, rules]) => role(name, rules)),
      ...Object.entries(CONTROLLER_ROLES).map(([name, rules]) => role(`system:controller:${name}`, rules)),
    ],
    roles: Object.entries(NAMESPACE_ROLES).flatMap(([namespace, roles]) =>
      Object.entries(roles).map(([name, rules]) => role(name, rules, { namespace })),
    ),
    clusterrolebindings: [
      bindCluster('cluster-admin', group('system:masters')),
      bindCluster('system:basic-user', group('system:authenticated')),
      bindCluster('system:discovery', group('system:authenticated')),
      bindCluster(
        'system:public-info-viewer',
        group('system:authenticated'),
        group('system:unauthenticated'),
      ),
      bindCluster('system:service-account-issuer-discovery', group('system:serviceaccounts')),
      bindCluster('system:monitoring', group('system:monitoring')),
      bindCluster('system:kube-controller-manager', user('system:kube-controller-manager')),
      bindCluster('system:kube-scheduler', user('system:kube-scheduler')),
      bindCluster('system:volume-scheduler', user('system:kube-scheduler')),
      bindCluster('system:node-proxier', user('system:kube-proxy')),
      bindCluster('system:kube-dns', account('kube-dns')),
      // For nobody: the node authorizer lets each node do what the role says, about its own objects.
      bindCluster('system:node'),
      ...Object.keys(CONTROLLER_ROLES).map((name) => bindCluster(`system:controller:${name}`, account(name))),
    ],
    rolebindings: [
      bind(
        SYSTEM,
        'system::extension-apiserver-authentication-reader',
        'extension-apiserver-authentication-reader',
        user('system:kube-controller-manager'),
        user('system:kube-scheduler'),
      ),
      bindSame(
        SYSTEM,
        'system::leader-locking-kube-controller-manager',
        user('system:kube-controller-manager'),
        account('kube-controller-manager'),
        account('leader-election-controller'),
      ),
      bindSame(
        SYSTEM,
        'system::leader-locking-kube-scheduler',
        user('system:kube-scheduler'),
        account('kube-scheduler'),
      ),
      bindSame(SYSTEM, 'system:controller:bootstrap-signer', account('bootstrap-signer')),
      bindSame('kube-public', 'system:controller:bootstrap-signer', account('bootstrap-signer')),
      bindSame(SYSTEM, 'system:controller:cloud-provider', account('cloud-provider')),
      bindSame(SYSTEM, 'system:controller:token-cleaner', account('token-cleaner')),
    ],
  };
}

interface Place {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

function metadata(name: string, { namespace, labels }: Place = {}): NonNullable<RoleObject['metadata']> {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [AUTOUPDATE]: 'true' },
  };
}

function role(name: string, rules: readonly PolicyRule[], place?: Place): RoleObject {
  return { metadata: metadata(name, place), rules };
}

function aggregated(name: string, into?: string): RoleObject {
  const labels = into === undefined ? {} : { [AGGREGATE_TO + into]: 'true' };
  return {
    metadata: metadata(name, { labels }),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [AGGREGATE_TO + name]: 'true' } }] },
    rules: [],
  };
}

const user = (name: string): Subject => ({ kind: 'User', apiGroup: RBAC_GROUP, name });
const group = (name: string): Subject => ({ kind: 'Group', apiGroup: RBAC_GROUP, name });
const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: SYSTEM });

function bindCluster(name: string, ...subjects: readonly Subject[]): BindingObject {
  return {
    metadata: metadata(name),
    subjects,
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
  };
}

function bind(
  namespace: string,
  name: string,
  roleName: string,
  ...subjects: readonly Subject[]
): BindingObject {
  return {
    metadata: metadata(name, { namespace }),
    subjects,
    roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: roleName },
  };
}

const bindSame = (namespace: string, name: string, ...subjects: readonly Subject[]): BindingObject =>
  bind(namespace, name, name, ...subjects);
