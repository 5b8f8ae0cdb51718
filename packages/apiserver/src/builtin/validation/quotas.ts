// Resource quotas and limit ranges.
import { compareQuantities, FieldPath, Quantity } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';
import {
  isOvercommitAllowed,
  isQuotaResource,
  validateContainerResourceName,
  validateQuotaResourceName,
  validateResourceName,
  validateResourceQuantity,
} from './resource-names.ts';

const SPEC = FieldPath.of('spec');
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

export const quotaValidations: ValidationsByKind = {
  '/v1/ResourceQuota': {
    create: validateQuota,
    update(object, old, findings) {
      validateQuota(object, findings);
      const scopes = (of: Stored): string[] => textsAt(objectAt(of, 'spec'), 'scopes');
      const [now, before] = [new Set(scopes(object)), new Set(scopes(old))];
      if (now.symmetricDifference(before).size > 0)
        findings.invalid(
          SPEC.child('scopes'),
          objectAt(object, 'spec')?.['scopes'] ?? null,
          'field is immutable',
        );
    },
    status(object, _old, findings) {
      for (const field of ['hard', 'used'])
        validateAmounts(objectAt(objectAt(object, 'status'), field), FieldPath.of('status', field), findings);
    },
  },
  '/v1/LimitRange': { create: validateLimitRange },
};

function validateAmounts(amounts: Fields | undefined, path: FieldPath, findings: Findings): void {
  for (const [name, value] of Object.entries(amounts ?? {})) {
    validateQuotaResourceName(name, path.key(name), findings);
    validateResourceQuantity(name, value, path.key(name), findings);
  }
}

function validateQuota(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  const hard = objectAt(spec, 'hard') ?? {};
  validateAmounts(hard, SPEC.child('hard'), findings);
  const scopes = textsAt(spec, 'scopes');
  const at = SPEC.child('scopes');
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) findings.invalid(at, scopes, 'unsupported scope');
    for (const name of Object.keys(hard))
      if (isQuotaResource(name) && !isScopeFor(scope, name))
        findings.invalid(at, scopes, 'unsupported scope applied to resource');
  }
  validatePairs(scopes, at, scopes, findings);
  const selector = objectAt(spec, 'scopeSelector');
  if (selector !== undefined) validateScopeSelector(selector, Object.keys(hard), scopes, findings);
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

function validateScopeSelector(
  selector: Fields,
  resources: readonly string[],
  scopes: readonly string[],
  findings: Findings,
): void {
  const path = SPEC.child('scopeSelector', 'matchExpressions');
  const expressions = objectsAt(selector, 'matchExpressions');
  for (const expression of expressions) {
    const [scope, operator] = [textAt(expression, 'scopeName'), textAt(expression, 'operator')];
    const values = textsAt(expression, 'values');
    if (!SCOPES.has(scope)) findings.invalid(path.child('scopeName'), scope, 'unsupported scope');
    for (const name of resources)
      if (isQuotaResource(name) && !isScopeFor(scope, name))
        findings.invalid(path, selector, 'unsupported scope applied to resource');
    if (ONLY_EXISTS.has(scope) && operator !== 'Exists')
      findings.invalid(
        path.child('operator'),
        operator,
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      );
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
  validatePairs(
    expressions.map((expression) => textAt(expression, 'scopeName')),
    path,
    scopes,
    findings,
  );
}

function validateLimitRange(object: Stored, findings: Findings): void {
  const types = new Set<string>();
  for (const [index, limit] of objectsAt(objectAt(object, 'spec'), 'limits').entries()) {
    const path = SPEC.child('limits').index(index);
    const type = textAt(limit, 'type');
    const before = findings.errors.length;
    findings.qualifiedName(path.child('type'), type);
    const isStandard = ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type) || type.includes('/');
    if (findings.errors.length === before && !isStandard)
      findings.invalid(path.child('type'), type, 'must be a standard limit type or fully qualified');
    if (types.has(type)) findings.duplicate(path.child('type'), type);
    types.add(type);
    validateLimit(limit, type, path, findings);
  }
}

function validateLimit(limit: Fields, type: string, path: FieldPath, findings: Findings): void {
  const validateName =
    type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  const amounts = (field: string): Fields => {
    const values = objectAt(limit, field) ?? {};
    for (const name of Object.keys(values)) {
      validateName(name, path.child(field).key(name), findings);
      names.add(name);
    }
    return values;
  };
  const [max, min] = [amounts('max'), amounts('min')];
  let [defaults, requests]: [Fields, Fields] = [{}, {}];
  if (type === 'Pod') {
    for (const field of ['default', 'defaultRequest'])
      if (Object.keys(objectAt(limit, field) ?? {}).length > 0)
        findings.forbidden(path.child(field), "may not be specified when `type` is 'Pod'");
  } else [defaults, requests] = [amounts('default'), amounts('defaultRequest')];
  if (type === 'PersistentVolumeClaim' && min['storage'] === undefined && max['storage'] === undefined)
    findings.required(
      path.child('limits'),
      'either minimum or maximum storage value is required, but neither was provided',
    );
  const ratios = amounts('maxLimitRequestRatio');
  for (const name of names) {
    const of = (values: Fields): string | undefined => values[name] as string | undefined;
    compareLimits(
      { min: of(min), max: of(max), given: of(defaults), request: of(requests), ratio: of(ratios) },
      name,
      path,
      findings,
    );
  }
}

interface Limits {
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly given: string | undefined;
  readonly request: string | undefined;
  readonly ratio: string | undefined;
}

function compareLimits(
  { min, max, given, request, ratio }: Limits,
  name: string,
  path: FieldPath,
  findings: Findings,
): void {
  const isMore = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
  const at = (field: string): FieldPath => path.child(field).key(name);
  if (isMore(min, max)) findings.invalid(at('min'), min, `min value ${min} is greater than max value ${max}`);
  if (isMore(min, request))
    findings.invalid(
      at('defaultRequest'),
      request,
      `min value ${min} is greater than default request value ${request}`,
    );
  if (isMore(request, max))
    findings.invalid(
      at('defaultRequest'),
      request,
      `default request value ${request} is greater than max value ${max}`,
    );
  if (isMore(request, given))
    findings.invalid(
      at('defaultRequest'),
      request,
      `default request value ${request} is greater than default limit value ${given}`,
    );
  if (isMore(min, given))
    findings.invalid(at('default'), min, `min value ${min} is greater than default value ${given}`);
  if (isMore(given, max))
    findings.invalid(at('default'), max, `default value ${given} is greater than max value ${max}`);
  if (ratio !== undefined && compareQuantities(ratio, '1') < 0)
    findings.invalid(at('maxLimitRequestRatio'), ratio, `ratio ${ratio} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const milli = (text: string): number => Quantity.parse(text).milliValue();
    const limit = milli(max) / milli(min);
    if (milli(ratio) / 1000 > limit)
      findings.invalid(
        at('maxLimitRequestRatio'),
        ratio,
        `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`,
      );
  }
  const isUnequal = given !== undefined && request !== undefined && compareQuantities(given, request) !== 0;
  if (!isOvercommitAllowed(name) && isUnequal)
    findings.invalid(
      at('defaultRequest'),
      request,
      `default value ${given} must equal to defaultRequest value ${request} in ${name}`,
    );
}
