// Scopes: which objects a quota counts.
import { FieldPath } from '@windlass/apimachinery';
import type { ScopeSelector } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { isQuotaResource } from '../../shared/resource-names.ts';

const SCOPES_PATH = FieldPath.of('spec', 'scopes');
const EXPRESSIONS_PATH = FieldPath.of('spec', 'scopeSelector', 'matchExpressions');
const POD_RESOURCES = new Set([
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]);
const CLAIM_RESOURCES = new Set(['persistentvolumeclaims', 'requests.storage']);
const POD_SCOPES = [
  'Terminating',
  'NotTerminating',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
];
const SCOPES = new Set([...POD_SCOPES, 'BestEffort', 'VolumeAttributesClass']);
const ONLY_EXISTS = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);
const PAIRS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/** @param resources what the quota limits */
export function validateScopes(
  scopes: readonly string[],
  resources: readonly string[],
  findings: Findings,
): void {
  // Each once: so many resources may be wrong for each.
  for (const scope of new Set(scopes)) {
    if (!SCOPES.has(scope)) {
      findings.invalid(SCOPES_PATH, scopes, 'unsupported scope');
      continue;
    }
    for (const name of resources)
      if (isQuotaResource(name) && !isScopeFor(scope, name))
        findings.invalid(SCOPES_PATH, scopes, 'unsupported scope applied to resource');
  }
  validatePairs(scopes, SCOPES_PATH, scopes, findings);
}

export function validateScopeSelector(
  selector: View<ScopeSelector>,
  resources: readonly string[],
  scopes: readonly string[],
  findings: Findings,
): void {
  const path = EXPRESSIONS_PATH;
  const expressions = selector.matchExpressions ?? [];
  const looked = new Set<string>();
  for (const { scopeName: scope = '', operator = '', values } of expressions) {
    if (!SCOPES.has(scope)) findings.invalid(path.child('scopeName'), scope, 'unsupported scope');
    else if (!looked.has(scope))
      for (const name of resources)
        if (isQuotaResource(name) && !isScopeFor(scope, name))
          findings.invalid(path, selector, 'unsupported scope applied to resource');
    looked.add(scope);
    if (ONLY_EXISTS.has(scope) && operator !== 'Exists')
      findings.invalid(
        path.child('operator'),
        operator,
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      );
    validateValues(operator, values ?? [], findings);
  }
  const names = expressions.map(({ scopeName = '' }) => scopeName);
  validatePairs(names, path, scopes, findings);
}

function validateValues(operator: string, values: readonly string[], findings: Findings): void {
  const path = EXPRESSIONS_PATH;
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      findings.required(
        path.child('values'),
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      );
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      findings.invalid(
        path.child('values'),
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      );
  } else findings.invalid(path.child('operator'), operator, 'not a valid selector operator');
}

function isScopeFor(scope: string, name: string): boolean {
  if (POD_SCOPES.includes(scope)) return POD_RESOURCES.has(name);
  if (scope === 'BestEffort') return name === 'pods';
  return scope === 'VolumeAttributesClass' ? CLAIM_RESOURCES.has(name) : true;
}

function validatePairs(scopes: readonly string[], path: FieldPath, value: unknown, findings: Findings): void {
  for (const pair of PAIRS)
    if (pair.every((scope) => scopes.includes(scope))) findings.invalid(path, value, 'conflicting scopes');
}
