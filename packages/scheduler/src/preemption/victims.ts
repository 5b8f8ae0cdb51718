import type { Cached } from '@windlass/apimachinery';
import { selectorFromObject } from '@windlass/apimachinery';
import type { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { filterWithNominated } from '../find-node.ts';
import type { PreparedFilters } from '../framework/filters.ts';
import type { Rejection } from '../framework/plugin.ts';
import type { Nominations } from '../queue/nominations.ts';

/** A node that would take the pod if these were gone. */
export interface Candidate {
  readonly node: string;
  /** The most important first. */
  readonly victims: readonly PodInfo[];
  /** How many of them go against a budget. */
  readonly violations: number;
}

/** The more important one comes first: by priority, then by how long it has run. */
export function byImportance(a: PodInfo, b: PodInfo): number {
  return b.priority - a.priority || a.startedAt - b.startedAt || (a.key < b.key ? -1 : 1);
}

/**
 * Finds the least that has to go from a node. All less important pods are taken away first; then one after
 * the other, from the most important, is let back if the pod still fits; those whose end would break a
 * budget have the first chance. Pods that room is being made for already count as they do when a node is looked for:
 * otherwise two that are as important would each wait for the other to leave the room that neither can have.
 */
export function findVictims(
  pod: PodInfo,
  node: NodeInfo,
  filters: PreparedFilters,
  nominations: Nominations,
  budgets: readonly Cached<PodDisruptionBudget>[],
): Candidate | Rejection {
  const trial = node.clone();
  const state = filters.clone();
  const look = (): Rejection | undefined => filterWithNominated(pod, trial, state, nominations);
  const lesser = [...trial.pods()].filter(({ priority }) => priority < pod.priority);
  if (lesser.length === 0)
    return {
      plugin: 'DefaultPreemption',
      reasons: ['No preemption victims found for incoming pod'],
      isUnresolvable: true,
    };
  for (const other of lesser) state.change(other, trial, -1);
  const rejection = look();
  if (rejection !== undefined) return rejection;
  const { violating, rest } = splitByBudgets(lesser.sort(byImportance), budgets);
  const victims: PodInfo[] = [];
  const isVictim = (other: PodInfo): boolean => {
    state.change(other, trial, 1);
    if (look() === undefined) return false;
    state.change(other, trial, -1);
    victims.push(other);
    return true;
  };
  const violations = violating.filter(isVictim).length;
  for (const other of rest) isVictim(other);
  return { node: node.name, victims: victims.sort(byImportance), violations };
}

/** Which pods' ends would break a budget, if they went in this order. */
export function splitByBudgets(
  pods: readonly PodInfo[],
  budgets: readonly Cached<PodDisruptionBudget>[],
): { readonly violating: readonly PodInfo[]; readonly rest: readonly PodInfo[] } {
  const left = budgets.map((budget) => ({
    budget,
    selector: selectorFromObject(budget.spec?.selector),
    allowed: budget.status?.disruptionsAllowed ?? 0,
  }));
  const violating: PodInfo[] = [];
  const rest: PodInfo[] = [];
  for (const pod of pods) {
    let breaks = false;
    for (const each of left) {
      const { budget, selector } = each;
      if (budget.metadata.namespace !== pod.namespace || selector.isEmpty || !selector.matches(pod.labels))
        continue;
      // It is on its way out already and has been counted.
      if (budget.status?.disruptedPods?.[pod.pod.metadata.name] !== undefined) continue;
      each.allowed--;
      if (each.allowed < 0) breaks = true;
    }
    (breaks ? violating : rest).push(pod);
  }
  return { violating, rest };
}

/** The candidate that does least harm; the first of those that are alike. */
export function pickCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const keys: readonly ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    ({ victims }) => victims[0]?.priority ?? Number.NEGATIVE_INFINITY,
    ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    ({ victims }) => victims.length,
    // Of the most important ones, the one that has run longest shall have run as short as can be.
    ({ victims }) =>
      -Math.min(
        ...victims
          .filter(({ priority }) => priority === victims[0]?.priority)
          .map(({ startedAt }) => startedAt),
      ),
  ];
  let left = candidates;
  for (const key of keys) {
    if (left.length <= 1) break;
    const least = Math.min(...left.map(key));
    left = left.filter((candidate) => key(candidate) === least);
  }
  return left[0];
}
