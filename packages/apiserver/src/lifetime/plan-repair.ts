import type { DeepReadonly } from '@windlass/apimachinery';
import type { Service } from '@windlass/apimachinery/api/core/v1';
import type { IPAddress } from '@windlass/apimachinery/api/networking/v1';
import { ALLOCATOR, MANAGED_BY, type ServiceName } from '../builtin/core/service/address-objects.ts';

/** An address is there before its service is, so that one without a service may just be new. */
export const GRACE_MS = 60_000;

export interface AddressOf {
  readonly address: string;
  readonly service: ServiceName;
}

export interface Repair {
  /** Addresses of services that have no object. */
  readonly missing: readonly AddressOf[];
  /** Objects of ours whose service is gone, or has another address. */
  readonly leaked: readonly AddressOf[];
  /** Addresses of services whose object is somebody else's. */
  readonly foreign: readonly AddressOf[];
}

/** What must be done so that services and their IPAddress objects say the same. */
export function planRepair(
  services: readonly DeepReadonly<Service>[],
  objects: readonly DeepReadonly<IPAddress>[],
  now: number,
): Repair {
  const byAddress = new Map(objects.map((object) => [object.metadata?.name ?? '', object]));
  const held = services.flatMap(addressesOf);
  const missing = held.filter(({ address }) => !byAddress.has(address));
  const foreign = held.filter(({ address, service }) => {
    const object = byAddress.get(address);
    return object !== undefined && !isParent(object, service);
  });
  const holders = new Set(held.map(textOf));
  const leaked = objects
    .filter(
      ({ metadata }) => metadata?.labels?.[MANAGED_BY] === ALLOCATOR && ageOf(metadata, now) >= GRACE_MS,
    )
    .map((object) => ({ address: object.metadata?.name ?? '', service: parentOf(object) }))
    .filter((one) => !holders.has(textOf(one)));
  return { missing, leaked, foreign };
}

function addressesOf({ metadata, spec }: DeepReadonly<Service>): AddressOf[] {
  const service = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
  if (spec?.type === 'ExternalName') return [];
  return (spec?.clusterIPs ?? [])
    .filter((address) => address !== '' && address !== 'None')
    .map((address) => ({ address, service }));
}

function parentOf({ spec }: DeepReadonly<IPAddress>): ServiceName {
  const { namespace = '', name } = spec.parentRef;
  return { namespace, name };
}

function isParent(object: DeepReadonly<IPAddress>, { namespace, name }: ServiceName): boolean {
  const { group = '', resource } = object.spec.parentRef;
  const parent = parentOf(object);
  return group === '' && resource === 'services' && parent.namespace === namespace && parent.name === name;
}

const ageOf = (metadata: DeepReadonly<IPAddress>['metadata'], now: number): number =>
  now - Date.parse(metadata?.creationTimestamp ?? '');

const textOf = ({ address, service }: AddressOf): string =>
  JSON.stringify([address, service.namespace, service.name]);
