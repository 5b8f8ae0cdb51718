import type { ReadonlyPod } from '../shared/pods.ts';
import {
  failuresOfIndex,
  finishedAt,
  hasFailed,
  INDEX_IGNORED_FAILURES,
  isTracked,
  type ReadonlyJob,
} from './job-pods.ts';

const FIRST_MS = 10_000;
const MAX_MS = 600_000;

function remaining(failures: number, since: number, now: number): number {
  if (failures === 0) return 0;
  const delay = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  // A clock that is behind sees ends that are still to come; it may be right again when that time is over.
  return Math.min(delay, Math.max(0, since + delay - now));
}

/**
 * How long the next pod waits: twice as long after each failure since the last success. It is computed from
 * the pods that are there, so that another process knows it as well.
 */
export function backoffMs(job: ReadonlyJob, pods: readonly ReadonlyPod[], now: number): number {
  const ends = (matches: (pod: ReadonlyPod) => boolean): number[] =>
    pods.filter(matches).map((pod) => finishedAt(pod, now));
  const lastSuccess = Math.max(0, ...ends(({ status }) => status?.phase === 'Succeeded'));
  // What we deleted ourselves has lost its finalizer before, and is no failure.
  const isFailure = (pod: ReadonlyPod): boolean =>
    pod.status?.phase === 'Failed' || (isTracked(pod) && hasFailed(pod, job));
  const failures = ends(isFailure).filter((end) => end > lastSuccess);
  return remaining(failures.length, Math.max(0, ...failures), now);
}

/** The same for one index, by what its last pod says of those before. */
export function indexBackoffMs(last: ReadonlyPod | undefined, now: number): number {
  if (last === undefined) return 0;
  const failures = failuresOfIndex(last) + failuresOfIndex(last, INDEX_IGNORED_FAILURES) + 1;
  return remaining(failures, finishedAt(last, now), now);
}
