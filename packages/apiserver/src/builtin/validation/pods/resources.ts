import { compareQuantities, type FieldPath, fieldNotFound, Quantity } from '@windlass/apimachinery';
import { textAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import type { Findings } from '../findings.ts';
import {
  isHugePages,
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
  validateResourceQuantity,
} from '../resource-names.ts';

type ValidateName = (name: string, path: FieldPath, findings: Findings) => void;

export function validateContainerResources(
  resources: Fields | undefined,
  claims: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  validateRequirements(resources, claims, path, findings, validateContainerResourceName);
}

function validateRequirements(
  resources: Fields | undefined,
  claims: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
  validateName: ValidateName,
): void {
  const limits = objectAt(resources, 'limits') ?? {};
  const requests = objectAt(resources, 'requests') ?? {};
  for (const [field, amounts] of [
    ['limits', limits],
    ['requests', requests],
  ] as const) {
    for (const [name, value] of Object.entries(amounts)) {
      const at = path.child(field).key(name);
      validateName(name, at, findings);
      validateResourceQuantity(name, value, at, findings);
      if (field === 'requests') compareToLimit(name, String(value), limits[name], path, findings);
      if (isHugePages(name)) validateHugePages(name, String(value), at, findings);
    }
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    findings.forbidden(path, 'HugePages require cpu or memory');
  validateClaims(objectsAt(resources, 'claims'), claims, path.child('claims'), findings);
}

function compareToLimit(
  name: string,
  request: string,
  limit: unknown,
  path: FieldPath,
  findings: Findings,
): void {
  const at = path.child('requests');
  if (typeof limit !== 'string') {
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
  const amount = Quantity.parse(value).value();
  const isDivisible = size !== undefined && size > 0 && amount % size === 0;
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
  given: readonly Fields[],
  claims: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  const names = new Set<string>();
  for (const [index, claim] of given.entries()) {
    const at = path.index(index);
    const [name, request] = [textAt(claim, 'name'), textAt(claim, 'request')];
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

/** Resources of a pod as a whole. */
export function validatePodResources(spec: Fields, path: FieldPath, findings: Findings): void {
  const resources = objectAt(spec, 'resources');
  if (resources === undefined) return;
  const at = path.child('resources');
  if (objectAt(spec, 'os')?.['name'] === 'windows') {
    findings.forbidden(at, 'may not be set for a windows pod');
    return;
  }
  if (resources['claims'] !== undefined)
    findings.forbidden(at.child('claims'), 'claims may not be set for Resources at pod-level');
  validateRequirements(resources, new Set(), at, findings, validatePodResourceName);
  compareToContainers(spec, resources, at, findings);
}

function validatePodResourceName(name: string, path: FieldPath, findings: Findings): void {
  if (validateResourceName(name, path, findings) && !['cpu', 'memory'].includes(name) && !isHugePages(name))
    findings.notSupported(path, name, ['cpu', 'hugepages-', 'memory']);
}

function compareToContainers(spec: Fields, resources: Fields, path: FieldPath, findings: Findings): void {
  const containers = objectsAt(spec, 'containers');
  for (const [name, value] of Object.entries(objectAt(resources, 'requests') ?? {})) {
    const sum = sumOf(containers, name);
    if (sum !== undefined && sum.compare(Quantity.parse(String(value))) > 0)
      findings.invalid(
        path.child('requests').key(name),
        value,
        `must be greater than or equal to aggregate container requests of ${sum.toString()}`,
      );
  }
  const limits = objectAt(resources, 'limits') ?? {};
  for (const [index, container] of containers.entries()) {
    for (const [name, value] of Object.entries(objectAt(objectAt(container, 'resources'), 'limits') ?? {})) {
      const limit = limits[name];
      if (typeof limit === 'string' && compareQuantities(String(value), limit) > 0)
        findings.invalid(
          path.child('containers').index(index).key(name).child('limits'),
          value,
          `must be less than or equal to pod limits of ${limit}`,
        );
    }
  }
}

function sumOf(containers: readonly Fields[], name: string): Quantity | undefined {
  let sum: Quantity | undefined;
  for (const container of containers) {
    const value = objectAt(objectAt(container, 'resources'), 'requests')?.[name];
    if (typeof value === 'string')
      sum = sum === undefined ? Quantity.parse(value) : sum.add(Quantity.parse(value));
  }
  return sum;
}
