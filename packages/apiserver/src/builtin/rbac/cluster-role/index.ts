import { FieldPath } from '@windlass/apimachinery';
import { type AggregationRule, ClusterRole } from '@windlass/apimachinery/api/rbac/v1';
import type { View } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { namedAndDated } from '../../shared/columns.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateRules } from '../rules.ts';
import { rbacStrategy } from '../strategy.ts';

const SELECTORS = FieldPath.of('aggregationRule', 'clusterRoleSelectors');

export const clusterRole = defineKind(ClusterRole, {
  strategy: rbacStrategy,
  validation: {
    create({ rules, aggregationRule }, findings) {
      validateRules(rules ?? [], false, findings);
      if (aggregationRule !== undefined) validateAggregation(aggregationRule, findings);
    },
  },
  printer: namedAndDated,
});

function validateAggregation({ clusterRoleSelectors }: View<AggregationRule>, findings: Findings): void {
  const selectors = clusterRoleSelectors ?? [];
  if (selectors.length === 0)
    findings.required(SELECTORS, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const [index, selector] of selectors.entries()) {
    const path = SELECTORS.index(index);
    const before = findings.errors.length;
    findings.selector(path, selector);
    if (findings.errors.length > before) findings.invalid(path, null, 'invalid label selector.');
  }
}
