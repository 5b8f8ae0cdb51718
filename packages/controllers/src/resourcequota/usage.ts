import {
  type Cached,
  type CountedResource,
  countNameOf,
  countsOnly,
  type DeepReadonly,
  inQuotaScope,
  type KubeObject,
  Quantity,
  quotaUsageOf,
} from '@windlass/apimachinery';
import type { ResourceQuota, ResourceQuotaStatus } from '@windlass/apimachinery/api/core/v1';

export type ReadonlyQuota = Cached<ResourceQuota>;

export const PODS: CountedResource = Object.freeze({ group: '', plural: 'pods' });
export const SERVICES: CountedResource = Object.freeze({ group: '', plural: 'services' });
export const CLAIMS: CountedResource = Object.freeze({ group: '', plural: 'persistentvolumeclaims' });

export const RESOURCE_CLAIMS: CountedResource = Object.freeze({
  group: 'resource.k8s.io',
  plural: 'resourceclaims',
});

/** Those that count for more than their number. */
const MEASURED: readonly CountedResource[] = [PODS, SERVICES, CLAIMS, RESOURCE_CLAIMS];
const LEGACY: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'replicationcontrollers',
  'resourcequotas',
]);

/** The resource that a name in a quota speaks of; undefined for a name that nobody counts. */
export function resourceCountedBy(name: string): CountedResource | undefined {
  const measured = MEASURED.find((resource) => countsOnly(resource, name));
  if (measured !== undefined) return measured;
  if (LEGACY.has(name)) return { group: '', plural: name };
  const match = /^count\/([^.]+)(?:\.(.+))?$/.exec(name);
  return match === null ? undefined : { plural: match[1] ?? '', group: match[2] ?? '' };
}

/** All that the quota limits, each once. */
export function resourcesOf({ spec }: ReadonlyQuota): CountedResource[] {
  const found = new Map<string, CountedResource>();
  for (const name of Object.keys(spec?.hard ?? {})) {
    const resource = resourceCountedBy(name);
    if (resource !== undefined) found.set(countNameOf(resource), resource);
  }
  return [...found.values()];
}

/**
 * What there is, counted. What could not be counted now stays as it was, and what the quota no longer limits
 * goes.
 */
export function quotaStatus(
  quota: ReadonlyQuota,
  counted: readonly {
    readonly resource: CountedResource;
    readonly objects: readonly Cached<KubeObject>[];
  }[],
  now: number,
): ResourceQuotaStatus {
  const hard = { ...quota.spec?.hard };
  const used = new Map<string, Quantity>();
  for (const { resource, objects } of counted) {
    const names = Object.keys(hard).filter((name) => isNameOf(resource, name));
    for (const name of names) used.set(name, Quantity.zero);
    for (const object of objects) {
      if (!inQuotaScope(quota, resource, object)) continue;
      const usage = quotaUsageOf(resource, object, now);
      for (const name of names) {
        const amount = usage.get(name);
        if (amount !== undefined) used.set(name, (used.get(name) ?? Quantity.zero).add(amount));
      }
    }
  }
  const result: Record<string, string> = {};
  for (const name of Object.keys(hard)) {
    const amount = used.get(name)?.toString() ?? quota.status?.used?.[name];
    if (amount !== undefined) result[name] = amount;
  }
  return { hard, used: result };
}

function isNameOf(resource: CountedResource, name: string): boolean {
  const of = resourceCountedBy(name);
  return of !== undefined && countNameOf(of) === countNameOf(resource);
}

/** Whether there is nothing to write. `1000m` is `1`. */
export function isSameStatus(
  old: DeepReadonly<ResourceQuotaStatus> | undefined,
  next: DeepReadonly<ResourceQuotaStatus>,
): boolean {
  return old?.used !== undefined && isSameList(old.hard, next.hard) && isSameList(old.used, next.used);
}

type Amounts = Readonly<Record<string, string>> | undefined;

function isSameList(a: Amounts = {}, b: Amounts = {}): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const other = b[name];
      return other !== undefined && Quantity.from(a[name] ?? '0').equals(Quantity.from(other));
    })
  );
}
