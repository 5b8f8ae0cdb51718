// Which pods make room for those of the present template. One pod a node is placement's work: what it has
// not settled yet counts as unavailable here, or as surge, and is left alone.
import { isBeingDeleted, scaledIntOrPercent } from '@windlass/apimachinery';
import { isAvailable, type ReadonlyPod } from '../shared/pods.ts';
import { isUpdated, type ReadonlyDaemonSet } from './daemon-pods.ts';
import { eligibilityFor } from './eligibility.ts';
import { type PlacementInput, surgeOf } from './placement.ts';

export interface UpdateStep {
  /** Names of nodes. */
  readonly create: readonly string[];
  readonly delete: readonly ReadonlyPod[];
}

interface NodeState {
  readonly name: string;
  readonly old: ReadonlyPod | undefined;
  readonly new: ReadonlyPod | undefined;
  /** There are several old ones, or several new ones. */
  readonly isUnclear: boolean;
}

interface UpdateState {
  readonly set: ReadonlyDaemonSet;
  readonly states: readonly NodeState[];
  readonly available: (pod: ReadonlyPod) => boolean;
  /** Names of nodes that should have a pod. */
  readonly desired: ReadonlySet<string>;
}

export function planUpdate(input: PlacementInput): UpdateStep {
  const { set, nodes, byNode, hash, now } = input;
  const eligibility = eligibilityFor(set);
  const desired = new Set(
    nodes.filter((node) => eligibility(node).shouldRun).map(({ metadata }) => metadata.name),
  );
  const names = new Set([...byNode.keys(), ...desired]);
  const states = [...names].toSorted().map((name) => stateOf(name, byNode.get(name) ?? [], set, hash));
  const available = (pod: ReadonlyPod): boolean => isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  const state = { set, states, available, desired };
  const surge = surgeOf(set, desired.size);
  return surge === 0 ? replaceInPlace(state) : replaceWithSurge(state, surge);
}

/** How many nodes may be without a working pod, of so many. Neither surge nor this: one, or nothing would move. */
function unavailableOf({ spec }: ReadonlyDaemonSet, total: number): number {
  const value = spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 0;
  return Math.max(scaledIntOrPercent(value, total, true), total > 0 ? 1 : 0);
}

function stateOf(
  name: string,
  pods: readonly ReadonlyPod[],
  set: ReadonlyDaemonSet,
  hash: string,
): NodeState {
  const staying = pods.filter((pod) => !isBeingDeleted(pod));
  const updated = staying.filter((pod) => isUpdated(pod, set, hash));
  const others = staying.filter((pod) => !updated.includes(pod));
  return {
    name,
    old: others[0],
    new: updated[0],
    isUnclear: updated.length > 1 || others.length > 1,
  };
}

/**
 * An old pod that does not work is replaced at once. One that works waits until so few do not that one more
 * may be missing.
 */
function replaceInPlace({ set, states, available, desired }: UpdateState): UpdateStep {
  let unavailable = 0;
  const broken: ReadonlyPod[] = [];
  const working: ReadonlyPod[] = [];
  for (const { old, new: updated, isUnclear } of states) {
    if (isUnclear || (old === undefined) === (updated === undefined)) unavailable++;
    else if (updated !== undefined) unavailable += available(updated) ? 0 : 1;
    else if (old !== undefined && available(old)) working.push(old);
    else if (old !== undefined) {
      broken.push(old);
      unavailable++;
    }
  }
  const room = Math.max(0, unavailableOf(set, desired.size) - unavailable);
  return { create: [], delete: [...broken, ...working.slice(0, room)] };
}

/**
 * The new pod comes beside the old one, which goes when the new one works. Where a node should no longer run
 * any, its working pod goes only when as many as wanted work elsewhere: with surge nothing may be missed.
 */
function replaceWithSurge({ states, available, desired }: UpdateState, surge: number): UpdateStep {
  const done: ReadonlyPod[] = [];
  const unwanted: ReadonlyPod[] = [];
  const replaced: string[] = [];
  const candidates: string[] = [];
  let [surging, working] = [0, 0];
  for (const { name, old, new: updated, isUnclear } of states) {
    if (isUnclear) {
      surging++;
      continue;
    }
    const counted = old ?? updated;
    if (counted !== undefined && available(counted)) working++;
    if (old === undefined) continue;
    if (updated !== undefined) {
      if (available(updated)) done.push(old);
      else surging++;
    } else if (!desired.has(name)) (available(old) ? unwanted : done).push(old);
    else (available(old) ? candidates : replaced).push(name);
  }
  const room = Math.max(0, surge - surging);
  const spare = Math.max(0, working - desired.size);
  return {
    create: [...replaced, ...candidates.slice(0, room)],
    delete: [...done, ...unwanted.slice(0, spare)],
  };
}
