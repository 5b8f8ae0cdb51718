// When a job has succeeded although some of its indexes have not.
import type { FieldPath } from '@windlass/apimachinery';
import type { SuccessPolicy, SuccessPolicyRule } from '@windlass/apimachinery/api/batch/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { indexesProblem } from './indexes.ts';

const MAX_RULES = 20;

export function validateSuccessPolicy(
  policy: View<SuccessPolicy>,
  completions: number,
  path: FieldPath,
  findings: Findings,
): void {
  const rules = policy.rules ?? [];
  if (rules.length === 0)
    findings.required(path, 'at least one rules must be specified when the successPolicy is specified');
  if (rules.length > MAX_RULES) findings.tooMany(path, rules.length, MAX_RULES);
  for (const [index, rule] of rules.entries()) validateRule(rule, completions, path.index(index), findings);
}

function validateRule(
  { succeededCount: count, succeededIndexes: indexes }: View<SuccessPolicyRule>,
  completions: number,
  path: FieldPath,
  findings: Findings,
): void {
  if (count === undefined && indexes === undefined)
    findings.required(path, 'at least one of succeededCount or succeededIndexes must be specified');
  const parsed = indexes === undefined ? undefined : indexesProblem(indexes, completions);
  if (typeof parsed === 'string')
    findings.invalid(path.child('succeededIndexes'), indexes, `error parsing succeededIndexes: ${parsed}`);
  if (count === undefined) return;
  const at = path.child('succeededCount');
  findings.notNegative(at, count);
  if (count > completions)
    findings.invalid(
      at,
      count,
      `must be less than or equal to ${completions} (the number of specified completions)`,
    );
  const total = typeof parsed === 'number' ? parsed : 0;
  if (indexes !== undefined && count > total)
    findings.invalid(
      at,
      count,
      `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
    );
}
