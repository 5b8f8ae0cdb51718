import { type AffinityTerm, type NamespaceLabels, termMatches } from '../cache/affinity-term.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import {
  type ClusterView,
  type FilterPlugin,
  type FilterState,
  MAX_SCORE,
  rejects,
  type ScorePlugin,
} from '../framework/plugin.ts';
import { TopologyCounts } from './topology-counts.ts';

const NAME = 'InterPodAffinity';
/** What an existing pod's required affinity to the new pod counts in scores. */
const HARD_WEIGHT = 1;

/** Who is where, as far as it matters to one pod. */
class AffinityState implements FilterState {
  readonly #pod: PodInfo;
  readonly #labelsOf: NamespaceLabels;
  /** Places of pods whose anti-affinity the new pod would break. */
  readonly existingAnti: TopologyCounts;
  /** Places of pods that all of the pod's affinity terms match. */
  readonly affinity: TopologyCounts;
  /** Places of pods that one of the pod's anti-affinity terms matches. */
  readonly anti: TopologyCounts;

  constructor(
    pod: PodInfo,
    labelsOf: NamespaceLabels,
    counts: readonly [TopologyCounts, TopologyCounts, TopologyCounts],
  ) {
    this.#pod = pod;
    this.#labelsOf = labelsOf;
    [this.existingAnti, this.affinity, this.anti] = counts;
  }

  clone(): AffinityState {
    return new AffinityState(this.#pod, this.#labelsOf, [
      this.existingAnti.clone(),
      this.affinity.clone(),
      this.anti.clone(),
    ]);
  }

  change(other: PodInfo, { labels }: NodeInfo, by: 1 | -1): void {
    const pod = this.#pod;
    const count = (counts: TopologyCounts, { topologyKey }: AffinityTerm): void => {
      const value = labels[topologyKey];
      if (value !== undefined) counts.add(topologyKey, value, by);
    };
    for (const term of other.requiredAntiAffinity)
      if (termMatches(term, pod.pod, this.#labelsOf)) count(this.existingAnti, term);
    if (pod.requiredAffinity.length > 0 && this.#matchesAll(other))
      for (const term of pod.requiredAffinity) count(this.affinity, term);
    for (const term of pod.requiredAntiAffinity)
      if (termMatches(term, other.pod, this.#labelsOf)) count(this.anti, term);
  }

  /** The first pod of a group that wants to be together has nobody to join. */
  get isFirstOfItsGroup(): boolean {
    return this.affinity.isEmpty && this.#matchesAll(this.#pod);
  }

  #matchesAll(other: PodInfo): boolean {
    return this.#pod.requiredAffinity.every((term) => termMatches(term, other.pod, this.#labelsOf));
  }
}

export const interPodAffinity: FilterPlugin & ScorePlugin = {
  name: NAME,
  events: [
    'NodeAdd',
    'NodeLabel',
    'AssignedPodAdd',
    'AssignedPodUpdate',
    'AssignedPodDelete',
    'NamespaceUpdate',
    'PodUpdate',
  ],
  weight: 2,

  preFilter(pod, view) {
    const state = new AffinityState(pod, view.namespaceLabels, [
      new TopologyCounts(),
      new TopologyCounts(),
      new TopologyCounts(),
    ]);
    const isInterested = pod.requiredAffinity.length > 0 || pod.requiredAntiAffinity.length > 0;
    for (const node of isInterested ? view.nodes() : view.nodesWithAffinity())
      for (const other of isInterested ? node.pods() : node.podsWithAffinity()) state.change(other, node, 1);
    if (!isInterested && state.existingAnti.isEmpty) return { kind: 'skip' };
    return { kind: 'state', state };
  },

  filter(pod, { labels }, state) {
    if (!(state instanceof AffinityState)) return undefined;
    const isMissing = ({ topologyKey }: AffinityTerm): boolean => {
      const value = labels[topologyKey];
      return value === undefined || state.affinity.get(topologyKey, value) <= 0;
    };
    if (pod.requiredAffinity.some(isMissing)) {
      const hasKeys = pod.requiredAffinity.every(({ topologyKey }) => labels[topologyKey] !== undefined);
      if (!(hasKeys && state.isFirstOfItsGroup))
        return rejects(NAME, "node(s) didn't match pod affinity rules", true);
    }
    if (
      pod.requiredAntiAffinity.some(({ topologyKey }) => {
        const value = labels[topologyKey];
        return value !== undefined && state.anti.get(topologyKey, value) > 0;
      })
    )
      return rejects(NAME, "node(s) didn't match pod anti-affinity rules");
    for (const [key, value] of Object.entries(labels))
      if (state.existingAnti.get(key, value) > 0)
        return rejects(NAME, "node(s) didn't satisfy existing pods anti-affinity rules");
    return undefined;
  },

  score(pod, nodes, view) {
    const counts = preferences(pod, view);
    if (counts.isEmpty) return undefined;
    const raw = nodes.map(({ labels }) =>
      Object.entries(labels).reduce((total, [key, value]) => total + counts.get(key, value), 0),
    );
    const least = Math.min(...raw);
    const range = Math.max(...raw) - least;
    return raw.map((score) => (range === 0 ? 0 : Math.floor((MAX_SCORE * (score - least)) / range)));
  },
};

/** The weights of all wishes, of this pod and of those that run, in each place. */
function preferences(pod: PodInfo, view: ClusterView): TopologyCounts {
  const counts = new TopologyCounts();
  const hasWishes = pod.preferredAffinity.length > 0 || pod.preferredAntiAffinity.length > 0;
  const labelsOf = view.namespaceLabels;
  for (const node of hasWishes ? view.nodes() : view.nodesWithAffinity()) {
    const { labels } = node;
    const add = ({ topologyKey }: AffinityTerm, weight: number): void => {
      const value = labels[topologyKey];
      if (value !== undefined) counts.add(topologyKey, value, weight);
    };
    for (const other of hasWishes ? node.pods() : node.podsWithAffinity()) {
      for (const term of pod.preferredAffinity)
        if (termMatches(term, other.pod, labelsOf)) add(term, term.weight);
      for (const term of pod.preferredAntiAffinity)
        if (termMatches(term, other.pod, labelsOf)) add(term, -term.weight);
      for (const term of other.requiredAffinity)
        if (termMatches(term, pod.pod, labelsOf)) add(term, HARD_WEIGHT);
      for (const term of other.preferredAffinity)
        if (termMatches(term, pod.pod, labelsOf)) add(term, term.weight);
      for (const term of other.preferredAntiAffinity)
        if (termMatches(term, pod.pod, labelsOf)) add(term, -term.weight);
    }
  }
  return counts;
}
