import { FieldPath } from '@windlass/apimachinery';
import type { PolicyRule } from '@windlass/apimachinery/api/rbac/v1';
import type { View } from '../../resource/views.ts';
import type { Findings } from '../shared/findings.ts';

const RULES = FieldPath.of('rules');

/** The rules of a role, or of a cluster role. */
export function validateRules(
  rules: readonly View<PolicyRule>[],
  isNamespaced: boolean,
  findings: Findings,
): void {
  for (const [index, rule] of rules.entries()) {
    const path = RULES.index(index);
    const has = (field: keyof PolicyRule): boolean => (rule[field] ?? []).length > 0;
    if (!has('verbs')) findings.required(path.child('verbs'), 'verbs must contain at least one value');
    if (has('nonResourceURLs')) {
      const urls = rule.nonResourceURLs;
      const at = path.child('nonResourceURLs');
      if (isNamespaced) findings.invalid(at, urls, 'namespaced rules cannot apply to non-resource URLs');
      if (has('apiGroups') || has('resources') || has('resourceNames'))
        findings.invalid(at, urls, 'rules cannot apply to both regular resources and non-resource URLs');
      continue;
    }
    if (!has('apiGroups'))
      findings.required(path.child('apiGroups'), 'resource rules must supply at least one api group');
    if (!has('resources'))
      findings.required(path.child('resources'), 'resource rules must supply at least one resource');
  }
}
