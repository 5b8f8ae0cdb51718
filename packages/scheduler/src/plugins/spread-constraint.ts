import {
  type Cached,
  type DeepReadonly,
  LabelRequirement,
  matchesNode,
  type Selector,
  selectorFromObject,
  untoleratedTaint,
} from '@windlass/apimachinery';
import type { Pod, TopologySpreadConstraint } from '@windlass/apimachinery/api/core/v1';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ClusterView } from '../framework/plugin.ts';

/** A constraint, ready to count pods. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
  matches(labels: Readonly<Record<string, string>>): boolean;
}

export function spreadConstraints(
  pod: Cached<Pod>,
  when: 'DoNotSchedule' | 'ScheduleAnyway',
): SpreadConstraint[] {
  return (pod.spec?.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when)
    .map((constraint) => spreadConstraint(pod, constraint));
}

/** Pods that say nothing about it are spread over nodes and zones all the same, as far as it costs nothing. */
export function defaultConstraints(like: Selector): SpreadConstraint[] {
  const common = { minDomains: 1, honorsAffinity: true, honorsTaints: false };
  return [
    {
      ...common,
      topologyKey: 'kubernetes.io/hostname',
      maxSkew: 3,
      matches: (labels) => like.matches(labels),
    },
    {
      ...common,
      topologyKey: 'topology.kubernetes.io/zone',
      maxSkew: 5,
      matches: (labels) => like.matches(labels),
    },
  ];
}

function spreadConstraint(
  pod: Cached<Pod>,
  constraint: DeepReadonly<TopologySpreadConstraint>,
): SpreadConstraint {
  const selector: Selector = selectorFromObject(constraint.labelSelector);
  const labels = pod.metadata?.labels ?? {};
  const own = (constraint.matchLabelKeys ?? []).flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [LabelRequirement.unchecked(key, 'in', [value])];
  });
  return {
    topologyKey: constraint.topologyKey,
    maxSkew: constraint.maxSkew,
    minDomains: constraint.minDomains ?? 1,
    honorsAffinity: constraint.nodeAffinityPolicy !== 'Ignore',
    honorsTaints: constraint.nodeTaintsPolicy === 'Honor',
    matches: (others) => selector.matches(others) && own.every((requirement) => requirement.matches(others)),
  };
}

/** Whether pods on this node count for the constraint. */
export function isCounted(constraint: SpreadConstraint, { pod }: PodInfo, { node }: NodeInfo): boolean {
  if (node === undefined) return false;
  if (constraint.honorsAffinity && !matchesNode(pod, node)) return false;
  return (
    !constraint.honorsTaints ||
    untoleratedTaint(node.spec?.taints ?? [], pod.spec?.tolerations ?? []) === undefined
  );
}

/**
 * Adds up the pods of the same namespace that the constraint selects, in the domains that are looked at. Those that are
 * going do not count. It costs a look at the nodes that have such pods, and not at the others.
 */
export function countMatching(
  constraint: SpreadConstraint,
  pod: PodInfo,
  view: ClusterView,
  countsIn: (node: NodeInfo) => boolean,
): Map<string, number> {
  const domains = new Map<string, number>();
  for (const { labels, counts } of view.podGroups(pod.namespace)) {
    if (!constraint.matches(labels)) continue;
    for (const [node, count] of counts) {
      const value = node.labels[constraint.topologyKey];
      if (value === undefined || !countsIn(node) || !isCounted(constraint, pod, node)) continue;
      domains.set(value, (domains.get(value) ?? 0) + count);
    }
  }
  return domains;
}
