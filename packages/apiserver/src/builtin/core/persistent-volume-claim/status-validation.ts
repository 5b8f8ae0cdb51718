import { FieldPath, Quantity } from '@windlass/apimachinery';
import type { PersistentVolumeClaimStatus } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { isNative } from '../../shared/resource-names.ts';

const STATUS = FieldPath.of('status');
const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

export function validateClaimStatus(status: View<PersistentVolumeClaimStatus>, findings: Findings): void {
  for (const [name, value] of Object.entries(status.capacity ?? {})) {
    const amount = Quantity.parse(value).value();
    if (amount < 0)
      findings.invalid(STATUS.child('capacity').key(name), amount, 'must be a valid resource quantity');
  }
  for (const [name, value] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    const at = STATUS.child('allocatedResourceStatuses');
    validateResourceKey(name, at, findings);
    if (!RESIZE_STATES.includes(value)) findings.notSupported(at, name, RESIZE_STATES);
  }
  for (const [name, value] of Object.entries(status.allocatedResources ?? {})) {
    const at = STATUS.child('allocatedResources');
    if (validateResourceKey(name, at, findings)) findings.notNegativeQuantity(at.key(name), value);
  }
}

function validateResourceKey(name: string, path: FieldPath, findings: Findings): boolean {
  const before = findings.errors.length;
  findings.qualifiedName(path, name);
  if (findings.errors.length === before && isNative(name) && name !== 'storage')
    findings.notSupported(path, name, ['storage']);
  return findings.errors.length === before;
}
