import { type FieldPath, validateLabelValue } from '@windlass/apimachinery';
import type { Toleration } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const OPERATORS = ['Equal', 'Exists'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTolerations(
  tolerations: readonly View<Toleration>[],
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, toleration] of tolerations.entries()) {
    const at = path.index(index);
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    if (key !== '') findings.qualifiedName(at.child('key'), key);
    else if (operator !== 'Exists')
      findings.invalid(
        at.child('operator'),
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute')
      findings.invalid(
        at.child('effect'),
        effect,
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      );
    validateValue(operator, value, at.child('operator'), findings);
    if (effect !== '') findings.oneOf(at.child('effect'), effect, EFFECTS);
  }
}

function validateValue(operator: string, value: string, path: FieldPath, findings: Findings): void {
  if (operator === 'Equal' || operator === '') {
    const problems = validateLabelValue(value);
    if (problems.length > 0) findings.invalid(path, value, problems.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '') findings.invalid(path, value, "value must be empty when `operator` is 'Exists'");
  } else if (operator === 'Lt' || operator === 'Gt') {
    // Known, and not served yet.
    findings.notSupported(path, operator, ['Equal', 'Exists', 'Lt', 'Gt']);
  } else findings.notSupported(path, operator, OPERATORS);
}
