import { type DeepReadonly, Quantity } from '@windlass/apimachinery';
import type { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import type { AllocatedDevices } from '../framework/device-view.ts';

interface DeviceReference {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
}

/** Which device it is, in one text. */
export function deviceId({ driver, pool, device }: DeviceReference): string {
  return `${driver}/${pool}/${device}`;
}

/** Who looks after a device as an administrator takes nothing away from others. */
export function allocatedBy(claims: Iterable<DeepReadonly<ResourceClaim>>): AllocatedDevices {
  const devices = new Set<string>();
  const shares = new Map<string, Map<string, Quantity>>();
  for (const { status } of claims)
    for (const result of status?.allocation?.devices?.results ?? []) {
      if (result.adminAccess === true) continue;
      const id = deviceId(result);
      if (result.shareID === undefined) {
        devices.add(id);
        continue;
      }
      const taken = shares.get(id) ?? new Map<string, Quantity>();
      for (const [name, amount] of Object.entries(result.consumedCapacity ?? {}))
        taken.set(name, (taken.get(name) ?? Quantity.zero).add(Quantity.from(amount)));
      shares.set(id, taken);
    }
  return { devices, shares };
}
