import { FieldPath } from '@windlass/apimachinery';
import type { Findings } from '../shared/findings.ts';

const CONDITIONS = FieldPath.of('status', 'conditions');

/** Each type once, and none without one. */
export function validateConditions(
  conditions: readonly { readonly type?: string }[] | null | undefined,
  findings: Findings,
): void {
  const seen = new Set<string>();
  for (const [index, { type = '' }] of (conditions ?? []).entries()) {
    const path = CONDITIONS.index(index).child('type');
    if (seen.has(type)) findings.duplicate(path, type);
    seen.add(type);
    if (type === '') findings.required(path);
  }
}
