import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { type FilterPlugin, MAX_SCORE, type ScorePlugin } from '../framework/plugin.ts';

/** A resource that a node does not have enough of. */
export interface Shortage {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** Everything that is missing, `pods` first; a pod that asks for nothing of a resource never lacks it. */
export function shortages(pod: PodInfo, node: NodeInfo): Shortage[] {
  const found: Shortage[] = [];
  const capacity = node.allocatable.get('pods') ?? 0;
  if (node.podCount + 1 > capacity)
    found.push({ resource: 'pods', requested: 1, used: node.podCount, capacity });
  for (const [resource, requested] of pod.requests) {
    if (requested === 0) continue;
    const has = node.allocatable.get(resource) ?? 0;
    const used = node.requested.get(resource) ?? 0;
    if (requested > has - used) found.push({ resource, requested, used, capacity: has });
  }
  return found;
}

/** Whether there are no shortages: most nodes have none, and a pod looks at hundreds. */
function hasRoom(pod: PodInfo, node: NodeInfo): boolean {
  const { allocatable, requested } = node;
  if (node.podCount + 1 > (allocatable.get('pods') ?? 0)) return false;
  for (const [resource, wanted] of pod.requests)
    if (wanted > 0 && wanted > (allocatable.get(resource) ?? 0) - (requested.get(resource) ?? 0))
      return false;
  return true;
}

/** LeastAllocated: the emptier of CPU and memory, the better. */
export const nodeResourcesFit: FilterPlugin & ScorePlugin = {
  name: 'NodeResourcesFit',
  events: ['NodeAdd', 'NodeAllocatable', 'AssignedPodDelete', 'AssignedPodUpdate', 'PodUpdate'],
  weight: 1,
  filter(pod, node) {
    if (hasRoom(pod, node)) return undefined;
    const missing = shortages(pod, node);
    return {
      plugin: 'NodeResourcesFit',
      reasons: missing.map(({ resource }) =>
        resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`,
      ),
      isUnresolvable: missing.some(({ requested, capacity }) => requested > capacity),
    };
  },
  score: (pod, nodes) =>
    nodes.map((node) => {
      let total = 0;
      let count = 0;
      for (const resource of SCORED) {
        const has = node.allocatable.get(resource) ?? 0;
        if (has === 0) continue;
        const used = (node.assumed.get(resource) ?? 0) + (pod.assumed.get(resource) ?? 0);
        total += used > has ? 0 : Math.floor(((has - used) * MAX_SCORE) / has);
        count++;
      }
      return count === 0 ? 0 : Math.floor(total / count);
    }),
};

const SCORED = ['cpu', 'memory'] as const;

/** The more alike the shares of CPU and memory that are taken, the better. */
export const balancedAllocation: ScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  score(pod, nodes) {
    // A pod that asks for nothing does not change the balance.
    if (!SCORED.some((resource) => (pod.requests.get(resource) ?? 0) > 0)) return undefined;
    return nodes.map((node) => {
      const [cpu, memory] = [takenShare(pod, node, 'cpu'), takenShare(pod, node, 'memory')];
      if (cpu === undefined || memory === undefined) return MAX_SCORE;
      // Of two values, the standard deviation is half their distance.
      return Math.floor((1 - Math.abs(cpu - memory) / 2) * MAX_SCORE);
    });
  },
};

function takenShare(pod: PodInfo, node: NodeInfo, resource: string): number | undefined {
  const has = node.allocatable.get(resource) ?? 0;
  if (has === 0) return undefined;
  return Math.min(1, ((node.requested.get(resource) ?? 0) + (pod.requests.get(resource) ?? 0)) / has);
}
