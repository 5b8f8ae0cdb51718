import { FieldPath } from '@windlass/apimachinery';
import type { PriorityClass } from '@windlass/apimachinery/api/scheduling/v1';
import type { ValidationOf } from '../../define-kind.ts';

const HIGHEST_PRIORITY = 1_000_000_000;
const SYSTEM_CLASSES = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

export const priorityClassValidation: ValidationOf<PriorityClass> = {
  create({ metadata, value = 0, globalDefault = false, preemptionPolicy }, findings) {
    const name = metadata?.name ?? '';
    const problem = name.startsWith('system-') ? systemProblem(name, value, globalDefault) : undefined;
    if (problem !== undefined)
      findings.forbidden(
        FieldPath.of('metadata', 'name'),
        `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`,
      );
    else if (name.startsWith('system-')) return;
    else if (value > HIGHEST_PRIORITY)
      findings.forbidden(
        FieldPath.of('value'),
        `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`,
      );
    if (preemptionPolicy === '') findings.required(FieldPath.of('preemptionPolicy'));
    else
      findings.oneOf(FieldPath.of('preemptionPolicy'), preemptionPolicy, ['PreemptLowerPriority', 'Never']);
  },
  update(priority, old, findings) {
    if (priority.value !== old.value)
      findings.forbidden(FieldPath.of('value'), 'may not be changed in an update.');
    findings.immutable(FieldPath.of('preemptionPolicy'), priority.preemptionPolicy, old.preemptionPolicy);
  },
};

function systemProblem(name: string, value: number, isDefault: boolean): string | undefined {
  const expected = SYSTEM_CLASSES.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
