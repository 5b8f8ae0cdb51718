// Names of what can be requested and limited: cpu, memory, example.com/gpu.
import { type FieldPath, Quantity, validateQualifiedName } from '@windlass/apimachinery';
import type { Findings } from './findings.ts';

const MILLI = -3;

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const QUOTAS = new Set([
  ...COMPUTE,
  ...['cpu', 'memory', 'storage', 'ephemeral-storage'].map((name) => `requests.${name}`),
  ...COMPUTE.map((name) => `limits.${name}`),
  ...COUNTED,
]);
const STANDARD = new Set([...QUOTAS, 'storage']);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePages = (name: string): boolean =>
  isHugePages(name) || name.startsWith('requests.hugepages-');
export const isQuotaResource = (name: string): boolean => QUOTAS.has(name) || isQuotaHugePages(name);
const isContainerResource = (name: string): boolean => COMPUTE.includes(name) || isHugePages(name);
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
export const isOvercommitAllowed = (name: string): boolean => isNative(name) && !isHugePages(name);

export function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return validateQualifiedName(`requests.${name}`).length === 0;
}

export function validateResourceName(name: string, path: FieldPath, findings: Findings): boolean {
  const before = findings.errors.length;
  findings.qualifiedName(path, name);
  if (
    findings.errors.length === before &&
    !name.includes('/') &&
    !STANDARD.has(name) &&
    !isQuotaHugePages(name)
  )
    findings.invalid(path, name, 'must be a standard resource type or fully qualified');
  return findings.errors.length === before;
}

export function validateContainerResourceName(name: string, path: FieldPath, findings: Findings): void {
  validateResourceName(name, path, findings);
  if (!name.includes('/')) {
    if (!isContainerResource(name))
      findings.invalid(path, name, 'must be a standard resource for containers');
  } else if (!isNative(name) && !isExtended(name))
    findings.invalid(path, name, "doesn't follow extended resource name standard");
}

export function validateQuotaResourceName(name: string, path: FieldPath, findings: Findings): void {
  validateResourceName(name, path, findings);
  if (!name.includes('/') && !isQuotaResource(name))
    findings.invalid(path, name, 'must be a standard resource for quota');
}

/** Not negative, and whole where only whole ones exist. */
export function validateResourceQuantity(
  name: string,
  value: unknown,
  path: FieldPath,
  findings: Findings,
): void {
  findings.notNegativeQuantity(path, value);
  const isCounted = COUNTED.includes(name) || isExtended(name);
  if (isCounted && typeof value === 'string' && !Quantity.parse(value).roundUp(MILLI).isWhole)
    findings.invalid(path, value, 'must be an integer');
}
