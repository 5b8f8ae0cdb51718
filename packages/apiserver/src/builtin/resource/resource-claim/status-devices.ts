import type { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import type { DraftOf, View } from '../../../resource/views.ts';

interface DeviceReference {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string;
}

/** Which device it is, in one text. */
export function deviceId({ driver = '', pool = '', device = '' }: DeviceReference): string {
  return `${driver}/${pool}/${device}`;
}

/** Which part of which device it is. */
export function sharedDeviceId(reference: DeviceReference): string {
  const { shareID = '' } = reference;
  return shareID === '' ? deviceId(reference) : `${deviceId(reference)}/${shareID}`;
}

/** What was said of devices goes with them, when they are no longer allocated. */
export function dropDeallocatedDevices({ status }: DraftOf<ResourceClaim>, old: View<ResourceClaim>): void {
  if (status?.devices === undefined || status.devices === null) return;
  const gone = new Set((old.status?.allocation?.devices?.results ?? []).map(deviceId));
  for (const result of status.allocation?.devices?.results ?? []) gone.delete(deviceId(result));
  const kept = status.devices.filter((device) => !gone.has(deviceId(device)));
  if (kept.length > 0) status.devices = kept;
  else delete status.devices;
}
