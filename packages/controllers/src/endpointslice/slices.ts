import {
  type Cached,
  controllerReferenceTo,
  isControlledBy,
  semanticEqual,
  validateDns1123Subdomain,
} from '@windlass/apimachinery';
import { type Node, Service } from '@windlass/apimachinery/api/core/v1';
import type { Endpoint, EndpointPort, EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { labelsOf } from '../shared/meta.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import {
  type AddressType,
  addressTypesOf,
  endpointKey,
  endpointOf,
  endpointPortsOf,
  portsKey,
} from './endpoint.ts';
import { type FilledSlice, packEndpoints, type SliceChanges } from './packing.ts';
import { hasEndpoint, isHeadless, type ReadonlyService } from './service-pods.ts';
import { closeHints, sharedHints, wantsZoneShares } from './topology-hints.ts';
import type { ZoneShares } from './zone-shares.ts';

export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const MANAGER = 'endpointslice-controller.k8s.io';
export const HEADLESS = 'service.kubernetes.io/headless';

type ReadonlySlice = Cached<EndpointSlice>;

export interface SlicesInput {
  readonly service: ReadonlyService;
  /** All that it selects. */
  readonly pods: readonly ReadonlyPod[];
  /** All that we have made for it. */
  readonly existing: readonly ReadonlySlice[];
  readonly nodeOf: (name: string) => Cached<Node> | undefined;
  /** Asked only where the service wants hints by it. */
  readonly zoneShares: () => ZoneShares | undefined;
}

export interface SlicesOutput extends SliceChanges {
  /** Pods that were left out because their node is not known: it is tried again. */
  readonly withoutNode: readonly string[];
  /** Why a type of address has no hints although the service wants them, in words for people. */
  readonly hintProblems: readonly string[];
}

/** What has to be written so that the service's slices say what its pods are. */
export function sliceChanges(input: SlicesInput): SlicesOutput {
  const { service, existing } = input;
  const types = addressTypesOf(service);
  const withoutNode = new Set<string>();
  const hintProblems: string[] = [];
  const changes = types.map((type) => {
    const ofType = existing.filter(({ addressType }) => addressType === type);
    return changesOfType(input, type, ofType, withoutNode, hintProblems);
  });
  // The service has no addresses of that type any more.
  const others = existing.filter(({ addressType }) => !types.some((type) => type === addressType));
  return {
    create: changes.flatMap(({ create }) => create),
    update: changes.flatMap(({ update }) => update),
    delete: [...changes.flatMap((change) => change.delete), ...others],
    withoutNode: [...withoutNode],
    hintProblems,
  };
}

function changesOfType(
  { service, pods, nodeOf, zoneShares }: SlicesInput,
  type: AddressType,
  existing: readonly ReadonlySlice[],
  withoutNode: Set<string>,
  hintProblems: string[],
): SliceChanges {
  const labels = sliceLabels(service);
  // Those of an earlier service of this name go with it.
  const owned = existing.filter((slice) => isControlledBy(slice, service));
  const strangers = existing.filter((slice) => !isControlledBy(slice, service));
  const groups = new Map<string, { readonly ports: EndpointPort[]; endpoints: Endpoint[] }>();
  const bySharesOfZones = wantsZoneShares(service);
  for (const pod of pods) {
    if (!hasEndpoint(pod, true)) continue;
    const node = pod.spec?.nodeName === undefined ? undefined : nodeOf(pod.spec.nodeName);
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      withoutNode.add(pod.metadata.name);
      continue;
    }
    const endpoint = endpointOf(service, pod, node, type);
    if (endpoint === undefined) continue;
    const ports = endpointPortsOf(service, pod);
    const group = groups.get(portsKey(ports)) ?? { ports, endpoints: [] };
    group.endpoints.push(bySharesOfZones ? endpoint : closeHints(service, endpoint));
    groups.set(portsKey(ports), group);
  }
  if (bySharesOfZones) {
    const all = [...groups.values()].flatMap(({ endpoints }) => endpoints);
    const hints = sharedHints(all, zonesIn(owned), zoneShares());
    if ('problem' in hints) hintProblems.push(`${hints.problem}, addressType: ${type}`);
    else for (const group of groups.values()) group.endpoints = withZones(group.endpoints, hints.zones);
  }
  const changes = Array.from(groups, ([key, { ports, endpoints }]) =>
    packEndpoints({
      existing: owned.filter((slice) => portsKey(slice.ports) === key),
      desired: endpoints,
      labels,
      newSlice: () => newSlice(service, type, ports),
    }),
  );
  const unwanted = owned.filter((slice) => !groups.has(portsKey(slice.ports)));
  return withPlaceholder(
    recycle(service, {
      create: changes.flatMap(({ create }) => create),
      update: changes.flatMap(({ update }) => update),
      delete: [...changes.flatMap((change) => change.delete), ...unwanted, ...strangers],
    }),
    existing,
    newSlice(service, type, []),
  );
}

/** The zone that each endpoint is for now. */
function zonesIn(slices: readonly ReadonlySlice[]): ReadonlyMap<string, string> {
  return new Map(
    slices.flatMap(({ endpoints }) =>
      (endpoints ?? []).flatMap((endpoint): [string, string][] => {
        const [zone] = endpoint.hints?.forZones ?? [];
        return zone === undefined ? [] : [[endpointKey(endpoint), zone.name]];
      }),
    ),
  );
}

function withZones(endpoints: readonly Endpoint[], zones: ReadonlyMap<string, string>): Endpoint[] {
  return endpoints.map((endpoint) => {
    const name = zones.get(endpointKey(endpoint));
    return name === undefined ? endpoint : { ...endpoint, hints: { forZones: [{ name }] } };
  });
}

/** What would be deleted becomes what would be created: one write, and watchers see no gap. */
function recycle(service: ReadonlyService, changes: SliceChanges): SliceChanges {
  const create = [...changes.create];
  const update = [...changes.update];
  const deleted: ReadonlySlice[] = [];
  for (const old of changes.delete) {
    const next = isControlledBy(old, service) ? create.pop() : undefined;
    if (next === undefined) {
      deleted.push(old);
      continue;
    }
    const { generateName: _, ...metadata } = next.metadata ?? {};
    const { name, resourceVersion } = old.metadata ?? {};
    update.push({
      ...next,
      metadata: {
        ...metadata,
        ...(name !== undefined && { name }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      },
    });
  }
  return { create, update, delete: deleted };
}

/** A service without endpoints has one slice without any, so that watchers know it from one that is not ready. */
function withPlaceholder(
  changes: SliceChanges,
  existing: readonly ReadonlySlice[],
  placeholder: FilledSlice,
): SliceChanges {
  if (existing.length !== changes.delete.length || changes.create.length > 0) return changes;
  if (changes.update.length > 0) return changes;
  const [only, ...more] = changes.delete;
  const isPlaceholder =
    only !== undefined &&
    more.length === 0 &&
    (only.endpoints ?? []).length === 0 &&
    (only.ports ?? []).length === 0 &&
    semanticEqual(labelsOf(only), labelsOf(placeholder)) &&
    semanticEqual(only.metadata?.ownerReferences, placeholder.metadata?.ownerReferences);
  return isPlaceholder ? { ...changes, delete: [] } : { ...changes, create: [placeholder] };
}

function sliceLabels(service: ReadonlyService): Record<string, string> {
  const { [HEADLESS]: _, ...own } = labelsOf(service);
  return {
    ...own,
    ...(isHeadless(service) && { [HEADLESS]: '' }),
    [SERVICE_NAME]: service.metadata.name,
    [MANAGED_BY]: MANAGER,
  };
}

function newSlice(
  service: ReadonlyService,
  addressType: AddressType,
  ports: readonly EndpointPort[],
): FilledSlice {
  const name = service.metadata.name;
  return {
    addressType,
    endpoints: [],
    metadata: {
      generateName: validateDns1123Subdomain(`${name}-a`).length === 0 ? `${name}-` : name,
      namespace: service.metadata.namespace,
      labels: sliceLabels(service),
      ownerReferences: [controllerReferenceTo(service, Service)],
    },
    ports: [...ports],
  };
}
