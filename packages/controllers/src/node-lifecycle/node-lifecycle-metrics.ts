import type { Metrics } from '@windlass/base';
import type { ZoneCount } from './zones.ts';

/** What is reported of nodes, under the names of kube-controller-manager, so that dashboards made for it work. */
export interface NodeLifecycleMetrics {
  /** A round is over: what each zone is like. */
  counted(zones: ReadonlyMap<string, ZoneCount>): void;
  /** Pods are moved off a node of this zone. */
  evicted(zone: string): void;
}

export function nodeLifecycleMetrics(metrics: Metrics): NodeLifecycleMetrics {
  const perZone = (name: string, help: string) =>
    metrics.gauge({ name: `node_collector_${name}`, help, labelNames: ['zone'] });
  const size = perZone('zone_size', 'Number of nodes of each zone');
  const health = perZone('zone_health', 'Percentage of nodes of each zone that are ready');
  const unhealthy = perZone('unhealthy_nodes_in_zone', 'Number of nodes of each zone that are not ready');
  const evictions = metrics.counter({
    name: 'node_collector_evictions_total',
    help: 'Number of nodes that pods were moved off, since the process started',
    labelNames: ['zone'],
  });
  const known = new Set<string>();
  return {
    counted(zones) {
      for (const zone of zones.keys()) known.add(zone);
      for (const zone of known) {
        const { ready, notReady } = zones.get(zone) ?? { ready: 0, notReady: 0 };
        const all = ready + notReady;
        size.labels({ zone }).set(all);
        unhealthy.labels({ zone }).set(notReady);
        // A zone without nodes is as well as can be.
        health.labels({ zone }).set(all === 0 ? 100 : (100 * ready) / all);
        if (all === 0) known.delete(zone);
      }
    },
    evicted: (zone) => evictions.labels({ zone }).inc(),
  };
}
