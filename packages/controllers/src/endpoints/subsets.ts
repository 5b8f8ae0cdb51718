// The older form of a service's endpoints: all in one object, by the ports that they share.
import { type DeepReadonly, semanticEqual } from '@windlass/apimachinery';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '@windlass/apimachinery/api/core/v1';
import {
  hasEndpoint,
  hostnameIn,
  isHeadless,
  podAddresses,
  type ReadonlyService,
  targetPortOf,
} from '../endpointslice/service-pods.ts';
import { isReady, type ReadonlyPod } from '../shared/pods.ts';

/** No object has more addresses than this. */
export const MAX_ADDRESSES = 1000;

interface Endpoint {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
}

/**
 * The subsets of a service, in an order that depends on nothing but their content. A port belongs to one subset,
 * with all addresses that have it: so ports that are served by the same pods share a subset.
 */
export function subsetsOf(service: ReadonlyService, pods: readonly ReadonlyPod[]): EndpointSubset[] {
  const publishes = service.spec?.publishNotReadyAddresses === true;
  const byPort = new Map<string, { port: EndpointPort | undefined; endpoints: Endpoint[] }>();
  for (const pod of pods) {
    if (!hasEndpoint(pod, publishes)) continue;
    const address = addressOf(service, pod);
    if (address === undefined) continue;
    const ports = portsOf(service, pod);
    if (ports.length === 0 && !isHeadless(service)) continue;
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = JSON.stringify(port ?? null);
      const group = byPort.get(key) ?? { port, endpoints: [] };
      group.endpoints.push({ address, isReady: publishes || isReady(pod) });
      byPort.set(key, group);
    }
  }
  const subsets = new Map<string, { ports: EndpointPort[]; endpoints: readonly Endpoint[] }>();
  for (const [, { port, endpoints }] of [...byPort].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const sorted = endpoints.toSorted((a, b) => byAddress(a.address, b.address));
    const key = JSON.stringify([port === undefined, sorted]);
    const subset = subsets.get(key) ?? { ports: [], endpoints: sorted };
    if (port !== undefined) subset.ports.push(port);
    subsets.set(key, subset);
  }
  return [...subsets.values()].map(({ ports, endpoints }) => {
    const addresses = endpoints.filter((one) => one.isReady).map(({ address }) => address);
    const notReadyAddresses = endpoints.filter((one) => !one.isReady).map(({ address }) => address);
    return {
      ...(addresses.length > 0 && { addresses }),
      ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
      ...(ports.length > 0 && { ports }),
    };
  });
}

/** Only of the service's first family. */
function addressOf(service: ReadonlyService, pod: ReadonlyPod): EndpointAddress | undefined {
  const isIPv6 = service.spec?.ipFamilies?.[0] === 'IPv6' || service.spec?.clusterIP?.includes(':') === true;
  const ip = podAddresses(pod).find((candidate) => candidate.includes(':') === isIPv6);
  if (ip === undefined) return undefined;
  const hostname = hostnameIn(pod, service);
  return {
    ...(hostname !== undefined && { hostname }),
    ip,
    ...(pod.spec?.nodeName !== undefined && { nodeName: pod.spec.nodeName }),
    targetRef: {
      kind: 'Pod',
      namespace: pod.metadata.namespace,
      name: pod.metadata.name,
      uid: pod.metadata.uid,
    },
  };
}

function portsOf({ spec }: ReadonlyService, pod: ReadonlyPod): EndpointPort[] {
  return (spec?.ports ?? [])
    .flatMap((port) => {
      const number = targetPortOf(pod, port);
      if (number === undefined) return [];
      const { name, protocol = 'TCP', appProtocol } = port;
      return [
        {
          ...(name !== undefined && name !== '' && { name }),
          port: number,
          protocol,
          ...(appProtocol !== undefined && { appProtocol }),
        },
      ];
    })
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function byAddress(a: EndpointAddress, b: EndpointAddress): number {
  const [left, right] = [a.ip + (a.targetRef?.uid ?? ''), b.ip + (b.targetRef?.uid ?? '')];
  return left < right ? -1 : 1;
}

/** As many addresses as fit, ready ones first, from each subset its share. */
export function truncated(
  subsets: readonly EndpointSubset[],
  max = MAX_ADDRESSES,
): EndpointSubset[] | undefined {
  const ready = subsets.reduce((sum, { addresses = [] }) => sum + addresses.length, 0);
  const unready = subsets.reduce((sum, { notReadyAddresses = [] }) => sum + notReadyAddresses.length, 0);
  if (ready + unready <= max) return undefined;
  const share = (list: readonly EndpointAddress[], total: number, room: number): EndpointAddress[] =>
    total <= room ? [...list] : list.slice(0, Math.floor((list.length * room) / total));
  const roomForReady = Math.min(ready, max);
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
    const kept = share(addresses, ready, roomForReady);
    const keptUnready = share(notReadyAddresses, unready, max - roomForReady);
    if (kept.length + keptUnready.length === 0) return [];
    return [
      {
        ...(kept.length > 0 && { addresses: kept }),
        ...(keptUnready.length > 0 && { notReadyAddresses: keptUnready }),
        ...(ports.length > 0 && { ports }),
      },
    ];
  });
}

/** A pod that was only written again, at another version, changes nothing. */
export function isSameSubsets(
  a: DeepReadonly<EndpointSubset[]> | undefined,
  b: DeepReadonly<EndpointSubset[]>,
): boolean {
  return semanticEqual(a ?? [], b);
}
