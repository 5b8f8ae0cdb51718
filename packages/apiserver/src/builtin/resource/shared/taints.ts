import { type FieldPath, validateLabelValue } from '@windlass/apimachinery';
import type { DeviceTaint, DeviceToleration } from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];

export function validateDeviceTaint(taint: View<DeviceTaint>, path: FieldPath, findings: Findings): void {
  const { key = '', value = '', effect = '' } = taint;
  findings.qualifiedName(path.child('key'), key);
  findings.problems(path.child('value'), value, validateLabelValue(value));
  if (effect === '') findings.required(path.child('effect'));
  else findings.oneOf(path.child('effect'), effect, EFFECTS);
}

export function validateDeviceTolerations(
  tolerations: readonly View<DeviceToleration>[],
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, { key = '', operator = '', value = '', effect = '' }] of tolerations.entries()) {
    const at = path.index(index);
    if (key !== '') findings.qualifiedName(at.child('key'), key);
    if (operator === '') findings.required(at.child('operator'));
    else if (operator === 'Exists') {
      if (value !== '') findings.invalid(at.child('value'), value, 'must be empty for operator `Exists`');
    } else if (operator === 'Equal') findings.problems(at.child('value'), value, validateLabelValue(value));
    else findings.notSupported(at.child('operator'), operator, ['Equal', 'Exists']);
    if (effect !== '') findings.oneOf(at.child('effect'), effect, EFFECTS);
  }
}
