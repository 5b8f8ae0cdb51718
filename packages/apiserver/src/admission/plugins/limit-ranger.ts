import { type DeepReadonly, podRequests, Quantity } from '@windlass/apimachinery';
import {
  LimitRange,
  type LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from '@windlass/apimachinery/api/core/v1';
import { appendAll } from '@windlass/base';
import type { Store } from '../../storage/store.ts';
import { listOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbidden, isOf, isOfKind, objectOf } from '../request-kind.ts';

type Amounts = Readonly<Record<string, string | number>>;
type Item = DeepReadonly<LimitRangeItem>;

/** Containers get the namespace's default requests and limits; pods and claims stay within its bounds. */
export function limitRanger({ store }: { readonly store: Store }): AdmissionPlugin {
  const itemsOf = async (namespace: string): Promise<Item[]> => {
    const ranges = await listOfKind(store, LimitRange, namespace);
    return ranges.flatMap(({ spec }) => spec?.limits ?? []);
  };
  return {
    name: 'LimitRanger',
    handles: (request) =>
      isOf(request, Pod, ['CREATE']) || isOf(request, PersistentVolumeClaim, ['CREATE', 'UPDATE']),
    async mutate(request) {
      if (!isOfKind(request, Pod)) return;
      const pod = objectOf(request, Pod);
      for (const item of await itemsOf(request.namespace))
        if (item.type === 'Container') setDefaults(pod, item);
    },
    async validate(request) {
      const problems: string[] = [];
      for (const item of await itemsOf(request.namespace)) appendAll(problems, problemsOf(request, item));
      if (problems.length === 1) throw forbidden(request, problems[0] ?? '');
      if (problems.length > 1) throw forbidden(request, `[${problems.join(', ')}]`);
    },
  };
}

function setDefaults({ spec }: Pod, { default: limits, defaultRequest: requests }: Item): void {
  for (const container of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    const resources = (container.resources ??= {});
    if (limits !== undefined) resources.limits = { ...limits, ...resources.limits };
    // A limit that the container gave itself is its request too, before any default.
    if (requests !== undefined) resources.requests = { ...requests, ...resources.requests };
  }
}

function problemsOf(request: AdmissionRequest, item: Item): string[] {
  if (isOfKind(request, PersistentVolumeClaim)) {
    if (item.type !== 'PersistentVolumeClaim') return [];
    const requests = objectOf(request, PersistentVolumeClaim).spec?.resources?.requests ?? {};
    return [...tooSmall(item, requests, requests), ...tooLarge(item, requests, requests)];
  }
  const { spec } = objectOf(request, Pod);
  if (item.type === 'Pod') {
    const requests = podRequests(spec, 'requests');
    const limits = podRequests(spec, 'limits');
    return [
      ...tooSmall(item, requests, limits),
      ...tooLarge(item, requests, limits),
      ...ratio(item, requests, limits),
    ];
  }
  if (item.type !== 'Container') return [];
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap(({ resources }) => {
    const requests = resources?.requests ?? {};
    const limits = resources?.limits ?? {};
    return [
      ...tooSmall(item, requests, limits),
      ...tooLarge(item, requests, limits),
      ...ratio(item, requests, limits),
    ];
  });
}

function tooSmall({ type, min }: Item, requests: Amounts, limits: Amounts): string[] {
  return Object.entries(min ?? {}).flatMap(([resource, bound]) => {
    const request = requests[resource];
    const least = `minimum ${resource} usage per ${type} is ${bound}`;
    if (request === undefined) return [`${least}.  No request is specified`];
    const problems: string[] = [];
    if (less(request, bound)) problems.push(`${least}, but request is ${request}`);
    const limit = limits[resource];
    if (limit !== undefined && limits !== requests && less(limit, bound))
      problems.push(`${least}, but limit is ${limit}`);
    return problems;
  });
}

function tooLarge({ type, max }: Item, requests: Amounts, limits: Amounts): string[] {
  return Object.entries(max ?? {}).flatMap(([resource, bound]) => {
    const most = `maximum ${resource} usage per ${type} is ${bound}`;
    const limit = limits[resource];
    if (limit === undefined) return [`${most}.  No limit is specified`];
    const problems: string[] = [];
    if (less(bound, limit))
      problems.push(`${most}, but ${limits === requests ? 'request' : 'limit'} is ${limit}`);
    const request = requests[resource];
    if (limits !== requests && request !== undefined && less(bound, request))
      problems.push(`${most}, but request is ${request}`);
    return problems;
  });
}

function ratio({ type, maxLimitRequestRatio }: Item, requests: Amounts, limits: Amounts): string[] {
  return Object.entries(maxLimitRequestRatio ?? {}).flatMap(([resource, bound]) => {
    const most = `${resource} max limit to request ratio per ${type} is ${bound}`;
    const request = Quantity.from(requests[resource] ?? '0');
    const limit = limits[resource];
    if (request.isZero || limit === undefined)
      return [`${most}, but no request is specified or request is 0`];
    const actual = Quantity.from(limit).asNumber() / request.asNumber();
    return actual > Quantity.from(bound).asNumber()
      ? [`${most}, but provided ratio is ${actual.toFixed(6)}`]
      : [];
  });
}

function less(a: string | number, b: string | number): boolean {
  return Quantity.from(a).compare(Quantity.from(b)) < 0;
}
