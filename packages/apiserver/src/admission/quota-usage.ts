import { type DeepReadonly, Quantity } from '@windlass/apimachinery';
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '@windlass/apimachinery/api/core/v1';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Stored } from '../resource/strategy.ts';
import { podRequests } from './pod-resources.ts';

export type Usage = Map<string, Quantity>;

const ONE = Quantity.of(1);
/** Resources of pods that a quota may name as they are, for their requests. */
const PLAIN: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** What an object counts for, by the names that quotas use. */
export function usageOf(definition: Pick<ResourceDefinition, 'group' | 'plural'>, object: Stored): Usage {
  const { group, plural } = definition;
  const usage: Usage = new Map([[`count/${plural}${group === '' ? '' : `.${group}`}`, ONE]]);
  if (group !== '') return usage;
  // Objects of the store have the shape of their kind.
  if (plural === 'pods') addPod(usage, object as DeepReadonly<Pod>);
  else if (plural === 'persistentvolumeclaims')
    addClaim(usage, object as DeepReadonly<PersistentVolumeClaim>);
  else if (plural === 'services') addService(usage, object as DeepReadonly<Service>);
  else if (COUNTED.has(plural)) usage.set(plural, ONE);
  return usage;
}

const COUNTED: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'replicationcontrollers',
  'resourcequotas',
]);

function addPod(usage: Usage, pod: DeepReadonly<Pod>): void {
  // A pod that is done counts as an object, but uses nothing.
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return;
  usage.set('pods', ONE);
  for (const [name, amount] of Object.entries(podRequests(pod.spec, 'requests'))) {
    usage.set(`requests.${name}`, Quantity.from(amount));
    if (PLAIN.has(name)) usage.set(name, Quantity.from(amount));
  }
  for (const [name, amount] of Object.entries(podRequests(pod.spec, 'limits')))
    usage.set(`limits.${name}`, Quantity.from(amount));
}

function addClaim(usage: Usage, { spec }: DeepReadonly<PersistentVolumeClaim>): void {
  const size = Quantity.from(spec?.resources?.requests?.['storage'] ?? '0');
  usage.set('persistentvolumeclaims', ONE).set('requests.storage', size);
  const className = spec?.storageClassName ?? '';
  if (className === '') return;
  const prefix = `${className}.storageclass.storage.k8s.io`;
  usage.set(`${prefix}/persistentvolumeclaims`, ONE).set(`${prefix}/requests.storage`, size);
}

function addService(usage: Usage, { spec }: DeepReadonly<Service>): void {
  usage.set('services', ONE);
  const ports = Quantity.of(spec?.ports?.length ?? 0);
  if (spec?.type === 'NodePort') usage.set('services.nodeports', ports);
  if (spec?.type !== 'LoadBalancer') return;
  usage.set('services.loadbalancers', ONE);
  if (spec.allocateLoadBalancerNodePorts !== false) usage.set('services.nodeports', ports);
}

/** Whether a quota is about the object at all. Scopes speak of pods only. */
export function inScope(
  { spec }: DeepReadonly<ResourceQuota>,
  definition: Pick<ResourceDefinition, 'group' | 'plural'>,
  object: Stored,
): boolean {
  const terms = [
    ...(spec?.scopes ?? []).map((scopeName) => ({
      scopeName,
      operator: 'Exists',
      values: [] as readonly string[],
    })),
    ...(spec?.scopeSelector?.matchExpressions ?? []).map(({ values = [], ...term }) => ({ ...term, values })),
  ];
  if (terms.length === 0) return true;
  if (definition.group !== '' || definition.plural !== 'pods') return false;
  return terms.every((term) => scopeHolds(term, object as DeepReadonly<Pod>));
}

function scopeHolds(
  { scopeName, operator, values }: { scopeName: string; operator: string; values: readonly string[] },
  pod: DeepReadonly<Pod>,
): boolean {
  const { spec } = pod;
  switch (scopeName) {
    case 'Terminating':
      return spec?.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return spec?.activeDeadlineSeconds === undefined;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass': {
      const name = spec?.priorityClassName ?? '';
      if (operator === 'Exists') return name !== '';
      if (operator === 'DoesNotExist') return name === '';
      return operator === 'In' ? values.includes(name) : !values.includes(name);
    }
    default:
      return false;
  }
}

function isBestEffort({ spec }: DeepReadonly<Pod>): boolean {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].every(
    ({ resources }) =>
      Object.keys(resources?.requests ?? {}).length === 0 &&
      Object.keys(resources?.limits ?? {}).length === 0,
  );
}

/** Whether a name in a quota counts objects of this resource and of no other. */
export function countsOnly(
  { group, plural }: Pick<ResourceDefinition, 'group' | 'plural'>,
  name: string,
): boolean {
  if (name === `count/${plural}${group === '' ? '' : `.${group}`}`) return true;
  if (group !== '') return false;
  if (name === plural) return true;
  const isStorage = name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/');
  if (plural === 'persistentvolumeclaims') return isStorage;
  if (plural === 'services') return name.startsWith('services.');
  if (plural !== 'pods' || isStorage) return false;
  return PLAIN.has(name) || name.startsWith('requests.') || name.startsWith('limits.');
}
