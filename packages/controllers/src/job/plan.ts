import { deepCopy, findCondition, formatTime, isBeingDeleted, parseTime } from '@windlass/apimachinery';
import type { JobCondition, JobStatus } from '@windlass/apimachinery/api/batch/v1';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { compareVictims } from '../shared/pod-ranking.ts';
import { isActive, isReady, isTerminating, type ReadonlyPod } from '../shared/pods.ts';
import { type Account, accountOf, settle } from './accounting.ts';
import { backoffMs, indexBackoffMs } from './backoff.ts';
import { formatIndexes } from './indexes.ts';
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
import { judgeFailure, successMessage } from './policies.ts';

/** No more pods than this are created or deleted in one run. */
export const MAX_PODS_PER_RUN = 500;

export interface JobEvent {
  readonly type: 'normal' | 'warning';
  readonly reason: string;
  readonly note: string;
}

/** The next step of a job, in the order in which it is taken. */
export interface JobPlan {
  /** Not needed any more. They lose their finalizer first, so that they do not count as failed. */
  readonly drop: readonly ReadonlyPod[];
  /** The job is over: these are deleted, and count. */
  readonly kill: readonly ReadonlyPod[];
  readonly create: readonly Pod[];
  /** The status then, for so many pods that were really created. */
  readonly status: (created: number) => JobStatus;
  /** Once the status is written, these lose their finalizer. */
  readonly release: readonly ReadonlyPod[];
  readonly events: readonly JobEvent[];
  /** Time alone changes something then. */
  readonly againInMs: number | undefined;
}

interface Finish {
  readonly type: 'SuccessCriteriaMet' | 'FailureTarget';
  readonly reason: string;
  readonly message: string;
}

const fail = (reason: string, message: string): Finish => ({ type: 'FailureTarget', reason, message });

/** What to do for a job with these pods, all of them its own. */
export function planJob(job: ReadonlyJob, pods: readonly ReadonlyPod[], now: number): JobPlan {
  const { spec } = job;
  const isSuspended = spec?.suspend === true;
  const active = pods.filter(isActive);
  const account = accountOf(job, pods);
  const events: JobEvent[] = [];
  const waits: number[] = [];
  const startTime = job.status?.startTime ?? (isSuspended ? undefined : formatTime(now));
  let finish = finishOf(job, pods, account, startTime, now);
  if (
    finish === undefined &&
    spec?.activeDeadlineSeconds !== undefined &&
    startTime !== undefined &&
    !isSuspended
  )
    waits.push(parseTime(startTime) + spec.activeDeadlineSeconds * 1000 - now);
  const kill = finish === undefined ? [] : active;
  const managed =
    finish === undefined && !isBeingDeleted(job)
      ? manage(job, pods, active, account, now)
      : { drop: [], create: [], waitMs: 0 };
  if (managed.waitMs > 0) waits.push(managed.waitMs);
  const left = active.length - managed.drop.length + managed.create.length;
  if (finish === undefined) finish = completionOf(job, account, left);
  const { named, release, isFull } = settle(job, pods, account, finish?.type === 'FailureTarget');
  const status: JobStatus = deepCopy<JobStatus>(job.status ?? {});
  if (startTime !== undefined) status.startTime = startTime;
  let conditions = status.conditions ?? [];
  if (finish === undefined && !isBeingDeleted(job)) {
    const before = conditions;
    conditions = withSuspended(conditions, isSuspended, now);
    if (conditions !== before) {
      events.push(
        isSuspended
          ? { type: 'normal', reason: 'Suspended', note: 'Job suspended' }
          : { type: 'normal', reason: 'Resumed', note: 'Job resumed' },
      );
      // The time in between does not count.
      if (!isSuspended) status.startTime = formatTime(now);
    }
  }
  const terminating = pods.filter(isTerminating).length;
  if (finish !== undefined) {
    conditions = withTrue(conditions, finish.type, finish, now);
    const isSettled = named.succeeded.length + named.failed.length === 0 && release.length === 0 && !isFull;
    if (isSettled && terminating === 0 && kill.length === 0 && left === 0) {
      const isGood = finish.type === 'SuccessCriteriaMet';
      conditions = withTrue(conditions, isGood ? 'Complete' : 'Failed', finish, now);
      if (isGood) status.completionTime = formatTime(now);
      events.push(
        isGood
          ? { type: 'normal', reason: 'Completed', note: 'Job completed' }
          : { type: 'warning', reason: finish.reason, note: finish.message },
      );
    }
  }
  if (conditions.length > 0) status.conditions = conditions;
  status.succeeded = isIndexed(job) ? account.succeededIndexes.size : account.counted.succeeded;
  status.failed = account.counted.failed;
  status.terminating = terminating;
  status.uncountedTerminatedPods = {
    ...(named.succeeded.length > 0 && { succeeded: named.succeeded }),
    ...(named.failed.length > 0 && { failed: named.failed }),
  };
  if (isIndexed(job)) {
    status.completedIndexes = formatIndexes(account.succeededIndexes);
    if (spec?.backoffLimitPerIndex !== undefined) status.failedIndexes = formatIndexes(account.failedIndexes);
  }
  const gone = new Set<ReadonlyPod>([...managed.drop, ...kill]);
  status.ready = active.filter((pod) => isReady(pod) && !gone.has(pod)).length;
  return {
    drop: managed.drop,
    kill,
    create: managed.create,
    status: (created) => ({ ...status, active: active.length - gone.size + created }),
    release,
    events,
    againInMs: waits.length === 0 ? undefined : Math.max(1, Math.min(...waits)),
  };
}

/** Why the job is over, whatever its pods do now. What was decided once stays so. */
function finishOf(
  job: ReadonlyJob,
  pods: readonly ReadonlyPod[],
  account: Account,
  startTime: string | undefined,
  now: number,
): Finish | undefined {
  const { spec, status } = job;
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const decided = findCondition(status?.conditions, type);
    if (decided?.status === 'True')
      return { type, reason: decided.reason ?? '', message: decided.message ?? '' };
  }
  for (const pod of pods) {
    const { action, message } = judgeFailure(job, pod);
    if (action === 'FailJob') return fail('PodFailurePolicy', message);
  }
  const limit = spec?.backoffLimit ?? 6;
  if (account.failed > limit || hasRestartedTooOften(job, pods, limit))
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  const deadline = spec?.activeDeadlineSeconds;
  if (deadline !== undefined && startTime !== undefined && spec?.suspend !== true)
    if (now - parseTime(startTime) >= deadline * 1000)
      return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  if (spec?.maxFailedIndexes !== undefined && account.failedIndexes.size > spec.maxFailedIndexes)
    return fail(
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    );
  if (isIndexed(job) && spec?.successPolicy !== undefined) {
    const message = successMessage(spec.successPolicy.rules, account.succeededIndexes, spec.completions ?? 0);
    if (message !== undefined) return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message };
  }
  return undefined;
}

/** Pods that restart in place fail without ever ending. */
function hasRestartedTooOften({ spec }: ReadonlyJob, pods: readonly ReadonlyPod[], limit: number): boolean {
  if (spec?.template.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function completionOf(job: ReadonlyJob, account: Account, active: number): Finish | undefined {
  const completions = job.spec?.completions;
  if (active > 0) return undefined;
  const done = completions === undefined ? account.succeeded > 0 : account.succeeded >= completions;
  if (done)
    return {
      type: 'SuccessCriteriaMet',
      reason: 'CompletionsReached',
      message: 'Reached expected number of succeeded pods',
    };
  const failed = account.failedIndexes.size;
  if (failed > 0 && completions !== undefined && failed + account.succeeded >= completions)
    return fail('FailedIndexes', 'Job has failed indexes');
  return undefined;
}

interface Managed {
  readonly drop: readonly ReadonlyPod[];
  readonly create: readonly Pod[];
  /** Until pods may be created again. */
  readonly waitMs: number;
}

function manage(
  job: ReadonlyJob,
  pods: readonly ReadonlyPod[],
  active: readonly ReadonlyPod[],
  account: Account,
  now: number,
): Managed {
  const { spec } = job;
  if (spec?.suspend === true) return { drop: active.slice(0, MAX_PODS_PER_RUN), create: [], waitMs: 0 };
  const parallelism = spec?.parallelism ?? 1;
  const completions = spec?.completions;
  const wanted =
    completions === undefined
      ? account.succeeded > 0
        ? active.length
        : parallelism
      : Math.max(0, Math.min(parallelism, completions - account.succeeded - account.failedIndexes.size));
  const surplus = surplusOf(job, active, Math.max(0, active.length - wanted), now);
  if (surplus.length > 0) return { drop: surplus.slice(0, MAX_PODS_PER_RUN), create: [], waitMs: 0 };
  const terminating = replacesTerminating(job) ? [] : pods.filter(isTerminating);
  const missing = Math.min(wanted - terminating.length - active.length, MAX_PODS_PER_RUN);
  if (missing <= 0) return { drop: [], create: [], waitMs: 0 };
  if (spec?.backoffLimitPerIndex === undefined) {
    const waitMs = backoffMs(job, pods, now);
    if (waitMs > 0) return { drop: [], create: [], waitMs };
  }
  if (!isIndexed(job))
    return { drop: [], create: Array.from({ length: missing }, () => newPod(job)), waitMs: 0 };
  return createIndexes(job, pods, [...active, ...terminating], account, missing, now);
}

/** The lowest indexes that nobody works on and that are not over. */
function createIndexes(
  job: ReadonlyJob,
  pods: readonly ReadonlyPod[],
  busyPods: readonly ReadonlyPod[],
  { succeededIndexes, failedIndexes }: Account,
  count: number,
  now: number,
): Managed {
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

function withTrue(
  conditions: JobCondition[],
  type: string,
  { reason, message }: { readonly reason: string; readonly message: string },
  now: number,
): JobCondition[] {
  if (findCondition(conditions, type)?.status === 'True') return conditions;
  const time = formatTime(now);
  const next = { type, status: 'True', lastProbeTime: time, lastTransitionTime: time, reason, message };
  return [...conditions.filter((condition) => condition.type !== type), next];
}

/** A job that was never suspended does not say that it is not. */
function withSuspended(conditions: JobCondition[], isSuspended: boolean, now: number): JobCondition[] {
  const at = conditions.findIndex(({ type }) => type === 'Suspended');
  const status = isSuspended ? 'True' : 'False';
  if (conditions[at]?.status === status || (at === -1 && !isSuspended)) return conditions;
  const time = formatTime(now);
  const next = {
    type: 'Suspended',
    status,
    lastProbeTime: time,
    lastTransitionTime: time,
    reason: isSuspended ? 'JobSuspended' : 'JobResumed',
    message: isSuspended ? 'Job suspended' : 'Job resumed',
  };
  return at === -1 ? [...conditions, next] : conditions.with(at, next);
}
