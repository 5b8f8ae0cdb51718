import { deepCopy, formatTime, isBeingDeleted } from '@windlass/apimachinery';
import type { JobCondition, JobStatus } from '@windlass/apimachinery/api/batch/v1';
import { isReady, type ReadonlyPod } from '../shared/pods.ts';
import type { Account, Settlement } from './accounting.ts';
import { withSuspended, withTrue } from './conditions.ts';
import type { Finish } from './finish.ts';
import { formatIndexes } from './indexes.ts';
import { isIndexed, type ReadonlyJob } from './job-pods.ts';

export interface JobEvent {
  readonly type: 'normal' | 'warning';
  readonly reason: string;
  readonly note: string;
}

export interface StatusInput {
  readonly job: ReadonlyJob;
  readonly account: Account;
  readonly named: Settlement['named'];
  /** When it started; undefined: it has not, because it is suspended. */
  readonly startTime: string | undefined;
  readonly finish: Finish | undefined;
  /** Whether no pod runs, goes or comes any more, and each end is counted. */
  readonly isAllOver: boolean;
  /** Pods that stay, of those that have not ended and that nobody deletes. */
  readonly staying: readonly ReadonlyPod[];
  readonly terminating: number;
  readonly now: number;
}

export interface StatusOutput {
  /** Without the pods that are created now. */
  readonly status: JobStatus;
  readonly events: readonly JobEvent[];
}

/** What the status of the job becomes, and what people are told of it. */
export function jobStatus(input: StatusInput): StatusOutput {
  const { job, account, named, staying, terminating } = input;
  const { conditions, events, times } = stated(input);
  const { startTime: _, completionTime: _before, ...before } = deepCopy<JobStatus>(job.status ?? {});
  const status: JobStatus = {
    ...before,
    ...times,
    ...(conditions.length > 0 && { conditions: [...conditions] }),
    succeeded: isIndexed(job) ? account.succeededIndexes.size : account.counted.succeeded,
    failed: account.counted.failed,
    terminating,
    uncountedTerminatedPods: {
      ...(named.succeeded.length > 0 && { succeeded: [...named.succeeded] }),
      ...(named.failed.length > 0 && { failed: [...named.failed] }),
    },
    ready: staying.filter(isReady).length,
    active: staying.length,
  };
  if (isIndexed(job)) {
    status.completedIndexes = formatIndexes(account.succeededIndexes);
    if (job.spec?.backoffLimitPerIndex !== undefined)
      status.failedIndexes = formatIndexes(account.failedIndexes);
  }
  return { status, events };
}

interface Statement {
  readonly conditions: readonly JobCondition[];
  readonly events: readonly JobEvent[];
  readonly times: Pick<JobStatus, 'startTime' | 'completionTime'>;
}

function stated(input: StatusInput): Statement {
  const { job, finish, startTime } = input;
  const { conditions = [], completionTime } = job.status ?? {};
  const unchanged: Statement = {
    conditions: deepCopy<JobCondition[]>(conditions),
    events: [],
    times: {
      ...(startTime !== undefined && { startTime }),
      ...(completionTime !== undefined && { completionTime }),
    },
  };
  if (finish !== undefined) return statedFinish(unchanged, finish, input);
  return isBeingDeleted(job) ? unchanged : statedSuspension(unchanged, input);
}

function statedSuspension({ conditions, times, events }: Statement, { job, now }: StatusInput): Statement {
  const isSuspended = job.spec?.suspend === true;
  const next = withSuspended(conditions, isSuspended, now);
  if (next === conditions) return { conditions, times, events };
  const { startTime: _, ...rest } = times;
  return {
    conditions: next,
    // The deadline counts the time without a break: a resumed job starts anew, a suspended one has not started.
    times: isSuspended ? rest : { ...rest, startTime: formatTime(now) },
    events: [
      isSuspended
        ? { type: 'normal', reason: 'Suspended', note: 'Job suspended' }
        : { type: 'normal', reason: 'Resumed', note: 'Job resumed' },
    ],
  };
}

/** First that it is to end, and when all of it has ended, that it has. */
function statedFinish({ conditions, times }: Statement, finish: Finish, input: StatusInput): Statement {
  const { isAllOver, now } = input;
  const ending = withTrue(conditions, finish.type, finish, now);
  if (!isAllOver) return { conditions: ending, times, events: [] };
  const isGood = finish.type === 'SuccessCriteriaMet';
  return {
    conditions: withTrue(ending, isGood ? 'Complete' : 'Failed', finish, now),
    times: isGood ? { ...times, completionTime: formatTime(now) } : times,
    events: [
      isGood
        ? { type: 'normal', reason: 'Completed', note: 'Job completed' }
        : { type: 'warning', reason: finish.reason, note: finish.message },
    ],
  };
}
