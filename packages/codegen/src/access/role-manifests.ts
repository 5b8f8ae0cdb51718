import type { KubeObject } from '@windlass/apimachinery';
import type { ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
} from '@windlass/apimachinery/api/rbac/v1';

/** The rules of a program, and the names that its roles have. */
export interface RoleManifestOptions {
  readonly name: string;
  /** Where the program runs. */
  readonly namespace: string;
  /** Everywhere. */
  readonly rules: readonly PolicyRule[];
  /** In its own namespace. */
  readonly ownRules: readonly PolicyRule[];
}

const RBAC = { apiVersion: 'rbac.authorization.k8s.io/v1' } as const;
const API_GROUP = 'rbac.authorization.k8s.io';

/** The account that a program runs as, and what it may do. */
export function roleManifests({ name, namespace, rules, ownRules }: RoleManifestOptions): KubeObject[] {
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const account: ServiceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  const everywhere: (ClusterRole | ClusterRoleBinding)[] = [
    { ...RBAC, kind: 'ClusterRole', metadata: { name }, rules: [...rules] },
    {
      ...RBAC,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: API_GROUP, kind: 'ClusterRole', name },
      subjects,
    },
  ];
  const atHome: (Role | RoleBinding)[] = [
    { ...RBAC, kind: 'Role', metadata: { name, namespace }, rules: [...ownRules] },
    {
      ...RBAC,
      kind: 'RoleBinding',
      metadata: { name, namespace },
      roleRef: { apiGroup: API_GROUP, kind: 'Role', name },
      subjects,
    },
  ];
  return [account, ...(rules.length > 0 ? everywhere : []), ...(ownRules.length > 0 ? atHome : [])];
}
