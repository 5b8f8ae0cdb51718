import { type Cached, findCondition, isBeingDeleted, parseTime } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';

export type ReadonlyPod = Cached<Pod>;

/** It has ended for good, well or badly. */
export function isTerminal({ status }: ReadonlyPod): boolean {
  const phase = status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

/** It counts: it has not ended, and nobody deletes it. */
export function isActive(pod: ReadonlyPod): boolean {
  return !isTerminal(pod) && !isBeingDeleted(pod);
}

/** It has not ended, and somebody deletes it. */
export function isTerminating(pod: ReadonlyPod): boolean {
  return !isTerminal(pod) && isBeingDeleted(pod);
}

/** Of nodes too: they have the same kind of condition. */
export function isReady({ status }: Pick<ReadonlyPod, 'status'>): boolean {
  return findCondition(status?.conditions, 'Ready')?.status === 'True';
}

/** Milliseconds since 1970; undefined when it is not ready, or does not say since when. */
export function readySince({ status }: ReadonlyPod): number | undefined {
  const ready = findCondition(status?.conditions, 'Ready');
  const since = ready?.status === 'True' ? ready.lastTransitionTime : undefined;
  return since === undefined || since === null ? undefined : parseTime(since);
}

/**
 * In how many milliseconds a pod counts as available: it must be ready for `minReadySeconds` without a
 * break. 0: it is. Infinity: only when something changes.
 */
export function availableInMs(pod: ReadonlyPod, minReadySeconds: number, now: number): number {
  if (!isReady(pod)) return Number.POSITIVE_INFINITY;
  if (minReadySeconds === 0) return 0;
  const since = readySince(pod);
  if (since === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, since + minReadySeconds * 1000 - now);
}

export function isAvailable(pod: ReadonlyPod, minReadySeconds: number, now: number): boolean {
  return availableInMs(pod, minReadySeconds, now) === 0;
}
