// Which nodes something may be on.
import { type FieldPath, validateLabelValue } from '@windlass/apimachinery';
import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../resource/views.ts';
import type { Findings } from './findings.ts';

const NO_OPERATOR = 'not a valid selector operator';

export function validateNodeSelector(
  { nodeSelectorTerms }: View<NodeSelector>,
  path: FieldPath,
  findings: Findings,
): void {
  const terms = nodeSelectorTerms ?? [];
  const at = path.child('nodeSelectorTerms');
  if (terms.length === 0) findings.required(at, 'must have at least one node selector term');
  for (const [index, term] of terms.entries()) validateNodeSelectorTerm(term, at.index(index), findings);
}

export function validateNodeSelectorTerm(
  { matchExpressions, matchFields }: View<NodeSelectorTerm>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, requirement] of (matchExpressions ?? []).entries())
    validateRequirement(requirement, path.child('matchExpressions').index(index), findings);
  for (const [index, requirement] of (matchFields ?? []).entries())
    validateFieldRequirement(requirement, path.child('matchFields').index(index), findings);
}

function validateRequirement(
  requirement: View<NodeSelectorRequirement>,
  path: FieldPath,
  findings: Findings,
): void {
  const { operator = '', key = '' } = requirement;
  const values = requirement.values ?? [];
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
  findings.qualifiedName(path.child('key'), key);
  for (const [index, value] of values.entries())
    findings.problems(at.index(index), value, validateLabelValue(value));
}

function validateFieldRequirement(
  requirement: View<NodeSelectorRequirement>,
  path: FieldPath,
  findings: Findings,
): void {
  const { operator = '', key = '' } = requirement;
  const values = requirement.values ?? [];
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
