import type { DeepReadonly } from '@windlass/apimachinery';
import type { DaemonSetStatus } from '@windlass/apimachinery/api/apps/v1';
import { generationOf } from '../shared/meta.ts';
import { availableInMs, isReady } from '../shared/pods.ts';
import { isUpdated, type ReadonlyDaemonSet } from './daemon-pods.ts';
import { eligibilityFor } from './eligibility.ts';
import type { PlacementInput } from './placement.ts';

export interface StatusOutput {
  /** Without what other parts keep: conditions, and the count of collisions. */
  readonly counts: DaemonSetStatus;
  /** When the next pod becomes available by time alone, in milliseconds; Infinity when none does. */
  readonly nextAvailableInMs: number;
}

/** What there is, counted by nodes. Of several pods on a node the first one counts. */
export function daemonSetStatus({ set, nodes, byNode, hash, now }: PlacementInput): StatusOutput {
  const eligibility = eligibilityFor(set);
  let [desired, current, misscheduled, ready, updated, available] = [0, 0, 0, 0, 0, 0];
  let next = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const [pod] = byNode.get(node.metadata.name) ?? [];
    if (!eligibility(node).shouldRun) {
      if (pod !== undefined) misscheduled++;
      continue;
    }
    desired++;
    if (pod === undefined) continue;
    current++;
    if (isReady(pod)) ready++;
    const inMs = availableInMs(pod, set.spec?.minReadySeconds ?? 0, now);
    if (inMs === 0) available++;
    else next = Math.min(next, inMs);
    if (isUpdated(pod, set, hash)) updated++;
  }
  return {
    counts: {
      desiredNumberScheduled: desired,
      currentNumberScheduled: current,
      numberMisscheduled: misscheduled,
      numberReady: ready,
      updatedNumberScheduled: updated,
      numberAvailable: available,
      numberUnavailable: desired - available,
      observedGeneration: generationOf(set),
    },
    nextAvailableInMs: next,
  };
}

/** Whether there is nothing to write. An absent count is zero: servers leave it out. */
export function hasCounts({ status }: ReadonlyDaemonSet, counts: DeepReadonly<DaemonSetStatus>): boolean {
  const old: Readonly<Record<string, unknown>> = { ...status };
  return Object.entries(counts).every(([field, value]) => (old[field] ?? 0) === value);
}
