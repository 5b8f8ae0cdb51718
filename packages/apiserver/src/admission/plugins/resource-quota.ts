import {
  type DeepReadonly,
  inQuotaScope,
  Quantity,
  type QuotaUsage,
  quotaUsageOf,
} from '@windlass/apimachinery';
import { type Pod, ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import { RevisionConflictError } from '../../storage/errors.ts';
import type { Store, StoredObject } from '../../storage/store.ts';
import { kindPrefix, objectOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { mustBeSaid, unsaidBy } from '../quota-constraints.ts';
import { QuotaCounter } from '../quota-counter.ts';
import { forbidden } from '../request-kind.ts';

/** A pod that should be gone by now counts before a write as it does after it, so that it need not be told. */
const ANY_TIME = 0;

/**
 * No write takes a namespace beyond its quotas. What it takes is charged to the quota's status at once, by
 * compare-and-swap, so that two writes never both take the last of it. What goes is given back when the usage
 * is next counted: until a controller does that, it is counted anew before a quota refuses.
 */
export function resourceQuota({ store, clock }: QuotaOptions): AdmissionPlugin {
  const counter = new QuotaCounter(store, clock);
  return {
    name: 'ResourceQuota',
    handles: ({ definition, operation, subresource }) =>
      definition.namespaced && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
    async validate(request) {
      const { items } = await store.list(kindPrefix(ResourceQuota, request.namespace));
      // Quotas themselves are never refused by a quota, or none could be mended.
      if (items.length === 0 || request.definition.plural === 'resourcequotas') return;
      for (const stored of items) await charge(store, counter, request, stored);
    },
  };
}

export interface QuotaOptions {
  readonly store: Store;
  readonly clock: Clock;
}

async function charge(
  store: Store,
  counter: QuotaCounter,
  request: AdmissionRequest,
  first: StoredObject,
): Promise<void> {
  let stored: StoredObject | undefined = first;
  let counted: QuotaUsage | undefined;
  while (stored !== undefined) {
    const { key } = stored;
    const quota = objectOfKind(ResourceQuota, stored);
    const delta = deltaOf(quota, request);
    if (delta.size === 0) return;
    const isKnown = [...delta.keys()].every((name) => quota.status?.used?.[name] !== undefined);
    if (!isKnown) counted ??= await counter.count(key, quota, request);
    const used: QuotaUsage = counted ?? usedOf(quota);
    const problem = problemOf(quota, used, delta, request);
    if (problem !== undefined) {
      if (counted !== undefined || !problem.isExceeded) throw forbidden(request, problem.text);
      counted = await counter.count(key, quota, request);
      continue;
    }
    if (request.context.isDryRun) return;
    // Before the write, which others may overtake: a charge that was not made only makes a count too high.
    counter.charged(key, request, delta);
    try {
      await store.put(key, withUsage(quota, used, delta), stored.revision);
      return;
    } catch (error) {
      counter.uncharged(key, delta);
      if (!(error instanceof RevisionConflictError)) throw error;
      stored = error.current;
      counted = undefined;
    }
  }
}

/** What the write adds to what the quota limits; nothing for what it takes back. */
function deltaOf(
  quota: DeepReadonly<ResourceQuota>,
  { definition, object, oldObject }: AdmissionRequest,
): QuotaUsage {
  const delta: QuotaUsage = new Map();
  if (object === undefined || !inQuotaScope(quota, definition, object)) return delta;
  const hard = quota.spec?.hard ?? {};
  const before =
    oldObject === undefined ? new Map<string, Quantity>() : quotaUsageOf(definition, oldObject, ANY_TIME);
  for (const [name, amount] of quotaUsageOf(definition, object, ANY_TIME)) {
    if (!Object.hasOwn(hard, name)) continue;
    const more = amount.sub(before.get(name) ?? Quantity.zero);
    if (more.sign > 0) delta.set(name, more);
  }
  if (definition.plural === 'pods' && definition.group === '' && oldObject === undefined) {
    for (const name of Object.keys(hard))
      if (mustBeSaid(name) && !delta.has(name)) delta.set(name, Quantity.zero);
  }
  return delta;
}

function usedOf({ spec, status }: DeepReadonly<ResourceQuota>): QuotaUsage {
  return new Map(
    Object.keys(spec?.hard ?? {}).map((name) => [name, Quantity.from(status?.used?.[name] ?? '0')]),
  );
}

function problemOf(
  { metadata, spec }: DeepReadonly<ResourceQuota>,
  used: QuotaUsage,
  delta: QuotaUsage,
  { definition, operation, object }: AdmissionRequest,
): { readonly text: string; readonly isExceeded: boolean } | undefined {
  const hard = spec?.hard ?? {};
  const name = metadata?.name ?? '';
  if (definition.plural === 'pods' && operation === 'CREATE' && object !== undefined) {
    // The condition above says what it is.
    const { spec: podSpec } = object as DeepReadonly<Pod>;
    const unsaid = podSpec === undefined ? [] : unsaidBy(podSpec, Object.keys(hard));
    if (unsaid.length > 0)
      return { text: `failed quota: ${name}: must specify ${unsaid.join('; ')}`, isExceeded: false };
  }
  const over = [...delta].filter(
    ([resource, more]) =>
      (used.get(resource) ?? Quantity.zero).add(more).compare(Quantity.from(hard[resource] ?? '0')) > 0,
  );
  if (over.length === 0) return undefined;
  const list = (value: (resource: string, more: Quantity) => unknown): string =>
    over
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource, more]) => `${resource}=${String(value(resource, more))}`)
      .join(',');
  const text = `exceeded quota: ${name}, requested: ${list((_, more) => more)}, used: ${list((resource) => used.get(resource) ?? '0')}, limited: ${list((resource) => hard[resource])}`;
  return { text, isExceeded: true };
}

function withUsage(
  quota: DeepReadonly<ResourceQuota>,
  used: QuotaUsage,
  delta: QuotaUsage,
): DeepReadonly<ResourceQuota> {
  const next: Record<string, string> = {};
  for (const [name, amount] of used) next[name] = String(amount.add(delta.get(name) ?? Quantity.zero));
  return { ...quota, status: { hard: { ...quota.spec?.hard }, ...quota.status, used: next } };
}
