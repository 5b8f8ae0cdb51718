import { formatTime, isBeingDeleted, parseTime } from '@windlass/apimachinery';
import type { JobStatus } from '@windlass/apimachinery/api/batch/v1';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { isActive, isTerminating, type ReadonlyPod } from '../shared/pods.ts';
import { accountOf, settle } from './accounting.ts';
import { completionOf, finishOf } from './finish.ts';
import type { ReadonlyJob } from './job-pods.ts';
import { NO_CHANGES, planPods } from './pod-changes.ts';
import { type JobEvent, jobStatus } from './status.ts';

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

/** What to do for a job with these pods, all of them its own. */
export function planJob(job: ReadonlyJob, pods: readonly ReadonlyPod[], now: number): JobPlan {
  const active = pods.filter(isActive);
  const terminating = pods.filter(isTerminating).length;
  const account = accountOf(job, pods);
  const startTime = job.status?.startTime ?? (job.spec?.suspend === true ? undefined : formatTime(now));
  const decided = finishOf(job, pods, account, startTime, now);
  const goesOn = decided === undefined && !isBeingDeleted(job);
  const { drop, create, waitMs } = goesOn ? planPods(job, pods, active, account, now) : NO_CHANGES;
  const kill = decided === undefined ? [] : active;
  const left = active.length - drop.length + create.length;
  const finish = decided ?? completionOf(job, account, left);
  const { named, release, isFull } = settle(job, pods, account, finish?.type === 'FailureTarget');
  const isCounted = named.succeeded.length + named.failed.length === 0 && release.length === 0 && !isFull;
  const gone = new Set<ReadonlyPod>([...drop, ...kill]);
  const { status, events } = jobStatus({
    job,
    account,
    named,
    startTime,
    finish,
    isAllOver: isCounted && terminating === 0 && kill.length === 0 && left === 0,
    staying: active.filter((pod) => !gone.has(pod)),
    terminating,
    now,
  });
  const waits = [
    ...(decided === undefined ? deadlineInMs(job, startTime, now) : []),
    ...(waitMs > 0 ? [waitMs] : []),
  ];
  return {
    drop,
    kill,
    create,
    status: (created) => ({ ...status, active: (status.active ?? 0) + created }),
    release,
    events,
    againInMs: waits.length === 0 ? undefined : Math.max(1, Math.min(...waits)),
  };
}

/** When a job that runs has run for too long. */
function deadlineInMs({ spec }: ReadonlyJob, startTime: string | undefined, now: number): number[] {
  const { activeDeadlineSeconds, suspend } = spec ?? {};
  if (activeDeadlineSeconds === undefined || startTime === undefined || suspend === true) return [];
  return [parseTime(startTime) + activeDeadlineSeconds * 1000 - now];
}
