// Slices that say what Endpoints say which somebody wrote by hand.
import { isIP } from 'node:net';
import {
  type Cached,
  controllerReferenceTo,
  type DeepReadonly,
  deepCopy,
  isControlledBy,
  type ObjectReference,
  semanticEqual,
  validateDns1123Subdomain,
} from '@windlass/apimachinery';
import { type EndpointAddress, Endpoints } from '@windlass/apimachinery/api/core/v1';
import type { Endpoint, EndpointPort, EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { type AddressType, endpointKey, portsKey } from '../endpointslice/endpoint.ts';
import type { FilledSlice, SliceChanges } from '../endpointslice/packing.ts';
import { MANAGED_BY, SERVICE_NAME } from '../endpointslice/slices.ts';
import { LAST_CHANGE_TRIGGER_TIME } from '../endpointslice/trigger-times.ts';
import { annotationsOf, labelsOf } from '../shared/meta.ts';
import { type PackedSubset, repacked } from './repack.ts';

export const MIRRORING_MANAGER = 'endpointslicemirroring-controller.k8s.io';
/** No more addresses of one subset are mirrored: it becomes one slice, which has to stay small. */
export const MAX_ADDRESSES_PER_SUBSET = 1000;

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export type ReadonlyEndpoints = Cached<Endpoints>;
type ReadonlySlice = Cached<EndpointSlice>;

export interface MirrorChanges extends SliceChanges {
  /** Addresses that are none. */
  readonly invalid: number;
  /** Addresses that were left out, for whatever reason. */
  readonly skipped: number;
}

interface Wanted {
  readonly type: AddressType;
  readonly ports: EndpointPort[];
  readonly endpoints: Endpoint[];
}

export function mirrorChanges(
  endpoints: ReadonlyEndpoints,
  existing: readonly ReadonlySlice[],
  max = MAX_ADDRESSES_PER_SUBSET,
): MirrorChanges {
  let [invalid, skipped] = [0, 0];
  const wanted = new Map<string, Wanted>();
  for (const subset of repacked(endpoints.subsets ?? [])) {
    const found = endpointsOf(subset, max);
    invalid += found.invalid;
    skipped += found.skipped;
    for (const { type, endpoint } of found.endpoints) {
      const ports = portsOf(subset);
      const key = keyFor(type, ports);
      const slice = wanted.get(key) ?? { type, ports, endpoints: [] };
      slice.endpoints.push(endpoint);
      wanted.set(key, slice);
    }
  }
  const create: FilledSlice[] = [];
  const update: FilledSlice[] = [];
  const deleted: ReadonlySlice[] = [];
  const byKey = Map.groupBy(existing, ({ addressType, ports }) => keyFor(addressType, ports ?? []));
  for (const [key, slices] of byKey) deleted.push(...(wanted.has(key) ? slices.slice(1) : slices));
  for (const [key, want] of wanted) {
    const [old] = byKey.get(key) ?? [];
    if (old !== undefined && isSame(old, endpoints, want)) continue;
    const slice = sliceFor(endpoints, want);
    if (old === undefined) create.push(slice);
    else update.push(named(slice, old));
  }
  return { ...recycled(create, update, deleted), invalid, skipped };
}

const keyFor = (type: string, ports: readonly DeepReadonly<EndpointPort>[]): string =>
  `${type} ${portsKey(ports)}`;

function endpointsOf(
  { ready, notReady }: PackedSubset,
  max: number,
): {
  readonly endpoints: readonly { readonly type: AddressType; readonly endpoint: Endpoint }[];
  readonly invalid: number;
  readonly skipped: number;
} {
  const endpoints: { type: AddressType; endpoint: Endpoint }[] = [];
  let invalid = 0;
  const all = [
    ...ready.map((address) => [address, true] as const),
    ...notReady.map((address) => [address, false] as const),
  ];
  for (const [address, isReady] of all) {
    if (endpoints.length >= max) break;
    const family = isIP(address.ip);
    if (family === 0) invalid++;
    else endpoints.push({ type: family === 6 ? 'IPv6' : 'IPv4', endpoint: endpointFor(address, isReady) });
  }
  return { endpoints, invalid, skipped: all.length - endpoints.length };
}

function endpointFor(
  { ip, hostname, nodeName, targetRef }: DeepReadonly<EndpointAddress>,
  ready: boolean,
): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname !== undefined && hostname !== '' && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    ...(targetRef !== undefined && { targetRef: deepCopy<ObjectReference>(targetRef) }),
  };
}

function portsOf({ ports }: PackedSubset): EndpointPort[] {
  return ports.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
    name,
    port,
    protocol,
    ...(appProtocol !== undefined && { appProtocol }),
  }));
}

function sliceFor(endpoints: ReadonlyEndpoints, { type, ports, endpoints: list }: Wanted): FilledSlice {
  const name = endpoints.metadata.name;
  return {
    addressType: type,
    metadata: {
      generateName: validateDns1123Subdomain(`${name}-a`).length === 0 ? `${name}-` : name,
      namespace: endpoints.metadata.namespace,
      labels: { ...labelsOf(endpoints), [SERVICE_NAME]: name, [MANAGED_BY]: MIRRORING_MANAGER },
      annotations: mirroredAnnotations(endpoints),
      ownerReferences: [controllerReferenceTo(endpoints, Endpoints)],
    },
    ports,
    endpoints: list,
  };
}

function mirroredAnnotations(endpoints: ReadonlyEndpoints): Record<string, string> {
  const { [LAST_CHANGE_TRIGGER_TIME]: _, [LAST_APPLIED]: __, ...kept } = annotationsOf(endpoints);
  return kept;
}

/** The order of endpoints does not matter. */
function isSame(old: ReadonlySlice, endpoints: ReadonlyEndpoints, wanted: Wanted): boolean {
  const next = sliceFor(endpoints, wanted);
  const sorted = (list: readonly DeepReadonly<Endpoint>[]): readonly DeepReadonly<Endpoint>[] =>
    list.toSorted((a, b) => (endpointKey(a) < endpointKey(b) ? -1 : 1));
  return (
    isControlledBy(old, endpoints) &&
    semanticEqual(sorted(old.endpoints ?? []), sorted(next.endpoints)) &&
    semanticEqual(labelsOf(old), labelsOf(next)) &&
    semanticEqual(annotationsOf(old), annotationsOf(next))
  );
}

function named(slice: FilledSlice, { metadata }: ReadonlySlice): FilledSlice {
  const { generateName: _, ...rest } = slice.metadata ?? {};
  const { name, resourceVersion } = metadata ?? {};
  return {
    ...slice,
    metadata: {
      ...rest,
      ...(name !== undefined && { name }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

/** What would be deleted becomes what would be created, where the type of address is the same. */
function recycled(
  create: readonly FilledSlice[],
  update: readonly FilledSlice[],
  deleted: readonly ReadonlySlice[],
): SliceChanges {
  const left = [...deleted];
  const made: FilledSlice[] = [];
  const written = [...update];
  for (const slice of create) {
    const at = left.findIndex(({ addressType }) => addressType === slice.addressType);
    const [old] = at === -1 ? [] : left.splice(at, 1);
    if (old === undefined) made.push(slice);
    else written.push(named(slice, old));
  }
  return { create: made, update: written, delete: left };
}
