// Horizontal pod autoscalers, in the form in which they are stored. Errors have the names of that form, whichever
// version the client sent.
import { FieldPath } from '@windlass/apimachinery';
import type { HorizontalPodAutoscaler, HPAScalingRules } from '@windlass/apimachinery/api/autoscaling/v2';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateMetric } from './metric-validation.ts';
import { apiVersionProblem, type GroupRule, validateReference } from './reference-validation.ts';

const SPEC = FieldPath.of('spec');
const MAX_WINDOW = 3600;
const MAX_PERIOD = 1800;

/** The same in both versions. */
interface ReplicaCounts {
  readonly status?: { readonly currentReplicas?: number; readonly desiredReplicas?: number };
}

export function validateAutoscalerStatus(
  { status }: ReplicaCounts,
  _old: ReplicaCounts,
  findings: Findings,
): void {
  findings.noneNegative(FieldPath.of('status'), status, ['currentReplicas', 'desiredReplicas']);
}

/** @param old what is replaced; what was wrong in it already may stay */
export function validateAutoscaler(
  { spec = {} }: View<HorizontalPodAutoscaler>,
  old: View<HorizontalPodAutoscaler> | undefined,
  findings: Findings,
): void {
  const { minReplicas: min, maxReplicas: max = 0, scaleTargetRef = {}, behavior } = spec;
  const least = old?.spec?.minReplicas === 0 ? 0 : 1;
  if (min !== undefined && min < least)
    findings.invalid(SPEC.child('minReplicas'), min, `must be greater than or equal to ${least}`);
  if (max === 0) findings.required(SPEC.child('maxReplicas'), 'must be set and greater than 0');
  else if (max < 0) findings.invalid(SPEC.child('maxReplicas'), max, 'must be greater than or equal to 1');
  if (min !== undefined && max < min)
    findings.invalid(SPEC.child('maxReplicas'), max, 'must be greater than or equal to `minReplicas`');
  const groups = targetGroups(spec, old?.spec);
  validateReference(scaleTargetRef, SPEC.child('scaleTargetRef'), groups, findings);
  validateMetrics(spec, old?.spec, findings);
  for (const field of ['scaleUp', 'scaleDown'] as const)
    validateScalingRules(behavior?.[field], SPEC.child('behavior', field), findings);
}

type Spec = View<HorizontalPodAutoscaler>['spec'];

/** The core group has one kind that scales. Whoever leaves kind and version as they are is not asked about them. */
function targetGroups(spec: Spec, old: Spec): GroupRule {
  const [target, before] = [spec?.scaleTargetRef, old?.scaleTargetRef];
  if (before !== undefined && before.apiVersion === target?.apiVersion && before.kind === target?.kind)
    return 'anything';
  return target?.kind === 'ReplicationController' ? 'core' : 'required';
}

function validateMetrics(spec: Spec, old: Spec, findings: Findings): void {
  const { metrics, minReplicas } = spec ?? {};
  const path = SPEC.child('metrics');
  const wasWrong = (old?.metrics ?? []).some(
    ({ type, object }) =>
      type === 'Object' && apiVersionProblem(object?.describedObject?.apiVersion ?? '', 'core') !== undefined,
  );
  for (const [index, metric] of (metrics ?? []).entries())
    validateMetric(metric, path.index(index), wasWrong ? 'anything' : 'core', findings);
  const canBeZero = metrics?.some(({ type }) => type === 'Object' || type === 'External') === true;
  if (minReplicas === 0 && !canBeZero)
    findings.forbidden(
      path,
      'must specify at least one Object or External metric to support scaling to zero replicas',
    );
}

function validateScalingRules(
  rules: View<HPAScalingRules> | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  if (rules === undefined) return;
  const { stabilizationWindowSeconds: window = 0 } = rules;
  const at = path.child('stabilizationWindowSeconds');
  if (window < 0) findings.invalid(at, window, 'must be greater than or equal to zero');
  if (window > MAX_WINDOW) findings.invalid(at, window, `must be less than or equal to ${MAX_WINDOW}`);
  findings.oneOf(path.child('selectPolicy'), rules.selectPolicy, ['Disabled', 'Max', 'Min']);
  const policies = rules.policies ?? [];
  if (policies.length === 0) findings.required(path.child('policies'), 'must specify at least one Policy');
  for (const [index, policy] of policies.entries()) {
    const where = path.child('policies').index(index);
    findings.oneOf(where.child('type'), policy.type ?? '', ['Percent', 'Pods']);
    for (const field of ['value', 'periodSeconds'] as const) {
      const value = policy[field] ?? 0;
      if (value <= 0) findings.invalid(where.child(field), value, 'must be greater than zero');
    }
    const { periodSeconds: period = 0 } = policy;
    if (period > MAX_PERIOD)
      findings.invalid(where.child('periodSeconds'), period, `must be less than or equal to ${MAX_PERIOD}`);
  }
  findings.notNegativeQuantity(path.child('tolerance'), rules.tolerance);
}
