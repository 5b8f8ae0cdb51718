import {
  type Cached,
  type CronSchedule,
  controllerReferenceTo,
  deepCopy,
  parseCronSchedule,
  TimeZone,
} from '@windlass/apimachinery';
import { CronJob, type Job, type JobSpec } from '@windlass/apimachinery/api/batch/v1';

export type ReadonlyCronJob = Cached<CronJob>;

const SCHEDULED_TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** A time has one name, so that no two jobs are made for it. */
export function jobNameFor(cronJob: ReadonlyCronJob, at: number): string {
  return `${cronJob.metadata.name}-${Math.floor(at / 60_000)}`;
}

export function newJob(cronJob: ReadonlyCronJob, at: number): Job {
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  return {
    metadata: {
      name: jobNameFor(cronJob, at),
      namespace: cronJob.metadata.namespace,
      labels: { ...metadata?.labels },
      annotations: {
        ...metadata?.annotations,
        [SCHEDULED_TIMESTAMP]: new TimeZone(cronJob.spec?.timeZone ?? '').format(at),
      },
      ownerReferences: [controllerReferenceTo(cronJob, CronJob)],
    },
    ...(spec !== undefined && { spec: deepCopy<JobSpec>(spec) }),
  };
}

/**
 * Where the object names no zone, clocks are those of this program, as `kubectl explain` says.
 * @throws InvalidScheduleError
 * @throws UnknownTimeZoneError
 */
export function scheduleOf({ spec }: ReadonlyCronJob, localZone: TimeZone): CronSchedule {
  const zone = spec?.timeZone === undefined ? localZone : new TimeZone(spec.timeZone);
  return parseCronSchedule(spec?.schedule ?? '', zone);
}
