// What a service makes of a pod: whether it is behind it, at which addresses and ports.
import { type Cached, type DeepReadonly, deepEqual, keyOf, selectorFromLabels } from '@windlass/apimachinery';
import type { Pod, Service, ServicePort } from '@windlass/apimachinery/api/core/v1';
import type { CachedKind, ObjectEvent } from '@windlass/runtime';
import { labelsOf } from '../shared/meta.ts';
import { isReady, isTerminal, type ReadonlyPod } from '../shared/pods.ts';

export type ReadonlyService = Cached<Service>;

/** Whether its endpoints are ours to keep. Without a selector, somebody else keeps them. */
export function hasManagedEndpoints({ spec }: ReadonlyService): boolean {
  return spec?.type !== 'ExternalName' && spec?.selector !== undefined;
}

export function isHeadless({ spec }: ReadonlyService): boolean {
  return spec?.clusterIP === 'None' || !spec?.clusterIP;
}

/** The services that select the pod. An empty selector selects nothing. */
export function servicesOf(services: CachedKind<Service>, pod: ReadonlyPod): string[] {
  return services
    .list({ namespace: pod.metadata.namespace })
    .filter(({ spec }) => {
      const selector = spec?.selector ?? {};
      return Object.keys(selector).length > 0 && selectorFromLabels(selector).matches(labelsOf(pod));
    })
    .map(keyOf);
}

/** Whether a pod changed in something that a service sees. */
export function endpointsMayChange(event: ObjectEvent<Pod>): boolean {
  if (event.type !== 'update') return true;
  const { old, object } = event;
  const seen = (pod: ReadonlyPod): unknown => [
    isReady(pod),
    isTerminal(pod),
    pod.metadata?.deletionTimestamp,
    pod.metadata.uid,
    pod.spec?.nodeName,
    pod.spec?.hostname,
    pod.spec?.subdomain,
    pod.status?.podIP,
    pod.status?.podIPs,
    labelsOf(pod),
  ];
  return !deepEqual(seen(old), seen(object));
}

/** Pods that have ended have no endpoint, nor have those without an address. */
export function hasEndpoint(pod: ReadonlyPod, includeTerminating: boolean): boolean {
  if (isTerminal(pod)) return false;
  if (!includeTerminating && pod.metadata?.deletionTimestamp !== undefined) return false;
  return podAddresses(pod).length > 0;
}

export function podAddresses({ status }: ReadonlyPod): string[] {
  const all = (status?.podIPs ?? []).map(({ ip }) => ip);
  return all.length > 0 ? all : status?.podIP ? [status.podIP] : [];
}

/** Undefined when the pod has no port of that name. */
export function targetPortOf({ spec }: ReadonlyPod, port: DeepReadonly<ServicePort>): number | undefined {
  const target = port.targetPort ?? port.port;
  if (typeof target === 'number') return target === 0 ? port.port : target;
  const beside = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec?.containers ?? []), ...beside]
    .flatMap(({ ports }) => ports ?? [])
    .find(({ name, protocol }) => name === target && (protocol ?? 'TCP') === (port.protocol ?? 'TCP'))
    ?.containerPort;
}

/** A pod is known by its own name in the service that is its subdomain. */
export function hostnameIn(pod: ReadonlyPod, service: ReadonlyService): string | undefined {
  const { hostname, subdomain } = pod.spec ?? {};
  return hostname && subdomain === service.metadata.name ? hostname : undefined;
}
