import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import { validateDriverName } from '../../shared/driver-name.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateNodeSelector } from '../../shared/node-selectors.ts';
import { MAX_CONFIGS, MAX_CONSUMERS, MAX_RESULTS } from '../limits.ts';
import { validateBindingConditions } from '../shared/binding-conditions.ts';
import { validateConfiguration } from '../shared/configuration.ts';
import { validateItems, validateSet } from '../shared/lists.ts';
import { validatePoolName, validateShareId } from '../shared/names.ts';
import {
  type RequestNames,
  requestNamesOf,
  validateRequestReference,
  validateRequestReferences,
} from '../shared/request-names.ts';
import { validateDeviceTolerations } from '../shared/taints.ts';
import { validateDeviceStatus } from './device-status.ts';
import { sharedDeviceId } from './status-devices.ts';

const STATUS = FieldPath.of('status');

/** What is allocated stays as it was, or goes as a whole. */
export function validateClaimStatus(
  claim: View<ResourceClaim>,
  old: View<ResourceClaim>,
  findings: Findings,
): void {
  const { allocation, reservedFor, devices } = claim.status ?? {};
  validateSet(
    reservedFor ?? [],
    MAX_CONSUMERS,
    STATUS.child('reservedFor'),
    findings,
    ({ uid = '' }) => uid,
    (consumer, at) => validateConsumer(consumer, at, findings),
  );
  const allocated = new Set((allocation?.devices?.results ?? []).map(sharedDeviceId));
  validateSet(
    devices ?? [],
    Number.POSITIVE_INFINITY,
    STATUS.child('devices'),
    findings,
    sharedDeviceId,
    (device, at) => validateDeviceStatus(device, allocated, at, findings),
  );
  validateReservations(claim, old, findings);
  if (allocation === undefined) return;
  const before = old.status?.allocation;
  if (before !== undefined) findings.immutable(STATUS.child('allocation'), allocation, before);
  else
    validateAllocation(
      allocation,
      requestNamesOf(claim.spec?.devices ?? {}),
      STATUS.child('allocation'),
      findings,
    );
}

function validateReservations(
  { metadata, status }: View<ResourceClaim>,
  old: View<ResourceClaim>,
  findings: Findings,
): void {
  const consumers = status?.reservedFor ?? [];
  const at = STATUS.child('reservedFor');
  if (consumers.length === 0) return;
  if (status?.allocation === undefined) {
    findings.forbidden(at, 'may not be specified when `allocated` is not set');
    return;
  }
  if (metadata?.deletionTimestamp === undefined) return;
  const before = old.status?.reservedFor ?? [];
  if (!consumers.every((consumer) => before.some((known) => deepEqual(known, consumer))))
    findings.forbidden(
      at,
      'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
    );
}

function validateConsumer(
  consumer: View<ResourceClaimConsumerReference>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const field of ['resource', 'name', 'uid'] as const)
    if ((consumer[field] ?? '') === '') findings.required(path.child(field));
}

function validateAllocation(
  { devices, nodeSelector }: View<AllocationResult>,
  names: RequestNames,
  path: FieldPath,
  findings: Findings,
): void {
  const at = path.child('devices');
  validateItems(devices?.results ?? [], MAX_RESULTS, at.child('results'), findings, (result, where) =>
    validateResult(result, names, where, findings),
  );
  // Those of the classes and those of the claim.
  validateItems(devices?.config ?? [], 2 * MAX_CONFIGS, at.child('config'), findings, (config, where) =>
    validateAllocatedConfiguration(config, names, where, findings),
  );
  if (nodeSelector !== undefined) validateNodeSelector(nodeSelector, path.child('nodeSelector'), findings);
}

function validateResult(
  result: View<DeviceRequestAllocationResult>,
  names: RequestNames,
  path: FieldPath,
  findings: Findings,
): void {
  const { request, driver = '', pool = '', device = '', tolerations, shareID } = result;
  validateRequestReference(request ?? '', names, path.child('request'), findings);
  validateDriverName(driver, path.child('driver'), findings);
  validatePoolName(pool, path.child('pool'), findings);
  findings.label(path.child('device'), device);
  validateBindingConditions(result, path, findings);
  validateDeviceTolerations(tolerations ?? [], path.child('tolerations'), findings);
  if (shareID !== undefined) validateShareId(shareID, path.child('shareID'), findings);
}

function validateAllocatedConfiguration(
  config: View<DeviceAllocationConfiguration>,
  names: RequestNames,
  path: FieldPath,
  findings: Findings,
): void {
  const { source = '', requests } = config;
  if (source === '') findings.required(path.child('source'));
  else findings.oneOf(path.child('source'), source, ['FromClaim', 'FromClass']);
  validateRequestReferences(requests ?? [], names, path.child('requests'), findings);
  validateConfiguration(config, path, findings);
}
