import type { FieldPath } from '@windlass/apimachinery';
import type { PodAffinityTerm } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

/** Labels of the pod itself that a selector of other pods takes over. Constraints on spreading have no mismatches. */
export function validateLabelKeys(
  {
    labelSelector: selector,
    matchLabelKeys,
    mismatchLabelKeys,
  }: Pick<View<PodAffinityTerm>, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>,
  path: FieldPath,
  findings: Findings,
): void {
  const [match, mismatch] = [matchLabelKeys ?? [], mismatchLabelKeys ?? []];
  for (const [field, keys] of [
    ['matchLabelKeys', match],
    ['mismatchLabelKeys', mismatch],
  ] as const) {
    if (keys.length === 0) continue;
    if (selector === undefined)
      findings.forbidden(path.child(field), 'must not be specified when labelSelector is not set');
    else
      for (const [index, key] of keys.entries()) findings.qualifiedName(path.child(field).index(index), key);
  }
  const known = new Set(Object.keys(selector?.matchLabels ?? {}));
  // The last place of each.
  const places = new Map(match.map((key, index) => [key, index]));
  const mismatched = new Set(mismatch);
  for (const { key = '' } of selector?.matchExpressions ?? []) {
    const index = places.get(key);
    if (index !== undefined && known.has(key))
      findings.invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector');
    known.add(key);
  }
  for (const [index, key] of match.entries())
    if (mismatched.has(key))
      findings.invalid(
        path.child('matchLabelKeys').index(index),
        key,
        'exists in both matchLabelKeys and mismatchLabelKeys',
      );
}
