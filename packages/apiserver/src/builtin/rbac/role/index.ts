import { Role } from '@windlass/apimachinery/api/rbac/v1';
import { defineKind } from '../../define-kind.ts';
import { namedAndDated } from '../../shared/columns.ts';
import { validateRules } from '../rules.ts';
import { rbacStrategy } from '../strategy.ts';

export const role = defineKind(Role, {
  strategy: rbacStrategy,
  validation: { create: ({ rules }, findings) => validateRules(rules ?? [], true, findings) },
  printer: namedAndDated,
});
