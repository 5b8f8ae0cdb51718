// What an object counts for in quotas. Admission charges it, and a controller counts it again.
import type { PersistentVolumeClaim, Pod, Service } from '../generated/api/core/v1.ts';
import type { DeepReadonly, KubeObject } from '../object.ts';
import { Quantity } from '../quantities/quantity.ts';
import { parseTime } from '../time/time.ts';
import { CLAIMS, type CountedResource, isOf, PODS, RESOURCE_CLAIMS, SERVICES } from './counted-kinds.ts';
import { devicesAskedFor } from './device-usage.ts';
import { podRequests } from './pod-resources.ts';

/** By the names that quotas use. */
export type QuotaUsage = Map<string, Quantity>;

const ONE = Quantity.of(1);
/** Resources of pods that a quota may name as they are, for their requests, and with `limits.`. */
const PLAIN: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const HUGE_PAGES = 'hugepages-';
const STORAGE_CLASS = '.storageclass.storage.k8s.io/';
const DEVICE_CLASS = '.deviceclass.resource.k8s.io/devices';
const STORAGE_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
/** Resources that quotas name as they are, beside `count/`. */
const COUNTED: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'replicationcontrollers',
  'resourcequotas',
]);

/** `count/deployments.apps` */
export const countNameOf = ({ group, plural }: CountedResource): string =>
  `count/${plural}${group === '' ? '' : `.${group}`}`;

/** How much of each resource of a quota the object uses. */
export function quotaUsageOf(
  resource: CountedResource,
  object: DeepReadonly<KubeObject>,
  now: number,
): QuotaUsage {
  const usage: QuotaUsage = new Map([[countNameOf(resource), ONE]]);
  if (isOf(resource, PODS, object)) addPod(usage, object, now);
  else if (isOf(resource, CLAIMS, object)) addClaim(usage, object);
  else if (isOf(resource, SERVICES, object)) addService(usage, object);
  else if (isOf(resource, RESOURCE_CLAIMS, object))
    for (const [name, count] of devicesAskedFor(object))
      usage.set(`${name}${DEVICE_CLASS}`, Quantity.of(count));
  else if (resource.group === '' && COUNTED.has(resource.plural)) usage.set(resource.plural, ONE);
  return usage;
}

/** A pod that is done counts as an object, but uses nothing; nor does one that should be gone by now. */
function isCharged({ metadata, status }: DeepReadonly<Pod>, now: number): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= parseTime(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function addPod(usage: QuotaUsage, pod: DeepReadonly<Pod>, now: number): void {
  if (!isCharged(pod, now)) return;
  usage.set('pods', ONE);
  for (const [name, amount] of Object.entries(podRequests(pod.spec, 'requests'))) {
    usage.set(`requests.${name}`, Quantity.from(amount));
    if (PLAIN.has(name) || name.startsWith(HUGE_PAGES)) usage.set(name, Quantity.from(amount));
  }
  for (const [name, amount] of Object.entries(podRequests(pod.spec, 'limits')))
    if (PLAIN.has(name)) usage.set(`limits.${name}`, Quantity.from(amount));
}

function addClaim(usage: QuotaUsage, claim: DeepReadonly<PersistentVolumeClaim>): void {
  const { metadata, spec, status } = claim;
  const asked = Quantity.from(spec?.resources?.requests?.['storage'] ?? '0');
  // An expansion that did not succeed may have taken more than is asked for now.
  const allocated = Quantity.from(status?.allocatedResources?.['storage'] ?? '0');
  const size = (allocated.compare(asked) > 0 ? allocated : asked).roundUp(0);
  usage.set('persistentvolumeclaims', ONE).set('requests.storage', size);
  const className = metadata?.annotations?.[STORAGE_CLASS_ANNOTATION] ?? spec?.storageClassName ?? '';
  if (className === '') return;
  const prefix = `${className}${STORAGE_CLASS}`;
  usage.set(`${prefix}persistentvolumeclaims`, ONE).set(`${prefix}requests.storage`, size);
}

function addService(usage: QuotaUsage, { spec }: DeepReadonly<Service>): void {
  usage.set('services', ONE);
  const ports = spec?.ports ?? [];
  if (spec?.type === 'NodePort') usage.set('services.nodeports', Quantity.of(ports.length));
  if (spec?.type !== 'LoadBalancer') return;
  const taken =
    spec.allocateLoadBalancerNodePorts === false
      ? ports.filter(({ nodePort = 0 }) => nodePort !== 0).length
      : ports.length;
  usage.set('services.loadbalancers', ONE).set('services.nodeports', Quantity.of(taken));
}

/** Whether a name in a quota counts objects of this resource and of no other. */
export function countsOnly(resource: CountedResource, name: string): boolean {
  const { group, plural } = resource;
  if (name === countNameOf(resource)) return true;
  if (isOf(resource, RESOURCE_CLAIMS, name)) return name.endsWith(DEVICE_CLASS);
  if (group !== '') return false;
  if (name === plural)
    return plural === 'pods' || plural === 'services' || isClaims(plural) || COUNTED.has(plural);
  const isStorage = name === 'requests.storage' || name.includes(STORAGE_CLASS);
  if (isClaims(plural)) return isStorage;
  if (plural === 'services') return name.startsWith('services.');
  if (plural !== 'pods' || isStorage) return false;
  return PLAIN.has(name) || /^(?:requests\.|limits\.|hugepages-)/.test(name);
}

const isClaims = (plural: string): boolean => plural === 'persistentvolumeclaims';
