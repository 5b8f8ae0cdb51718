import type { NodeLifecycleOptions } from '../options/node-lifecycle-options.ts';
import { labelsOf } from '../shared/meta.ts';
import type { ReadonlyNode } from './node-taints.ts';

/** Region and zone; nodes that name neither are in one zone. */
export function zoneOf(node: ReadonlyNode): string {
  const labels = labelsOf(node);
  const either = (...keys: string[]): string => keys.map((key) => labels[key]).find(Boolean) ?? '';
  const zone = either('failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone');
  const region = either('failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region');
  return region === '' && zone === '' ? '' : `${region}/${zone}`;
}

const EXCLUDED = 'node.kubernetes.io/exclude-disruption';

/** Whether the node says nothing about its zone. */
export const isExcluded = (node: ReadonlyNode): boolean => EXCLUDED in labelsOf(node);

export interface ZoneCount {
  readonly ready: number;
  readonly notReady: number;
}

export type ZoneState = 'Normal' | 'PartialDisruption' | 'FullDisruption';
type Thresholds = Required<
  Pick<
    NodeLifecycleOptions,
    'unhealthyThreshold' | 'evictionRate' | 'secondaryEvictionRate' | 'largeZoneSize'
  >
>;

/** Two that are down are two; from three on a share is a sign that something else is wrong. */
export function zoneState({ ready, notReady }: ZoneCount, { unhealthyThreshold }: Thresholds): ZoneState {
  if (ready === 0 && notReady > 0) return 'FullDisruption';
  if (notReady > 2 && notReady / (notReady + ready) >= unhealthyThreshold) return 'PartialDisruption';
  return 'Normal';
}

function rateOf(state: ZoneState, { ready, notReady }: ZoneCount, thresholds: Thresholds): number {
  const { evictionRate, secondaryEvictionRate, largeZoneSize } = thresholds;
  if (state !== 'PartialDisruption') return evictionRate;
  return ready + notReady > largeZoneSize ? secondaryEvictionRate : 0;
}

export interface Disruption {
  /** All zones are down: it is rather this process that is cut off, and no pod shall be moved. */
  readonly isTotal: boolean;
  readonly states: ReadonlyMap<string, ZoneState>;
  /** Nodes a second. */
  readonly rates: ReadonlyMap<string, number>;
}

export function judgeZones(counts: ReadonlyMap<string, ZoneCount>, thresholds: Thresholds): Disruption {
  const states = new Map(Array.from(counts, ([zone, count]) => [zone, zoneState(count, thresholds)]));
  const isTotal = states.size > 0 && states.values().every((state) => state === 'FullDisruption');
  const rates = new Map(
    Array.from(counts, ([zone, count]) => [
      zone,
      isTotal ? 0 : rateOf(states.get(zone) ?? 'Normal', count, thresholds),
    ]),
  );
  return { isTotal, states, rates };
}
