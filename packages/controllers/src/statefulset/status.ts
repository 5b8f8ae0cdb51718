import { isBeingDeleted } from '@windlass/apimachinery';
import type { StatefulSetStatus } from '@windlass/apimachinery/api/apps/v1';
import { generationOf } from '../shared/meta.ts';
import { availableInMs, type ReadonlyPod } from '../shared/pods.ts';
import type { SetRevisions } from './revisions.ts';
import { isRunningAndReady, type ReadonlyStatefulSet, replicasOf, revisionOf } from './stateful-pods.ts';

export interface StatusOutput {
  readonly status: StatefulSetStatus;
  /** When the next pod becomes available by time alone; Infinity when none does. */
  readonly nextAvailableInMs: number;
}

export function statefulSetStatus(
  set: ReadonlyStatefulSet,
  pods: readonly ReadonlyPod[],
  { current, update, collisionCount }: SetRevisions,
  now: number,
): StatusOutput {
  let [ready, available, next] = [0, 0, Number.POSITIVE_INFINITY];
  for (const pod of pods) {
    if (!isRunningAndReady(pod)) continue;
    ready++;
    const inMs = availableInMs(pod, set.spec?.minReadySeconds ?? 0, now);
    if (inMs === 0) available++;
    else next = Math.min(next, inMs);
  }
  const staying = pods.filter((pod) => !isBeingDeleted(pod));
  const count = (revision: string): number => staying.filter((pod) => revisionOf(pod) === revision).length;
  const updated = count(update.metadata.name);
  const isRolling = set.spec?.updateStrategy?.type !== 'OnDelete';
  // The update is over: what was new is what there is.
  const isOver = isRolling && [updated, ready, pods.length].every((number) => number === replicasOf(set));
  return {
    nextAvailableInMs: next,
    status: {
      observedGeneration: generationOf(set),
      replicas: pods.length,
      readyReplicas: ready,
      availableReplicas: available,
      currentReplicas: isOver ? updated : count(current.metadata.name),
      updatedReplicas: updated,
      currentRevision: isOver ? update.metadata.name : current.metadata.name,
      updateRevision: update.metadata.name,
      collisionCount,
    },
  };
}
