import { compareQuantities, type FieldPath, fieldNotFound, Quantity } from '@windlass/apimachinery';
import type { ResourceClaim, ResourceRequirements } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import {
  isHugePages,
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceQuantity,
} from '../../shared/resource-names.ts';

type ValidateName = (name: string, path: FieldPath, findings: Findings) => void;

export function validateContainerResources(
  resources: View<ResourceRequirements> | undefined,
  claims: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  validateRequirements(resources, claims, path, findings, validateContainerResourceName);
}

export function validateRequirements(
  resources: View<ResourceRequirements> | undefined,
  claims: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
  validateName: ValidateName,
): void {
  const limits = resources?.limits ?? {};
  const requests = resources?.requests ?? {};
  for (const [field, amounts] of [
    ['limits', limits],
    ['requests', requests],
  ] as const) {
    for (const [name, value] of Object.entries(amounts)) {
      const at = path.child(field).key(name);
      validateName(name, at, findings);
      validateResourceQuantity(name, value, at, findings);
      if (field === 'requests') compareToLimit(name, value, limits[name], path, findings);
      if (isHugePages(name)) validateHugePages(name, value, at, findings);
    }
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    findings.forbidden(path, 'HugePages require cpu or memory');
  validateClaims(resources?.claims ?? [], claims, path.child('claims'), findings);
}

function compareToLimit(
  name: string,
  request: string,
  limit: string | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  const at = path.child('requests');
  if (limit === undefined) {
    if (!isOvercommitAllowed(name))
      findings.required(path.child('limits'), 'Limit must be set for non overcommitable resources');
    return;
  }
  const sign = compareQuantities(request, limit);
  if (sign !== 0 && !isOvercommitAllowed(name))
    findings.invalid(at, request, `must be equal to ${name} limit of ${limit}`);
  else if (sign > 0) findings.invalid(at, request, `must be less than or equal to ${name} limit of ${limit}`);
}

function validateHugePages(name: string, value: string, path: FieldPath, findings: Findings): void {
  const size = sizeOf(name.slice('hugepages-'.length));
  const isDivisible = size !== undefined && size > 0 && Quantity.parse(value).roundUp(0).isMultipleOf(size);
  if (!isDivisible) findings.invalid(path, value, `${value} is not positive integer multiple of ${name}`);
}

function sizeOf(text: string): number | undefined {
  try {
    return Quantity.parse(text).value();
  } catch {
    return undefined;
  }
}

function validateClaims(
  given: readonly View<ResourceClaim>[],
  claims: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  const names = new Set<string>();
  for (const [index, claim] of given.entries()) {
    const at = path.index(index);
    const { name = '', request = '' } = claim;
    if (name === '') {
      findings.required(at);
      continue;
    }
    const key = request === '' ? name : `${name}/${request}`;
    if (request !== '' && !names.has(name)) findings.label(at.child('request'), request);
    if (names.has(name)) findings.duplicate(at, name);
    else {
      if (names.has(key)) findings.duplicate(at, key);
      else if (request === '' && [...names].some((other) => other.startsWith(`${name}/`)))
        findings.duplicate(at, name);
      names.add(key);
    }
    if (claims.has(name)) continue;
    const known = claims.size === 0 ? ' which is empty' : `: ${[...claims].toSorted().join(', ')}`;
    findings.add([
      { ...fieldNotFound(at, name), detail: `must be one of the names in pod.spec.resourceClaims${known}` },
    ]);
  }
}
