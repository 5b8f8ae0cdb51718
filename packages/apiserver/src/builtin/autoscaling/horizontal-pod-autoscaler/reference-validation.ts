import type { FieldPath } from '@windlass/apimachinery';
import type { CrossVersionObjectReference } from '@windlass/apimachinery/api/autoscaling/v2';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

/** How a reference says its group: `core` may be left out, or somebody wrote `anything` before there was a rule. */
export type GroupRule = 'required' | 'core' | 'anything';

export function validateReference(
  reference: View<CrossVersionObjectReference>,
  path: FieldPath,
  rule: GroupRule,
  findings: Findings,
): void {
  for (const field of ['kind', 'name'] as const) {
    const value = reference[field] ?? '';
    if (value === '') findings.required(path.child(field));
    else findings.pathSegment(path.child(field), value);
  }
  const { apiVersion = '' } = reference;
  const problem = apiVersionProblem(apiVersion, rule);
  if (problem !== undefined) findings.invalid(path.child('apiVersion'), apiVersion, problem);
}

export function apiVersionProblem(apiVersion: string, rule: GroupRule): string | undefined {
  if (rule === 'anything') return undefined;
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const hasGroup = parts.length === 2 && parts[0] !== '';
  return rule === 'required' && !hasGroup ? 'apiVersion must specify API group' : undefined;
}
