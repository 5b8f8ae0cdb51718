import { FieldPath } from '@windlass/apimachinery';
import type { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { ValidationOf } from '../../define-kind.ts';
import { validateConditions } from '../../shared/conditions.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

export const budgetValidation: ValidationOf<PodDisruptionBudget> = {
  create({ spec = {} }, findings) {
    if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined)
      findings.invalid(SPEC, spec, 'minAvailable and maxUnavailable cannot be both set');
    for (const field of ['minAvailable', 'maxUnavailable'] as const) {
      findings.countOrPercent(SPEC.child(field), spec[field]);
      findings.atMost100Percent(SPEC.child(field), spec[field]);
    }
    findings.selector(SPEC.child('selector'), spec.selector);
    findings.oneOf(SPEC.child('unhealthyPodEvictionPolicy'), spec.unhealthyPodEvictionPolicy, [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]);
  },
  status({ status }, _old, findings) {
    validateConditions(status?.conditions ?? [], STATUS.child('conditions'), findings);
    findings.noneNegative(STATUS, status, [
      'disruptionsAllowed',
      'currentHealthy',
      'desiredHealthy',
      'expectedPods',
    ]);
  },
};
