import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import type { Endpoint, EndpointPort } from '@windlass/apimachinery/api/discovery/v1';
import { labelsOf } from '../shared/meta.ts';
import { isReady, type ReadonlyPod } from '../shared/pods.ts';
import { hostnameIn, podAddresses, type ReadonlyService, targetPortOf } from './service-pods.ts';
import { ZONE } from './zone-shares.ts';

export type AddressType = 'IPv4' | 'IPv6';

/** What the service has addresses of. */
export function addressTypesOf({ spec }: ReadonlyService): AddressType[] {
  const families = (spec?.ipFamilies ?? []).filter(
    (family): family is AddressType => family === 'IPv4' || family === 'IPv6',
  );
  if (families.length > 0) return families;
  return [spec?.clusterIP?.includes(':') === true ? 'IPv6' : 'IPv4'];
}

/** Undefined when the pod has no address of the type. */
export function endpointOf(
  service: ReadonlyService,
  pod: ReadonlyPod,
  node: Cached<Node> | undefined,
  type: AddressType,
): Endpoint | undefined {
  const addresses = podAddresses(pod).filter((ip) => ip.includes(':') === (type === 'IPv6'));
  if (addresses.length === 0) return undefined;
  const serving = isReady(pod);
  const terminating = pod.metadata?.deletionTimestamp !== undefined;
  // Old clients know only readiness, and must not send anything to a pod that goes.
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = hostnameIn(pod, service);
  const zone = node === undefined ? undefined : labelsOf(node)[ZONE];
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && { hostname }),
    ...(pod.spec?.nodeName !== undefined && { nodeName: pod.spec.nodeName }),
    targetRef: {
      kind: 'Pod',
      namespace: pod.metadata.namespace,
      name: pod.metadata.name,
      uid: pod.metadata.uid,
    },
    ...(zone !== undefined && { zone }),
  };
}

/** The service's ports as this pod has them. Named ones may differ from pod to pod. */
export function endpointPortsOf({ spec }: ReadonlyService, pod: ReadonlyPod): EndpointPort[] {
  return (spec?.ports ?? []).flatMap((port) => {
    const number = targetPortOf(pod, port);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [{ name, protocol, port: number, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

/** Pods with the same ports share slices. The order of ports does not matter. */
export function portsKey(ports: readonly DeepReadonly<EndpointPort>[] | null | undefined): string {
  const texts = (ports ?? []).map(({ name = '', protocol = 'TCP', port, appProtocol }) =>
    JSON.stringify([name, protocol, port ?? null, appProtocol ?? null]),
  );
  return texts.toSorted().join();
}

/** What makes an endpoint the same one, whatever its state. */
export function endpointKey({ addresses, hostname, targetRef }: DeepReadonly<Endpoint>): string {
  return JSON.stringify([
    [...addresses].toSorted(),
    hostname ?? '',
    targetRef?.namespace ?? '',
    targetRef?.name ?? '',
    targetRef?.uid ?? '',
  ]);
}
