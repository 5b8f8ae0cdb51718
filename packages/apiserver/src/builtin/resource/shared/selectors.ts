import type { FieldPath } from '@windlass/apimachinery';
import type { DeviceSelector } from '@windlass/apimachinery/api/resource/v1';
import { CelError } from '../../../custom/cel/cel-error.ts';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { MAX_EXPRESSION_LENGTH, MAX_SELECTORS } from '../limits.ts';
import { compileDeviceSelector, MAX_SELECTOR_COST } from '../selector/device-selector.ts';
import { validateItems } from './lists.ts';

/** @param isStored the expressions were accepted before, and are not looked at again */
export function validateSelectors(
  selectors: readonly View<DeviceSelector>[],
  path: FieldPath,
  findings: Findings,
  isStored = false,
): void {
  validateItems(selectors, MAX_SELECTORS, path, findings, ({ cel }, at) => {
    if (cel === undefined) findings.required(at.child('cel'));
    else if (!isStored) validateExpression(cel.expression ?? '', at.child('cel', 'expression'), findings);
  });
}

function validateExpression(expression: string, path: FieldPath, findings: Findings): void {
  if (Buffer.byteLength(expression) > MAX_EXPRESSION_LENGTH) {
    findings.tooLong(path, MAX_EXPRESSION_LENGTH);
    return;
  }
  try {
    const { maxCost } = compileDeviceSelector(expression);
    if (maxCost > MAX_SELECTOR_COST) findings.forbidden(path, 'too complex, exceeds cost limit');
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    findings.invalid(path, expression, error.message);
  }
}
