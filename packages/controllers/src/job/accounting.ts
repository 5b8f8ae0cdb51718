import { isBeingDeleted, isConditionTrue } from '@windlass/apimachinery';
import type { ReadonlyPod } from '../shared/pods.ts';
import { parseIndexes } from './indexes.ts';
import { failuresOfIndex, hasFailed, indexOf, isIndexed, isTracked, type ReadonlyJob } from './job-pods.ts';
import { judgeFailure } from './policies.ts';

/** No status names more pods than this. */
export const MAX_UNCOUNTED = 500;

/**
 * What a job's pods add up to. Each pod is counted once: first the status names it, then its finalizer goes,
 * and a pod that is named and has no finalizer any more becomes a number.
 */
export interface Account {
  /** Ends that are numbers already. */
  readonly counted: { readonly succeeded: number; readonly failed: number };
  /** Pods whose ends are named in the status, and are no numbers yet. */
  readonly named: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
  /** Pods that ended and that the status does not name. */
  readonly newSucceeded: readonly ReadonlyPod[];
  readonly newFailed: readonly ReadonlyPod[];
  /** All together. */
  readonly succeeded: number;
  readonly failed: number;
  /** For indexed jobs. */
  readonly succeededIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
}

export function accountOf(job: ReadonlyJob, pods: readonly ReadonlyPod[]): Account {
  const { status = {}, spec } = job;
  const tracked = pods.filter(isTracked);
  const uids = new Set(tracked.map(({ metadata }) => metadata.uid));
  const before = {
    succeeded: status.uncountedTerminatedPods?.succeeded ?? [],
    failed: status.uncountedTerminatedPods?.failed ?? [],
  };
  const named = {
    succeeded: before.succeeded.filter((uid) => uids.has(uid)),
    failed: before.failed.filter((uid) => uids.has(uid)),
  };
  const counted = {
    succeeded: (status.succeeded ?? 0) + before.succeeded.length - named.succeeded.length,
    failed: (status.failed ?? 0) + before.failed.length - named.failed.length,
  };
  const isNamed = new Set([...named.succeeded, ...named.failed]);
  const fresh = tracked.filter((pod) => !isNamed.has(pod.metadata.uid));
  const newSucceeded = fresh.filter((pod) => pod.status?.phase === 'Succeeded');
  // What is ended because the job has succeeded is no failure.
  const newFailed = isConditionTrue(status.conditions, 'SuccessCriteriaMet')
    ? []
    : fresh.filter((pod) => hasFailed(pod, job) && judgeFailure(job, pod).action !== 'Ignore');
  const completions = spec?.completions ?? 0;
  const succeededIndexes = isIndexed(job)
    ? parseIndexes(status.completedIndexes, completions)
    : new Set<number>();
  if (isIndexed(job))
    for (const pod of newSucceeded) {
      const index = indexOf(pod);
      if (index !== undefined && index < completions) succeededIndexes.add(index);
    }
  return {
    counted,
    named,
    newSucceeded,
    newFailed,
    succeeded: isIndexed(job)
      ? succeededIndexes.size
      : counted.succeeded + named.succeeded.length + newSucceeded.length,
    failed: counted.failed + named.failed.length + newFailed.length,
    succeededIndexes,
    failedIndexes: failedIndexesOf(job, tracked, succeededIndexes),
  };
}

function failedIndexesOf(
  job: ReadonlyJob,
  tracked: readonly ReadonlyPod[],
  succeeded: ReadonlySet<number>,
): ReadonlySet<number> {
  const { backoffLimitPerIndex, completions = 0 } = job.spec ?? {};
  if (backoffLimitPerIndex === undefined) return new Set();
  const failed = parseIndexes(job.status?.failedIndexes, completions);
  // From then on pods are ended because the job has failed, and not the other way round.
  if (isConditionTrue(job.status?.conditions, 'FailureTarget')) return failed;
  for (const pod of tracked) {
    const index = indexOf(pod);
    if (index === undefined || index >= completions || succeeded.has(index) || !hasFailed(pod, job)) continue;
    const { action } = judgeFailure(job, pod);
    if (action === 'FailIndex' || (action !== 'Ignore' && failuresOfIndex(pod) >= backoffLimitPerIndex))
      failed.add(index);
  }
  return failed;
}

export interface Settlement {
  readonly named: { readonly succeeded: string[]; readonly failed: string[] };
  /** Pods whose finalizers may go once the status is written. */
  readonly release: readonly ReadonlyPod[];
  readonly isFull: boolean;
}

/**
 * Which ends the next status names. An index that is going to be tried again keeps its failed pod: the next
 * one takes the number of failures over from it.
 */
export function settle(
  job: ReadonlyJob,
  pods: readonly ReadonlyPod[],
  account: Account,
  isFailing: boolean,
): Settlement {
  const named = { succeeded: [...account.named.succeeded], failed: [...account.named.failed] };
  const release: ReadonlyPod[] = [];
  const [succeeded, failed] = [new Set(account.newSucceeded), new Set(account.newFailed)];
  const held = isFailing ? new Set<ReadonlyPod>() : heldForIndex(job, pods, account);
  let room = MAX_UNCOUNTED - named.succeeded.length - named.failed.length;
  for (const pod of pods.filter(isTracked)) {
    const uid = pod.metadata.uid;
    const hasEnded = pod.status?.phase === 'Succeeded' || hasFailed(pod, job);
    const isOver = hasEnded || ((isFailing || isBeingDeleted(job)) && isBeingDeleted(pod));
    if (!isOver || held.has(pod)) continue;
    const isNamed = named.succeeded.includes(uid) || named.failed.includes(uid);
    // The index is enough to count a success once.
    const isNew = !isNamed && !(isIndexed(job) && succeeded.has(pod));
    if (isNew && room <= 0) return { named, release, isFull: true };
    if (isNew && succeeded.has(pod)) named.succeeded.push(uid);
    else if (isNew && (failed.has(pod) || !hasEnded)) named.failed.push(uid);
    if (isNew) room--;
    release.push(pod);
  }
  return { named, release, isFull: false };
}

function heldForIndex(
  job: ReadonlyJob,
  pods: readonly ReadonlyPod[],
  { succeededIndexes, failedIndexes }: Account,
): ReadonlySet<ReadonlyPod> {
  const held = new Map<number, ReadonlyPod>();
  if (job.spec?.backoffLimitPerIndex === undefined || isBeingDeleted(job)) return new Set();
  for (const pod of pods.filter((one) => isTracked(one) && hasFailed(one, job))) {
    const index = indexOf(pod);
    if (index === undefined || succeededIndexes.has(index) || failedIndexes.has(index)) continue;
    const other = held.get(index);
    if (other === undefined || failuresOfIndex(pod) > failuresOfIndex(other)) held.set(index, pod);
  }
  for (const pod of pods) {
    const index = indexOf(pod);
    // Its successor is there.
    if (index !== undefined && !hasFailed(pod, job) && pod.status?.phase !== 'Succeeded') held.delete(index);
  }
  return new Set(held.values());
}
