// Which nodes something may be on.
import { type FieldPath, validateLabelValue } from '@windlass/apimachinery';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectsAt } from '../values.ts';
import type { Findings } from './findings.ts';

const NO_OPERATOR = 'not a valid selector operator';

export function validateNodeSelector(selector: Fields, path: FieldPath, findings: Findings): void {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  const at = path.child('nodeSelectorTerms');
  if (terms.length === 0) findings.required(at, 'must have at least one node selector term');
  for (const [index, term] of terms.entries()) validateNodeSelectorTerm(term, at.index(index), findings);
}

export function validateNodeSelectorTerm(term: Fields, path: FieldPath, findings: Findings): void {
  for (const [index, requirement] of objectsAt(term, 'matchExpressions').entries())
    validateRequirement(requirement, path.child('matchExpressions').index(index), findings);
  for (const [index, requirement] of objectsAt(term, 'matchFields').entries())
    validateFieldRequirement(requirement, path.child('matchFields').index(index), findings);
}

function validateRequirement(requirement: Fields, path: FieldPath, findings: Findings): void {
  const operator = textAt(requirement, 'operator');
  const values = textsAt(requirement, 'values');
  const at = path.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) findings.required(at, "must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0)
        findings.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1)
        findings.required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      break;
    default:
      findings.invalid(path.child('operator'), operator, NO_OPERATOR);
  }
  findings.qualifiedName(path.child('key'), textAt(requirement, 'key'));
  for (const [index, value] of values.entries())
    findings.problems(at.index(index), value, validateLabelValue(value));
}

function validateFieldRequirement(requirement: Fields, path: FieldPath, findings: Findings): void {
  const operator = textAt(requirement, 'operator');
  const key = textAt(requirement, 'key');
  const values = textsAt(requirement, 'values');
  if (operator !== 'In' && operator !== 'NotIn')
    findings.invalid(path.child('operator'), operator, NO_OPERATOR);
  else if (values.length !== 1)
    findings.required(
      path.child('values'),
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  if (key !== 'metadata.name') findings.invalid(path.child('key'), key, 'not a valid field selector key');
  else
    for (const [index, value] of values.entries())
      findings.subdomain(path.child('values').index(index), value);
}
