import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import {
  type FilterPlugin,
  type FilterState,
  MAX_SCORE,
  rejects,
  type ScorePlugin,
} from '../framework/plugin.ts';
import {
  countMatching,
  defaultConstraints,
  isCounted,
  type SpreadConstraint,
  spreadConstraints,
} from './spread-constraint.ts';

const NAME = 'PodTopologySpread';
const MISMATCH = "node(s) didn't match pod topology spread constraints";

/** For each constraint, how many matching pods each domain has. */
class SpreadState implements FilterState {
  readonly constraints: readonly SpreadConstraint[];
  readonly domains: readonly Map<string, number>[];
  readonly #pod: PodInfo;

  constructor(
    pod: PodInfo,
    constraints: readonly SpreadConstraint[],
    domains: readonly Map<string, number>[],
  ) {
    this.#pod = pod;
    this.constraints = constraints;
    this.domains = domains;
  }

  clone(): SpreadState {
    return new SpreadState(
      this.#pod,
      this.constraints,
      this.domains.map((counts) => new Map(counts)),
    );
  }

  change(other: PodInfo, node: NodeInfo, by: 1 | -1): void {
    if (other.isTerminating || other.namespace !== this.#pod.namespace) return;
    if (!hasAllKeys(this.constraints, node)) return;
    for (const [index, constraint] of this.constraints.entries()) {
      const value = node.labels[constraint.topologyKey];
      const counts = this.domains[index];
      if (value === undefined || counts === undefined) continue;
      if (constraint.matches(other.labels) && isCounted(constraint, this.#pod, node))
        counts.set(value, (counts.get(value) ?? 0) + by);
    }
  }
}

export const podTopologySpread: FilterPlugin & ScorePlugin = {
  name: NAME,
  events: [
    'NodeAdd',
    'NodeLabel',
    'NodeTaint',
    'AssignedPodAdd',
    'AssignedPodUpdate',
    'AssignedPodDelete',
    'PodUpdate',
  ],
  weight: 2,

  preFilter(pod, view) {
    const constraints = spreadConstraints(pod.pod, 'DoNotSchedule');
    if (constraints.length === 0) return { kind: 'skip' };
    const domains = constraints.map(() => new Map<string, number>());
    for (const node of view.nodes()) {
      // A node counts for none of them unless it has the labels for all.
      if (!hasAllKeys(constraints, node)) continue;
      for (const [index, constraint] of constraints.entries()) {
        const value = node.labels[constraint.topologyKey];
        const counts = domains[index];
        if (value === undefined || counts === undefined || !isCounted(constraint, pod, node)) continue;
        if (!counts.has(value)) counts.set(value, 0);
      }
    }
    for (const [index, constraint] of constraints.entries()) {
      const counts = domains[index];
      for (const [value, count] of countMatching(constraint, pod, view, (node) =>
        hasAllKeys(constraints, node),
      ))
        counts?.set(value, count);
    }
    return { kind: 'state', state: new SpreadState(pod, constraints, domains) };
  },

  filter(pod, { labels }, state) {
    if (!(state instanceof SpreadState)) return undefined;
    for (const [index, constraint] of state.constraints.entries()) {
      const value = labels[constraint.topologyKey];
      if (value === undefined) return rejects(NAME, `${MISMATCH} (missing required label)`, true);
      const counts = state.domains[index] ?? new Map<string, number>();
      // With too few domains the least is taken to be none, so that new ones are waited for.
      const least = counts.size < constraint.minDomains ? 0 : Math.min(...counts.values());
      const self = constraint.matches(pod.labels) ? 1 : 0;
      if ((counts.get(value) ?? 0) + self - least > constraint.maxSkew) return rejects(NAME, MISMATCH);
    }
    return undefined;
  },

  score(pod, nodes, view) {
    const isDefault = (pod.pod.spec?.topologySpreadConstraints ?? []).length === 0;
    const selector = isDefault ? view.defaultSpreadSelectorOf(pod) : undefined;
    const constraints =
      selector === undefined ? spreadConstraints(pod.pod, 'ScheduleAnyway') : defaultConstraints(selector);
    if (constraints.length === 0) return undefined;
    const totals = constraints.map((constraint) => {
      const domains = new Set<string>();
      for (const { labels } of nodes) {
        const value = labels[constraint.topologyKey];
        if (value !== undefined) domains.add(value);
      }
      const counts =
        domains.size === 0 ? new Map<string, number>() : countMatching(constraint, pod, view, () => true);
      // The more domains there are, the more a difference of one pod counts.
      return { constraint, counts, weight: Math.log(domains.size + 2) };
    });
    const raw = nodes.map((node) => {
      if (!isDefault && !hasAllKeys(constraints, node)) return undefined;
      return Math.round(
        totals.reduce((total, { constraint, counts, weight }) => {
          const value = node.labels[constraint.topologyKey];
          if (value === undefined) return total;
          const count = counts.get(value) ?? 0;
          return total + count * weight + (constraint.maxSkew - 1);
        }, 0),
      );
    });
    const known = raw.filter((score) => score !== undefined);
    if (known.length === 0) return undefined;
    const greatest = Math.max(...known);
    const least = Math.min(...known);
    // Fewer pods are better; a node without the labels is worst.
    return raw.map((score) => {
      if (score === undefined) return 0;
      return greatest === 0 ? MAX_SCORE : Math.floor((MAX_SCORE * (greatest + least - score)) / greatest);
    });
  },
};

function hasAllKeys(constraints: readonly SpreadConstraint[], { labels }: NodeInfo): boolean {
  return constraints.every(({ topologyKey }) => labels[topologyKey] !== undefined);
}
