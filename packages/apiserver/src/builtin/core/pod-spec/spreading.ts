import type { FieldPath } from '@windlass/apimachinery';
import type { TopologySpreadConstraint } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateLabelKeys } from './label-keys.ts';

/** How evenly pods are spread over zones, or over nodes. */
export function validateSpreading(
  constraints: readonly View<TopologySpreadConstraint>[],
  path: FieldPath,
  findings: Findings,
): void {
  const lastOf = new Map(constraints.map((constraint, index) => [idOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    const at = path.index(index);
    const { topologyKey: key = '', whenUnsatisfiable: action = '', maxSkew = 0, minDomains } = constraint;
    validatePositive(maxSkew, at.child('maxSkew'), findings);
    if (key === '') findings.required(at.child('topologyKey'), 'can not be empty');
    findings.oneOf(at.child('whenUnsatisfiable'), action, ['DoNotSchedule', 'ScheduleAnyway']);
    if (lastOf.get(idOf(constraint)) !== index)
      findings.duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${key}, ${action}}`);
    if (minDomains !== undefined) {
      validatePositive(minDomains, at.child('minDomains'), findings);
      if (action !== 'DoNotSchedule')
        findings.invalid(
          at.child('minDomains'),
          minDomains,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
        );
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const)
      findings.oneOf(at.child(field), constraint[field], ['Honor', 'Ignore']);
    validateLabelKeys(constraint, at, findings);
    findings.selector(at.child('labelSelector'), constraint.labelSelector);
  }
}

function idOf({ topologyKey = '', whenUnsatisfiable = '' }: View<TopologySpreadConstraint>): string {
  return JSON.stringify([topologyKey, whenUnsatisfiable]);
}

function validatePositive(value: number, path: FieldPath, findings: Findings): void {
  if (value <= 0) findings.invalid(path, value, 'must be greater than zero');
}
