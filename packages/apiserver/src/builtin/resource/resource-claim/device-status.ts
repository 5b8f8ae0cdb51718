import type { FieldPath } from '@windlass/apimachinery';
import type { AllocatedDeviceStatus, NetworkDeviceData } from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import { strictInterfaceAddressProblem } from '../../shared/addresses.ts';
import { validateConditions } from '../../shared/conditions.ts';
import { validateDriverName } from '../../shared/driver-name.ts';
import type { Findings } from '../../shared/findings.ts';
import {
  MAX_DEVICE_CONDITIONS,
  MAX_DEVICE_DATA_LENGTH,
  MAX_DEVICE_IPS,
  MAX_HARDWARE_ADDRESS_LENGTH,
  MAX_INTERFACE_NAME_LENGTH,
} from '../limits.ts';
import { validateRawObject } from '../shared/configuration.ts';
import { validateSet } from '../shared/lists.ts';
import { validatePoolName, validateShareId } from '../shared/names.ts';
import { sharedDeviceId } from './status-devices.ts';

/** What a driver says of a device that a claim has. */
export function validateDeviceStatus(
  status: View<AllocatedDeviceStatus>,
  allocated: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  const { driver = '', pool = '', device = '', shareID, data, networkData } = status;
  validateDriverName(driver, path.child('driver'), findings);
  validatePoolName(pool, path.child('pool'), findings);
  findings.label(path.child('device'), device);
  if (shareID !== undefined) validateShareId(shareID, path.child('shareID'), findings);
  const id = sharedDeviceId(status);
  if (!allocated.has(id)) findings.invalid(path, id, 'must be an allocated device in the claim');
  const conditions = status.conditions ?? [];
  const at = path.child('conditions');
  if (conditions.length > MAX_DEVICE_CONDITIONS)
    findings.tooMany(at, conditions.length, MAX_DEVICE_CONDITIONS);
  validateConditions(conditions, at, findings);
  if (data !== undefined) validateRawObject(data, MAX_DEVICE_DATA_LENGTH, path.child('data'), findings);
  if (networkData !== undefined) validateNetworkData(networkData, path.child('networkData'), findings);
}

function validateNetworkData(
  { interfaceName = '', hardwareAddress = '', ips }: View<NetworkDeviceData>,
  path: FieldPath,
  findings: Findings,
): void {
  if (Buffer.byteLength(interfaceName) > MAX_INTERFACE_NAME_LENGTH)
    findings.tooLong(path.child('interfaceName'), MAX_INTERFACE_NAME_LENGTH);
  if (Buffer.byteLength(hardwareAddress) > MAX_HARDWARE_ADDRESS_LENGTH)
    findings.tooLong(path.child('hardwareAddress'), MAX_HARDWARE_ADDRESS_LENGTH);
  validateSet(ips ?? [], MAX_DEVICE_IPS, path.child('ips'), findings, String, (address, at) => {
    const problem = strictInterfaceAddressProblem(address);
    if (problem !== undefined) findings.invalid(at, address, problem);
  });
}
