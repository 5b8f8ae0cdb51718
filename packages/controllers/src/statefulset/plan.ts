// The next step of a stateful set. Pods are never replaced behind each other's back: what a step does, the
// next one sees.
import { isBeingDeleted, scaledIntOrPercent } from '@windlass/apimachinery';
import { isAvailable, isTerminal, type ReadonlyPod } from '../shared/pods.ts';
import {
  hasIdentity,
  isRunningAndReady,
  ordinalOf,
  type ReadonlyStatefulSet,
  replicasOf,
  revisionOf,
  startOf,
} from './stateful-pods.ts';

export interface PlanInput {
  readonly set: ReadonlyStatefulSet;
  readonly pods: readonly ReadonlyPod[];
  /** The names of the revisions. */
  readonly current: string;
  readonly update: string;
  readonly now: number;
}

export type Step =
  | { readonly type: 'create'; readonly ordinal: number; readonly revision: string }
  | { readonly type: 'delete'; readonly pod: ReadonlyPod }
  /** It cannot start without its claims, one of which may be gone. */
  | { readonly type: 'claims'; readonly ordinal: number }
  /** Its labels are not those of its place. */
  | { readonly type: 'identify'; readonly pod: ReadonlyPod; readonly ordinal: number };

/** In the order in which they are taken. In an ordered set there is seldom more than one. */
export function planSet(input: PlanInput): Step[] {
  const { set, pods, current, update, now } = input;
  if (isBeingDeleted(set)) return [];
  const [start, replicas] = [startOf(set), replicasOf(set)];
  const isOrdered = set.spec?.podManagementPolicy !== 'Parallel';
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const available = (pod: ReadonlyPod): boolean =>
    isRunningAndReady(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  const steps: Step[] = [];
  const alive: ReadonlyPod[] = [];
  for (let ordinal = start; ordinal < start + replicas; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) {
      const revision = needsCurrent(set, update, ordinal) ? current : update;
      steps.push({ type: 'create', ordinal, revision });
      if (isOrdered) return steps;
      continue;
    }
    alive.push(pod);
    if (pod.status?.phase === 'Pending' && !isBeingDeleted(pod)) steps.push({ type: 'claims', ordinal });
    if (isTerminal(pod)) {
      if (!isBeingDeleted(pod)) steps.push({ type: 'delete', pod });
      if (isOrdered) return steps;
      continue;
    }
    if (isOrdered && (isBeingDeleted(pod) || !available(pod))) {
      if (!hasIdentity(set, pod, ordinal)) steps.push({ type: 'identify', pod, ordinal });
      return steps;
    }
    if (!hasIdentity(set, pod, ordinal)) steps.push({ type: 'identify', pod, ordinal });
  }
  const condemned = pods
    .filter((pod) => {
      const ordinal = ordinalOf(set, pod);
      return ordinal !== undefined && (ordinal < start || ordinal >= start + replicas);
    })
    .toSorted((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  const isMissing = (pod: ReadonlyPod): boolean => isBeingDeleted(pod) || !available(pod);
  // The unavailable one with the lowest number may go although it is unavailable; others wait for it.
  const firstMissing = [...alive, ...condemned.toReversed()].find(isMissing);
  for (const pod of condemned) {
    if (isBeingDeleted(pod)) {
      if (isOrdered) return steps;
      continue;
    }
    if (isOrdered && !available(pod) && pod !== firstMissing) return steps;
    steps.push({ type: 'delete', pod });
    if (isOrdered) return steps;
  }
  if (set.spec?.updateStrategy?.type === 'OnDelete' || alive.length < replicas) return steps;
  return [...steps, ...updates(set, alive, update, isMissing)];
}

/** Which template a new pod has: with a partition, those below it stay at the old one. */
function needsCurrent(
  { spec, status, ...set }: ReadonlyStatefulSet,
  update: string,
  ordinal: number,
): boolean {
  if (spec?.updateStrategy?.type === 'OnDelete' || status?.currentRevision === update) return false;
  const start = startOf({ ...set, ...(spec !== undefined && { spec }) });
  const { rollingUpdate } = spec?.updateStrategy ?? {};
  if (rollingUpdate === undefined) return ordinal < start + (status?.currentReplicas ?? 0);
  return ordinal < start + (rollingUpdate.partition ?? 0);
}

/** From the highest ordinal down, one by one unless more may be missing. */
function updates(
  set: ReadonlyStatefulSet,
  alive: readonly ReadonlyPod[],
  update: string,
  isMissing: (pod: ReadonlyPod) => boolean,
): Step[] {
  const { partition = 0, maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  const targets = alive.slice(partition).toReversed();
  const isOld = (pod: ReadonlyPod): boolean => revisionOf(pod) !== update && !isBeingDeleted(pod);
  if (maxUnavailable === undefined) {
    for (const pod of targets) {
      if (isOld(pod)) return [{ type: 'delete', pod }];
      if (isMissing(pod)) return [];
    }
    return [];
  }
  const most = Math.max(1, scaledIntOrPercent(maxUnavailable, replicasOf(set), false));
  const missing = alive.filter(isMissing).length;
  return targets
    .filter(isOld)
    .slice(0, Math.max(0, most - missing))
    .map((pod) => ({ type: 'delete', pod }));
}
