import type { BuiltinKind } from '../define-kind.ts';
import { clusterRole } from './cluster-role/index.ts';
import { clusterRoleBinding } from './cluster-role-binding/index.ts';
import { role } from './role/index.ts';
import { roleBinding } from './role-binding/index.ts';

export const rbacKinds: readonly BuiltinKind[] = [clusterRole, clusterRoleBinding, role, roleBinding];
