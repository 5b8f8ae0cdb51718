// What a job makes of pods that fail.
import type { FieldPath } from '@windlass/apimachinery';
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '@windlass/apimachinery/api/batch/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const MAX_RULES = 20;
const MAX_CODES = 255;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

export function validateFailurePolicy(spec: View<JobSpec>, path: FieldPath, findings: Findings): void {
  if (spec.podFailurePolicy === undefined) return;
  const { containers, initContainers } = spec.template?.spec ?? {};
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name = '' }) => name));
  const rules = spec.podFailurePolicy.rules ?? [];
  const at = path.child('rules');
  if (rules.length > MAX_RULES) findings.tooMany(at, rules.length, MAX_RULES);
  for (const [index, rule] of rules.entries()) {
    const hasLimitPerIndex = spec.backoffLimitPerIndex !== undefined;
    validateAction(rule.action ?? '', hasLimitPerIndex, at.index(index).child('action'), findings);
    validateRule(rule, names, at.index(index), findings);
  }
}

function validateAction(
  action: string,
  hasLimitPerIndex: boolean,
  path: FieldPath,
  findings: Findings,
): void {
  if (action === '')
    findings.required(path, `valid values: [${ACTIONS.map((known) => JSON.stringify(known)).join(' ')}]`);
  else if (action === 'FailIndex') {
    if (!hasLimitPerIndex) findings.invalid(path, action, 'requires the backoffLimitPerIndex to be set');
  } else findings.oneOf(path, action, ACTIONS);
}

function validateRule(
  { onExitCodes: codes, onPodConditions }: View<PodFailurePolicyRule>,
  names: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  const conditions = onPodConditions ?? [];
  if (codes !== undefined) validateExitCodes(codes, names, path.child('onExitCodes'), findings);
  for (const [index, condition] of conditions.entries())
    validatePattern(condition, path.child('onPodConditions').index(index), findings);
  if (codes !== undefined && conditions.length > 0)
    findings.invalid(path, undefined, 'specifying both OnExitCodes and OnPodConditions is not supported');
  if (codes === undefined && conditions.length === 0)
    findings.invalid(path, undefined, 'specifying one of OnExitCodes and OnPodConditions is required');
}

function validatePattern(
  { type = '', status = '' }: View<PodFailurePolicyOnPodConditionsPattern>,
  path: FieldPath,
  findings: Findings,
): void {
  findings.qualifiedName(path.child('type'), type);
  if (status === '') findings.required(path.child('status'), 'valid values: ["False" "True" "Unknown"]');
  else findings.oneOf(path.child('status'), status, ['False', 'True', 'Unknown']);
}

function validateExitCodes(
  codes: View<PodFailurePolicyOnExitCodesRequirement>,
  names: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  const { operator = '', containerName: name } = codes;
  if (operator === '') findings.required(path.child('operator'), 'valid values: ["In" "NotIn"]');
  else findings.oneOf(path.child('operator'), operator, ['In', 'NotIn']);
  if (name !== undefined && !names.has(name))
    findings.invalid(
      path.child('containerName'),
      name,
      'must be one of the container or initContainer names in the pod template',
    );
  const values = codes.values ?? [];
  const at = path.child('values');
  if (values.length === 0) findings.invalid(at, codes.values ?? null, 'at least one value is required');
  else if (values.length > MAX_CODES) findings.tooMany(at, values.length, MAX_CODES);
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      findings.invalid(at.index(index), value, 'must not be 0 for the In operator');
    if (seen.has(value)) findings.duplicate(at.index(index), value);
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? value) > value))
    findings.invalid(at, values, 'must be ordered');
}
