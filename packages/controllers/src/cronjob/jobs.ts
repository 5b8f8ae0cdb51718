// What has become of the jobs that a cron job started.
import { type Cached, type DeepReadonly, isConditionTrue, parseTime } from '@windlass/apimachinery';
import type { CronJobStatus, Job } from '@windlass/apimachinery/api/batch/v1';
import { isFinished, type ReadonlyJob } from '../job/job-pods.ts';
import type { ReadonlyCronJob } from './cron-job.ts';

export interface CronEvent {
  readonly type: 'normal' | 'warning';
  readonly reason: string;
  readonly note: string;
  /** The job that it is about. */
  readonly job?: ReadonlyJob;
}

export interface ActiveUpkeep {
  readonly status: CronJobStatus;
  readonly events: readonly CronEvent[];
}

const hasSucceeded = ({ status }: ReadonlyJob): boolean => isConditionTrue(status?.conditions, 'Complete');

/**
 * Brings the list of active jobs up to date.
 * @param jobs all that the cron job controls
 * @param isGone whether an active job that is not among them is really gone
 */
export function keepActive(
  { status }: ReadonlyCronJob,
  jobs: readonly ReadonlyJob[],
  isGone: (reference: DeepReadonly<NonNullable<CronJobStatus['active']>[number]>) => boolean,
): ActiveUpkeep {
  const events: CronEvent[] = [];
  const { active: listed = [], ...rest } = status ?? {};
  let active = listed.map((reference) => ({ ...reference }));
  let last = rest.lastSuccessfulTime;
  const drop = (uid: string): void => {
    active = active.filter((reference) => reference.uid !== uid);
  };
  for (const job of jobs) {
    const isListed = active.some(({ uid }) => uid === job.metadata.uid);
    if (!isFinished(job)) {
      if (!isListed)
        events.push({
          type: 'warning',
          reason: 'UnexpectedJob',
          note: `Saw a job that the controller did not create or forgot: ${job.metadata.name}`,
          job,
        });
      continue;
    }
    if (isListed) {
      drop(job.metadata.uid);
      const condition = hasSucceeded(job) ? 'Complete' : 'Failed';
      events.push({
        type: 'normal',
        reason: 'SawCompletedJob',
        note: `Saw completed job: ${job.metadata.name}, condition: ${condition}`,
        job,
      });
    }
    const ended = job.status?.completionTime;
    if (hasSucceeded(job) && ended && (!last || parseTime(ended) > parseTime(last))) last = ended;
  }
  const known = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const reference of active) {
    if (known.has(reference.uid ?? '') || !isGone(reference)) continue;
    drop(reference.uid ?? '');
    const note = `Active job went missing: ${reference.name}`;
    events.push({ type: 'normal', reason: 'MissingJob', note });
  }
  return {
    status: {
      ...rest,
      ...(active.length > 0 && { active }),
      ...(last !== undefined && { lastSuccessfulTime: last }),
    },
    events,
  };
}

/** Those beyond what is kept, oldest first. */
export function beyondHistory({ spec }: ReadonlyCronJob, jobs: readonly ReadonlyJob[]): ReadonlyJob[] {
  const ended = jobs.filter(isFinished);
  return [
    ...oldest(ended.filter(hasSucceeded), spec?.successfulJobsHistoryLimit),
    ...oldest(
      ended.filter((job) => !hasSucceeded(job)),
      spec?.failedJobsHistoryLimit,
    ),
  ];
}

function oldest(jobs: readonly ReadonlyJob[], limit: number | undefined): ReadonlyJob[] {
  if (limit === undefined || jobs.length <= limit) return [];
  return jobs.toSorted(byStart).slice(0, jobs.length - limit);
}

function startOf({ status }: Cached<Job>): number {
  return status?.startTime ? parseTime(status.startTime) : Number.POSITIVE_INFINITY;
}

/** Those that never began last. */
function byStart(a: Cached<Job>, b: Cached<Job>): number {
  const [left, right] = [startOf(a), startOf(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
