// Hints for proxies: which zones, or nodes, an endpoint is for.
import type { DeepReadonly } from '@windlass/apimachinery';
import type { Endpoint } from '@windlass/apimachinery/api/discovery/v1';
import { annotationsOf } from '../shared/meta.ts';
import { endpointKey } from './endpoint.ts';
import type { ReadonlyService } from './service-pods.ts';
import type { ZoneShares } from './zone-shares.ts';

/**
 * No endpoint should get more than a fifth above its share of the traffic. It is a goal and no promise: what a zone
 * has too much is given away in whole endpoints, so the zones that lack some may end up short of their least number.
 */
const OVERLOAD_THRESHOLD = 0.2;
const CLOSE: ReadonlySet<string> = new Set(['PreferClose', 'PreferSameZone', 'PreferSameNode']);

/** The older way to ask for hints, which goes before the newer one. */
export function wantsZoneShares(service: ReadonlyService): boolean {
  const annotations = annotationsOf(service);
  const mode =
    annotations['service.kubernetes.io/topology-aware-hints'] ??
    annotations['service.kubernetes.io/topology-mode'];
  return mode === 'Auto' || mode === 'auto';
}

/** By the service's traffic distribution: each endpoint is for where it is. */
export function closeHints({ spec }: ReadonlyService, endpoint: Endpoint): Endpoint {
  const wish = spec?.trafficDistribution;
  if (wish === undefined || !CLOSE.has(wish) || endpoint.conditions?.ready !== true) return endpoint;
  const { zone, nodeName } = endpoint;
  const hints = {
    ...(zone !== undefined && { forZones: [{ name: zone }] }),
    ...(nodeName !== undefined && wish === 'PreferSameNode' && { forNodes: [{ name: nodeName }] }),
  };
  return Object.keys(hints).length === 0 ? endpoint : { ...endpoint, hints };
}

export type SharedHints =
  /** By their keys, the zone that each is for. */
  | { readonly zones: ReadonlyMap<string, string> }
  /** Why there are none. */
  | { readonly problem: string };

/**
 * Gives every zone as many endpoints as its share of the processors asks for. Those that have a hint keep it
 * where that is possible: each change is written to every node.
 */
export function sharedHints(
  endpoints: readonly DeepReadonly<Endpoint>[],
  previous: ReadonlyMap<string, string>,
  shares: ZoneShares | undefined,
): SharedHints {
  if (shares === undefined)
    return {
      problem: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    };
  const ready = endpoints.filter(({ conditions }) => conditions?.ready === true);
  const counts = `(${ready.length} endpoints, ${shares.size} zones)`;
  if (shares.size > ready.length) return { problem: `Insufficient number of endpoints ${counts}` };
  const allocations = allocate(shares, ready.length);
  if (allocations === undefined)
    return {
      problem: `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counts}`,
    };
  const zones = new Map<string, string>();
  const given = new Map<string, number>();
  const give = (endpoint: DeepReadonly<Endpoint>, zone: string): void => {
    zones.set(endpointKey(endpoint), zone);
    given.set(zone, (given.get(zone) ?? 0) + 1);
  };
  const fresh: DeepReadonly<Endpoint>[] = [];
  for (const endpoint of ready) {
    const zone = previous.get(endpointKey(endpoint));
    const most = zone === undefined ? 0 : (allocations.get(zone)?.maximum ?? 0);
    if (zone !== undefined && (given.get(zone) ?? 0) < most) give(endpoint, zone);
    else fresh.push(endpoint);
  }
  for (const endpoint of fresh) {
    if (!endpoint.zone) return { problem: 'One or more endpoints do not have a zone specified' };
    give(endpoint, endpoint.zone);
  }
  redistribute(fresh, zones, transfers(allocations, given));
  return { zones };
}

interface Allocation {
  readonly maximum: number;
  readonly desired: number;
}

/** Undefined when the least that each zone must have is more than there is. */
function allocate(shares: ZoneShares, count: number): ReadonlyMap<string, Allocation> | undefined {
  const wanted = Array.from(shares, ([zone, share]) => {
    const desired = share * count;
    const minimum = Math.ceil(desired / (1 + OVERLOAD_THRESHOLD));
    return { zone, minimum, desired: Math.max(desired, minimum) };
  });
  const least = wanted.reduce((sum, { minimum }) => sum + minimum, 0);
  if (least > count) return undefined;
  return new Map(
    wanted.map(({ zone, minimum, desired }) => [zone, { desired, maximum: minimum + count - least }]),
  );
}

interface Transfers {
  readonly giving: Map<string, number>;
  readonly receiving: Map<string, number>;
}

/** From the zone with most too many to the one that lacks most, until it is not worth a whole endpoint. */
function transfers(
  allocations: ReadonlyMap<string, Allocation>,
  given: ReadonlyMap<string, number>,
): Transfers {
  const excess = new Map(
    Array.from(allocations, ([zone, { desired }]) => [zone, (given.get(zone) ?? 0) - desired]),
  );
  const [giving, receiving] = [new Map<string, number>(), new Map<string, number>()];
  for (;;) {
    const sorted = [...excess].toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
    const [from, to] = [sorted[0], sorted.at(-1)];
    if (from === undefined || to === undefined) break;
    const [surplus, lack] = [from[1], -to[1]];
    if (surplus < 0.5 || lack < 0.5 || (surplus < 1 && lack < 1)) break;
    giving.set(from[0], (giving.get(from[0]) ?? 0) + 1);
    receiving.set(to[0], (receiving.get(to[0]) ?? 0) + 1);
    excess.set(from[0], surplus - 1).set(to[0], 1 - lack);
  }
  return { giving, receiving };
}

function redistribute(
  endpoints: readonly DeepReadonly<Endpoint>[],
  zones: Map<string, string>,
  { giving, receiving }: Transfers,
): void {
  for (const endpoint of endpoints) {
    const from = endpoint.zone ?? '';
    const left = giving.get(from) ?? 0;
    const [to, wanted] = [...receiving].find(([, count]) => count > 0) ?? [];
    if (to === undefined || wanted === undefined) return;
    if (left === 0) continue;
    zones.set(endpointKey(endpoint), to);
    giving.set(from, left - 1);
    receiving.set(to, wanted - 1);
  }
}
