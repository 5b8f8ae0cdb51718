import { type Cached, isConditionTrue, Quantity } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import { labelsOf } from '../shared/meta.ts';

/** Which share of the processors each zone has. */
export type ZoneShares = ReadonlyMap<string, number>;

export const ZONE = 'topology.kubernetes.io/zone';
/** They run no work of users. */
const EXCLUDED = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** Undefined when it cannot be told, or when there are not two zones to choose from. */
export function zoneSharesOf(nodes: readonly Cached<Node>[]): ZoneShares | undefined {
  const byZone = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    const labels = labelsOf(node);
    if (EXCLUDED.some((label) => Object.hasOwn(labels, label))) continue;
    if (!isConditionTrue(node.status?.conditions, 'Ready')) continue;
    const cpu = Quantity.from(node.status?.allocatable?.['cpu'] ?? '0').milliValue();
    const zone = labels[ZONE] ?? '';
    if (zone === '' || cpu === 0) return undefined;
    byZone.set(zone, (byZone.get(zone) ?? 0) + cpu);
    total += cpu;
  }
  if (byZone.size < 2) return undefined;
  return new Map(Array.from(byZone, ([zone, cpu]) => [zone, cpu / total]));
}

/** What `zoneSharesOf` looks at. */
export function zoneFactsOf({ metadata, status }: Cached<Node>): unknown {
  const labels = metadata?.labels ?? {};
  return [
    labels[ZONE],
    EXCLUDED.map((label) => Object.hasOwn(labels, label)),
    isConditionTrue(status?.conditions, 'Ready'),
    status?.allocatable?.['cpu'],
  ];
}
