import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { Findings } from '../shared/findings.ts';

const FROZEN = 'field is immutable when `immutable` is set';

/** Data that was declared immutable stays so, and as it is. */
export function validateFrozenData<T extends { readonly immutable?: boolean }>(
  object: T,
  old: T,
  fields: readonly (keyof T & string)[],
  findings: Findings,
): void {
  if (old.immutable !== true) return;
  if (object.immutable !== true) findings.forbidden(FieldPath.of('immutable'), FROZEN);
  for (const field of fields)
    if (!deepEqual(object[field], old[field])) findings.forbidden(FieldPath.of(field), FROZEN);
}
