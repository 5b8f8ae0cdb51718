import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { IPAddress, ServiceCIDR } from '@windlass/apimachinery/api/networking/v1';
import { labelsOf } from '../shared/meta.ts';
import { holdsAddress, holdsRange } from './ranges.ts';

export type ReadonlyServiceCidr = Cached<ServiceCIDR>;
export type ReadonlyIpAddress = Cached<IPAddress>;

export const cidrsOf = ({ spec }: DeepReadonly<ServiceCIDR>): readonly string[] => spec?.cidrs ?? [];

/** Whether the API server made the address for a service. */
export const isOfService = (address: ReadonlyIpAddress): boolean =>
  labelsOf(address)['ipaddress.kubernetes.io/managed-by'] === 'ipallocator.k8s.io';

/** Those that hold the address. */
export function holdersOf(
  address: ReadonlyIpAddress,
  all: readonly ReadonlyServiceCidr[],
): ReadonlyServiceCidr[] {
  return all.filter((one) => cidrsOf(one).some((cidr) => holdsAddress(cidr, address.metadata.name)));
}

/** Whether no address of a service would be without a range: others hold all of them, or all in use. */
export function mayGo(
  going: ReadonlyServiceCidr,
  all: readonly ReadonlyServiceCidr[],
  addresses: readonly ReadonlyIpAddress[],
): boolean {
  const others = all.filter(({ metadata }) => metadata.name !== going.metadata.name);
  const isHeldElsewhere = (cidr: string): boolean =>
    others.some((other) => cidrsOf(other).some((outer) => holdsRange(outer, cidr)));
  if (cidrsOf(going).every(isHeldElsewhere)) return true;
  return !addresses.some((address) => {
    if (!isOfService(address)) return false;
    const holders = holdersOf(address, all);
    return holders.length === 1 && holders[0]?.metadata.name === going.metadata.name;
  });
}
