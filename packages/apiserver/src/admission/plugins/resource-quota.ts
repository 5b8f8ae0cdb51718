import { type DeepReadonly, Quantity } from '@windlass/apimachinery';
import type { ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import { RevisionConflictError } from '../../storage/errors.ts';
import type { Store, StoredObject } from '../../storage/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { inScope, type Usage, usageOf } from '../quota-usage.ts';
import { forbidden } from '../resource-of.ts';

/** Resources of which a quota wants every pod to say how much it takes. */
const MUST_BE_SAID = /^(?:cpu|memory|requests\.(?:cpu|memory)|limits\.(?:cpu|memory))$/;

/**
 * No write takes a namespace beyond its quotas. What it takes is charged to the quota's status at once, by
 * compare-and-swap, so that two writes never both take the last of it. What goes, or was charged for a write
 * that failed afterwards, is given back when the usage is next counted: until a controller does that, each
 * charge counts what is there anew when the quota would otherwise refuse.
 */
export function resourceQuota({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    handles: ({ definition, operation, subresource }) =>
      definition.namespaced && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
    async validate(request) {
      const { items } = await store.list(`//resourcequotas/${request.namespace}/`);
      // Quotas themselves are never refused by a quota, or none could be mended.
      if (items.length === 0 || request.definition.plural === 'resourcequotas') return;
      for (const stored of items) await charge(store, request, stored);
    },
  };
}

async function charge(store: Store, request: AdmissionRequest, first: StoredObject): Promise<void> {
  let stored: StoredObject | undefined = first;
  let counted: Usage | undefined;
  while (stored !== undefined) {
    const quota = stored.object as DeepReadonly<ResourceQuota>;
    const delta = deltaOf(quota, request);
    if (delta.size === 0) return;
    const used: Usage = counted ?? usedOf(quota);
    const problem = problemOf(quota, used, delta, request);
    if (problem !== undefined) {
      if (counted !== undefined || !problem.isExceeded) throw forbidden(request, problem.text);
      counted = await count(store, request, quota);
      continue;
    }
    if (request.context.isDryRun) return;
    try {
      await store.put(stored.key, withUsage(quota, used, delta), stored.revision);
      return;
    } catch (error) {
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
): Usage {
  const delta: Usage = new Map();
  if (object === undefined || !inScope(quota, definition, object)) return delta;
  const hard = quota.spec?.hard ?? {};
  const before = oldObject === undefined ? new Map<string, Quantity>() : usageOf(definition, oldObject);
  for (const [name, amount] of usageOf(definition, object)) {
    if (!Object.hasOwn(hard, name)) continue;
    const more = amount.sub(before.get(name) ?? Quantity.zero);
    if (more.sign > 0) delta.set(name, more);
  }
  if (definition.plural === 'pods' && definition.group === '' && oldObject === undefined) {
    for (const name of Object.keys(hard))
      if (MUST_BE_SAID.test(name) && !delta.has(name)) delta.set(name, Quantity.zero);
  }
  return delta;
}

function usedOf({ spec, status }: DeepReadonly<ResourceQuota>): Usage {
  return new Map(
    Object.keys(spec?.hard ?? {}).map((name) => [name, Quantity.from(status?.used?.[name] ?? '0')]),
  );
}

async function count(
  store: Store,
  { definition, namespace }: AdmissionRequest,
  quota: DeepReadonly<ResourceQuota>,
): Promise<Usage> {
  const used = usedOf(quota);
  const { items } = await store.list(
    `/${definition.storage.group}/${definition.storage.plural}/${namespace}/`,
  );
  const actual: Usage = new Map();
  for (const { object } of items) {
    if (!inScope(quota, definition, object)) continue;
    for (const [name, amount] of usageOf(definition, object))
      actual.set(name, (actual.get(name) ?? Quantity.zero).add(amount));
  }
  const own = new Set(actual.keys());
  for (const name of own) if (used.has(name)) used.set(name, actual.get(name) ?? Quantity.zero);
  if (items.length === 0)
    for (const name of used.keys()) if (isOf(definition.plural, name)) used.set(name, Quantity.zero);
  return used;
}

/** Whether a name of a quota counts objects of this resource alone. */
function isOf(plural: string, name: string): boolean {
  return (
    name === plural || name.startsWith(`count/${plural}`) || (plural === 'pods' && MUST_BE_SAID.test(name))
  );
}

function problemOf(
  { metadata, spec }: DeepReadonly<ResourceQuota>,
  used: Usage,
  delta: Usage,
  { definition, operation, object }: AdmissionRequest,
): { readonly text: string; readonly isExceeded: boolean } | undefined {
  const hard = spec?.hard ?? {};
  const name = metadata?.name ?? '';
  if (definition.plural === 'pods' && operation === 'CREATE' && object !== undefined) {
    const said = usageOf(definition, object);
    const unsaid = Object.keys(hard).filter((resource) => MUST_BE_SAID.test(resource) && !said.has(resource));
    if (unsaid.length > 0)
      return { text: `failed quota: ${name}: must specify ${unsaid.join(' for: ')}`, isExceeded: false };
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
  used: Usage,
  delta: Usage,
): DeepReadonly<ResourceQuota> {
  const next: Record<string, string> = {};
  for (const [name, amount] of used) next[name] = String(amount.add(delta.get(name) ?? Quantity.zero));
  return { ...quota, status: { hard: { ...quota.spec?.hard }, ...quota.status, used: next } };
}
