import { FieldPath, fieldDuplicate, validateLabelValue } from '@windlass/apimachinery';
import type { Taint } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

// Upstream says that taints are there.
const TAINTS = FieldPath.of('metadata', 'taints');
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTaints(taints: readonly View<Taint>[], findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const at = TAINTS.index(index);
    const { key = '', value = '', effect = '' } = taint;
    findings.qualifiedName(at.child('key'), key);
    const problems = validateLabelValue(value);
    if (problems.length > 0) findings.invalid(at.child('value'), value, problems.join(';'));
    if (effect === '') findings.required(at.child('effect'));
    else findings.oneOf(at.child('effect'), effect, EFFECTS);
    if (seen.has(`${key}:${effect}`))
      findings.add([
        { ...fieldDuplicate(at, taint), detail: 'taints must be unique by key and effect pair' },
      ]);
    seen.add(`${key}:${effect}`);
  }
}
