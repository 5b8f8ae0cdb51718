import type { FieldPath } from '@windlass/apimachinery';
import type { TypedLocalObjectReference } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../resource/views.ts';
import type { Findings } from '../shared/findings.ts';

/** A reference to an object of any kind. */
export function validateReference(
  reference: View<TypedLocalObjectReference>,
  path: FieldPath,
  findings: Findings,
): void {
  const { apiGroup } = reference;
  if (typeof apiGroup === 'string') findings.subdomain(path.child('apiGroup'), apiGroup);
  for (const field of ['kind', 'name'] as const) {
    const value = reference[field] ?? '';
    if (value === '') findings.required(path.child(field));
    else findings.pathSegment(path.child(field), value);
  }
}
