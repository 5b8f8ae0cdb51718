import { compareQuantities, type FieldPath, Quantity } from '@windlass/apimachinery';
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity,
} from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { MAX_CAPACITY_OPTIONS } from '../limits.ts';
import { validateSet } from '../shared/lists.ts';

/** @param isShared several claims may have a part of the device each */
export function validateCapacity(
  { value = '0', requestPolicy: policy }: View<DeviceCapacity>,
  isShared: boolean,
  path: FieldPath,
  findings: Findings,
): void {
  if (policy === undefined) return;
  const at = path.child('requestPolicy');
  if (!isShared) findings.forbidden(at, 'allowMultipleAllocations must be true');
  else validatePolicy(policy, value, at, findings);
}

/** What may be asked for, when not everything may. What is taken by those who do not say must be allowed too. */
function validatePolicy(
  policy: View<CapacityRequestPolicy>,
  capacity: string,
  path: FieldPath,
  findings: Findings,
): void {
  const { validRange, default: unasked } = policy;
  const values = policy.validValues ?? [];
  if (values.length > 0 && validRange !== undefined) {
    findings.forbidden(
      path,
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
    );
    return;
  }
  const rule = values.length > 0 ? 'validValues' : 'validRange';
  if (values.length === 0 && validRange === undefined) return;
  if (unasked === undefined || unasked === null)
    findings.required(path.child('default'), `required when ${rule} is defined`);
  else if (validRange === undefined)
    validateValues(values, unasked, capacity, path.child('validValues'), findings);
  else validateRange(validRange, unasked, capacity, path.child('validRange'), findings);
}

function validateValues(
  values: readonly string[],
  unasked: string,
  capacity: string,
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, value] of values.entries()) {
    const previous = values[index - 1];
    if (previous !== undefined && compareQuantities(previous, value) > 0)
      findings.invalid(path.index(index), value, 'values must be sorted in ascending order');
  }
  const keyOf = (value: string): string => String(Quantity.parse(value).scaledValue(0));
  validateSet(values, MAX_CAPACITY_OPTIONS, path, findings, keyOf, (value, at) => {
    if (compareQuantities(value, capacity) > 0)
      findings.invalid(at, value, `option is larger than capacity value: ${capacity}`);
  });
  if (!values.some((value) => compareQuantities(value, unasked) === 0))
    findings.invalid(path, unasked, 'default value is not valid according to the requestPolicy');
}

function validateRange(
  { min, max, step }: View<CapacityRequestPolicyRange>,
  unasked: string,
  capacity: string,
  path: FieldPath,
  findings: Findings,
): void {
  if (min === undefined) {
    findings.required(path.child('min'), 'required when validRange is defined');
    return;
  }
  if (compareQuantities(min, capacity) > 0)
    findings.invalid(path.child('min'), min, `min is larger than capacity value: ${capacity}`);
  if (compareQuantities(unasked, min) < 0)
    findings.invalid(path.child('default'), unasked, `default is less than min: ${min}`);
  if (max !== undefined) {
    if (compareQuantities(min, max) > 0)
      findings.invalid(path.child('max'), min, `min is larger than max: ${max}`);
    if (compareQuantities(max, capacity) > 0)
      findings.invalid(path.child('max'), max, `max is larger than capacity value: ${capacity}`);
    if (compareQuantities(unasked, max) > 0)
      findings.invalid(path.child('default'), unasked, `default is more than max: ${max}`);
  }
  if (step === undefined) return;
  const at = path.child('step');
  if (compareQuantities(step, '0') <= 0) {
    findings.invalid(at, step, 'must be greater than zero');
    return;
  }
  const next = Quantity.parse(min).add(Quantity.parse(step));
  if (next.compare(Quantity.parse(capacity)) > 0)
    findings.invalid(at, step, `one step ${next.toString()} is larger than capacity value: ${capacity}`);
  for (const value of max === undefined ? [unasked] : [unasked, max])
    if (!isOnStep(value, min, step))
      findings.invalid(at, value, `value is not a multiple of a given step (${step}) from (${min})`);
}

/** By whole numbers, to which fractions are rounded up. */
function isOnStep(value: string, min: string, step: string): boolean {
  const whole = (text: string): bigint => BigInt(Quantity.parse(text).roundUp(0).scaledValue(0));
  return (whole(value) - whole(min)) % whole(step) === 0n;
}
