import type { DeviceSubRequest, ResourceClaim } from '../generated/api/resource/v1.ts';
import type { DeepReadonly } from '../object.ts';

/** So many devices fit into the status of a claim: more it cannot get, whatever it asks for. */
const MAX_DEVICES = 32;

/** How many devices of each class a claim may get. Of alternatives the greatest number counts, class by class. */
export function devicesAskedFor({ spec }: DeepReadonly<ResourceClaim>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { exactly, firstAvailable } of spec.devices?.requests ?? []) {
    const most = new Map<string, number>();
    for (const request of exactly === undefined ? (firstAvailable ?? []) : [exactly]) {
      const { deviceClassName } = request;
      most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, countOf(request)));
    }
    for (const [name, count] of most) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
}

function countOf({
  allocationMode,
  count = 1,
}: DeepReadonly<Pick<DeviceSubRequest, 'allocationMode' | 'count'>>): number {
  return allocationMode === 'All' ? MAX_DEVICES : count;
}
