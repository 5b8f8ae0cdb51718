import { FieldPath } from '@windlass/apimachinery';
import type { LimitRange, LimitRangeItem } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateContainerResourceName, validateResourceName } from '../../shared/resource-names.ts';
import { compareLimits } from './compare-limits.ts';

const LIMITS = FieldPath.of('spec', 'limits');
const TYPES = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

type Amounts = Readonly<Record<string, string>>;

export const limitRangeValidation: ValidationOf<LimitRange> = {
  create({ spec }, findings) {
    const types = new Set<string>();
    for (const [index, limit] of (spec?.limits ?? []).entries()) {
      const path = LIMITS.index(index);
      const { type = '' } = limit;
      const before = findings.errors.length;
      findings.qualifiedName(path.child('type'), type);
      if (findings.errors.length === before && !TYPES.has(type) && !type.includes('/'))
        findings.invalid(path.child('type'), type, 'must be a standard limit type or fully qualified');
      if (types.has(type)) findings.duplicate(path.child('type'), type);
      types.add(type);
      validateLimit(limit, type, path, findings);
    }
  },
};

function validateLimit(limit: View<LimitRangeItem>, type: string, path: FieldPath, findings: Findings): void {
  const validateName =
    type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  const amounts = (field: Exclude<keyof LimitRangeItem, 'type'>): Amounts => {
    const values = limit[field] ?? {};
    for (const name of Object.keys(values)) {
      validateName(name, path.child(field).key(name), findings);
      names.add(name);
    }
    return values;
  };
  const [max, min] = [amounts('max'), amounts('min')];
  let [defaults, requests]: [Amounts, Amounts] = [{}, {}];
  if (type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const)
      if (Object.keys(limit[field] ?? {}).length > 0)
        findings.forbidden(path.child(field), "may not be specified when `type` is 'Pod'");
  } else [defaults, requests] = [amounts('default'), amounts('defaultRequest')];
  if (type === 'PersistentVolumeClaim' && min['storage'] === undefined && max['storage'] === undefined)
    findings.required(
      path.child('limits'),
      'either minimum or maximum storage value is required, but neither was provided',
    );
  const ratios = amounts('maxLimitRequestRatio');
  for (const name of names)
    compareLimits(
      {
        min: min[name],
        max: max[name],
        given: defaults[name],
        request: requests[name],
        ratio: ratios[name],
      },
      name,
      path,
      findings,
    );
}
