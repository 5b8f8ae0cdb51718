import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { compareVictims } from '../shared/pod-ranking.ts';
import { isTerminating, type ReadonlyPod } from '../shared/pods.ts';
import type { Account } from './accounting.ts';
import { backoffMs, indexBackoffMs } from './backoff.ts';
import {
  failuresOfIndex,
  hasFailed,
  INDEX_IGNORED_FAILURES,
  indexOf,
  isIndexed,
  newPod,
  type ReadonlyJob,
  replacesTerminating,
} from './job-pods.ts';
import { judgeFailure } from './policies.ts';

/** No more pods than this are created or deleted in one run. */
export const MAX_PODS_PER_RUN = 500;

/** What happens to the pods of a job that goes on. */
export interface PodChanges {
  /** Not needed any more. */
  readonly drop: readonly ReadonlyPod[];
  readonly create: readonly Pod[];
  /** Until pods may be created again, in milliseconds; 0: nothing waits. */
  readonly waitMs: number;
}

export const NO_CHANGES: PodChanges = { drop: [], create: [], waitMs: 0 };

/** How many pods a job is to have now, and so which go and which come. */
export function planPods(
  job: ReadonlyJob,
  pods: readonly ReadonlyPod[],
  active: readonly ReadonlyPod[],
  account: Account,
  now: number,
): PodChanges {
  const { spec } = job;
  if (spec?.suspend === true) return { drop: active.slice(0, MAX_PODS_PER_RUN), create: [], waitMs: 0 };
  const wanted = wantedPods(job, active.length, account);
  const surplus = surplusOf(job, active, Math.max(0, active.length - wanted), now);
  if (surplus.length > 0) return { drop: surplus.slice(0, MAX_PODS_PER_RUN), create: [], waitMs: 0 };
  const terminating = replacesTerminating(job) ? [] : pods.filter(isTerminating);
  const missing = Math.min(wanted - terminating.length - active.length, MAX_PODS_PER_RUN);
  if (missing <= 0) return NO_CHANGES;
  if (spec?.backoffLimitPerIndex === undefined) {
    const waitMs = backoffMs(job, pods, now);
    if (waitMs > 0) return { drop: [], create: [], waitMs };
  }
  if (!isIndexed(job))
    return { drop: [], create: Array.from({ length: missing }, () => newPod(job)), waitMs: 0 };
  return createIndexes(job, pods, [...active, ...terminating], account, missing, now);
}

/** Without a number of completions, the first success means that no new pods come. */
function wantedPods({ spec }: ReadonlyJob, active: number, account: Account): number {
  const { parallelism = 1, completions } = spec ?? {};
  if (completions === undefined) return account.succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(parallelism, completions - account.succeeded - account.failedIndexes.size));
}

/** The lowest indexes that nobody works on and that are not over. */
function createIndexes(
  job: ReadonlyJob,
  pods: readonly ReadonlyPod[],
  busyPods: readonly ReadonlyPod[],
  { succeededIndexes, failedIndexes }: Account,
  count: number,
  now: number,
): PodChanges {
  const { completions = 0, backoffLimitPerIndex } = job.spec ?? {};
  const busy = new Set(busyPods.map(indexOf));
  const create: Pod[] = [];
  let waitMs = 0;
  for (let index = 0; index < completions && create.length < count; index++) {
    if (busy.has(index) || succeededIndexes.has(index) || failedIndexes.has(index)) continue;
    if (backoffLimitPerIndex === undefined) {
      create.push(newPod(job, { index }));
      continue;
    }
    const last = pods
      .filter((pod) => indexOf(pod) === index && hasFailed(pod, job))
      .toSorted((a, b) => failuresOfIndex(b) - failuresOfIndex(a))[0];
    const inMs = indexBackoffMs(last, now);
    if (inMs > 0) {
      waitMs = waitMs === 0 ? inMs : Math.min(waitMs, inMs);
      continue;
    }
    const isIgnored = last !== undefined && judgeFailure(job, last).action === 'Ignore';
    create.push(
      newPod(job, {
        index,
        failures: last === undefined ? 0 : failuresOfIndex(last) + (isIgnored ? 0 : 1),
        ignoredFailures:
          last === undefined ? 0 : failuresOfIndex(last, INDEX_IGNORED_FAILURES) + (isIgnored ? 1 : 0),
      }),
    );
  }
  return { drop: [], create, waitMs };
}

/** Of an indexed job, what has no index or shares one goes anyhow. */
function surplusOf(
  job: ReadonlyJob,
  active: readonly ReadonlyPod[],
  atLeast: number,
  now: number,
): ReadonlyPod[] {
  const sorted = active.toSorted((a, b) => compareVictims(a, b, () => 0, now));
  const drop: ReadonlyPod[] = [];
  if (isIndexed(job)) {
    const seen = new Set<number>();
    // Those that would go last are kept.
    for (const pod of sorted.toReversed()) {
      const index = indexOf(pod);
      if (index === undefined || index >= (job.spec?.completions ?? 0) || seen.has(index)) drop.push(pod);
      else seen.add(index);
    }
  }
  const rest = sorted.filter((pod) => !drop.includes(pod));
  return [...drop, ...rest.slice(0, Math.max(0, atLeast - drop.length))];
}
