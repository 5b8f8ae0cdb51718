import { deepCopy, findCondition, isConflict, isNotFound } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { EventRecorder, KindClient } from '@windlass/runtime';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';

export interface MarkOptions {
  readonly now: string;
  readonly recorder: EventRecorder;
  readonly signal: AbortSignal;
}

/**
 * Says of pods that they are not ready, because their node is not: nobody shall send them work.
 * @returns whether that went well for all
 */
export async function markNotReady(
  kind: KindClient<Pod>,
  pods: readonly ReadonlyPod[],
  { now, recorder, signal }: MarkOptions,
): Promise<boolean> {
  let isWell = true;
  for (const pod of pods) {
    const ready = findCondition(pod.status?.conditions, 'Ready');
    if (ready === undefined || ready.status === 'False') continue;
    const next = deepCopy<Pod>(pod);
    next.status = {
      ...next.status,
      conditions: (next.status?.conditions ?? []).map((condition) =>
        condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime: now } : condition,
      ),
    };
    try {
      await kind.status.update(next, { signal });
    } catch (error) {
      if (isNotFound(error)) continue;
      if (!isConflict(error)) throw error;
      isWell = false;
      continue;
    }
    recorder.warning(withKind(pod, Pod), 'NodeNotReady', 'Node is not ready');
  }
  return isWell;
}
