// Resources of a pod as a whole.
import { compareQuantities, type FieldPath, Quantity } from '@windlass/apimachinery';
import type { Container, PodSpec, ResourceRequirements } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { isHugePages, validateResourceName } from '../../shared/resource-names.ts';
import { validateRequirements } from './resources.ts';

export function validatePodResources(spec: View<PodSpec>, path: FieldPath, findings: Findings): void {
  const { resources, os } = spec;
  if (resources === undefined) return;
  const at = path.child('resources');
  if (os?.name === 'windows') {
    findings.forbidden(at, 'may not be set for a windows pod');
    return;
  }
  if (resources.claims !== undefined)
    findings.forbidden(at.child('claims'), 'claims may not be set for Resources at pod-level');
  validateRequirements(resources, new Set(), at, findings, validateName);
  compareToContainers(spec.containers ?? [], resources, at, findings);
}

function validateName(name: string, path: FieldPath, findings: Findings): void {
  if (validateResourceName(name, path, findings) && !['cpu', 'memory'].includes(name) && !isHugePages(name))
    findings.notSupported(path, name, ['cpu', 'hugepages-', 'memory']);
}

function compareToContainers(
  containers: readonly View<Container>[],
  { requests, limits }: View<ResourceRequirements>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const [name, value] of Object.entries(requests ?? {})) {
    const sum = sumOf(containers, name);
    if (sum !== undefined && sum.compare(Quantity.parse(value)) > 0)
      findings.invalid(
        path.child('requests').key(name),
        value,
        `must be greater than or equal to aggregate container requests of ${sum.toString()}`,
      );
  }
  for (const [index, { resources }] of containers.entries()) {
    for (const [name, value] of Object.entries(resources?.limits ?? {})) {
      const limit = limits?.[name];
      if (limit !== undefined && compareQuantities(value, limit) > 0)
        findings.invalid(
          path.child('containers').index(index).key(name).child('limits'),
          value,
          `must be less than or equal to pod limits of ${limit}`,
        );
    }
  }
}

function sumOf(containers: readonly View<Container>[], name: string): Quantity | undefined {
  let sum: Quantity | undefined;
  for (const { resources } of containers) {
    const value = resources?.requests?.[name];
    if (value === undefined) continue;
    sum = sum === undefined ? Quantity.parse(value) : sum.add(Quantity.parse(value));
  }
  return sum;
}
