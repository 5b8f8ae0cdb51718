import type { FieldPath } from '@windlass/apimachinery';
import type { Findings } from '../../shared/findings.ts';
import { MAX_BINDING_CONDITIONS } from '../limits.ts';
import { validateItems } from './lists.ts';

interface BindingConditions {
  readonly bindingConditions?: readonly string[] | null;
  readonly bindingFailureConditions?: readonly string[] | null;
}

/** What a pod waits for after its device is allocated, and what tells that this was in vain: both or neither. */
export function validateBindingConditions(
  { bindingConditions, bindingFailureConditions }: BindingConditions,
  path: FieldPath,
  findings: Findings,
): void {
  const [good, bad] = [bindingConditions ?? [], bindingFailureConditions ?? []];
  const [goodPath, badPath] = [path.child('bindingConditions'), path.child('bindingFailureConditions')];
  validateNames(good, goodPath, findings);
  validateNames(bad, badPath, findings);
  for (const [index, condition] of bad.entries())
    if (good.includes(condition))
      findings.invalid(
        badPath.index(index),
        condition,
        'bindingFailureConditions must not overlap with bindingConditions',
      );
  if (good.length === 0 && bad.length > 0)
    findings.invalid(goodPath, good, 'bindingConditions are required to use bindingFailureConditions');
  if (bad.length === 0 && good.length > 0)
    findings.invalid(badPath, bad, 'bindingFailureConditions are required to use bindingConditions');
}

function validateNames(conditions: readonly string[], path: FieldPath, findings: Findings): void {
  validateItems(conditions, MAX_BINDING_CONDITIONS, path, findings, (name, at) =>
    findings.qualifiedName(at, name),
  );
  for (const [index, condition] of conditions.entries())
    if (conditions.indexOf(condition) < index) findings.duplicate(path.index(index), condition);
}
