import { parseTime } from '@windlass/apimachinery';
import { jobNameFor } from './cron-job.ts';
import { type DueInput, dueTime } from './due-times.ts';
import type { CronEvent } from './jobs.ts';

export interface Decision {
  /** The time for which to start a job; undefined when none is to be started. */
  readonly startFor: number | undefined;
  /** Whether jobs that are still active have to go first. */
  readonly isReplacing: boolean;
  readonly events: readonly CronEvent[];
  /** The schedule names no time that will ever come: there is no point in looking again. */
  readonly isOver: boolean;
}

const nothing = (...events: readonly CronEvent[]): Decision => ({
  startFor: undefined,
  isReplacing: false,
  events,
  isOver: false,
});

/** Whether a job is to be started now. The cron job's status must know what is active. */
export function decideStart(input: DueInput): Decision {
  const { cronJob, now } = input;
  const { spec, status } = cronJob;
  const due = dueTime(input);
  if (due.type === 'none' || due.type === 'lost') return nothing();
  if (due.type === 'never') {
    const note = `invalid schedule: ${spec?.schedule} : time difference between two schedules is less than 1 second`;
    return { ...nothing({ type: 'warning', reason: 'InvalidSchedule', note }), isOver: true };
  }
  const { at } = due;
  const events: CronEvent[] = [];
  if (due.isManyMissed)
    events.push({
      type: 'warning',
      reason: 'TooManyMissedTimes',
      note: 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    });
  const deadline = spec?.startingDeadlineSeconds;
  if (deadline !== undefined && at + deadline * 1000 < now) {
    const note = `Missed scheduled time to start a job: ${new Date(at).toUTCString().replace('GMT', '+0000')}`;
    return nothing(...events, { type: 'warning', reason: 'MissSchedule', note });
  }
  const name = jobNameFor(cronJob, at);
  const isActive = status?.active?.some(
    (reference) => reference.name === name && reference.namespace === cronJob.metadata.namespace,
  );
  const last = status?.lastScheduleTime;
  if (isActive === true || (last && parseTime(last) === at)) return nothing(...events);
  const hasActive = (status?.active ?? []).length > 0;
  if (hasActive && spec?.concurrencyPolicy === 'Forbid') {
    const note = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    return nothing(...events, { type: 'normal', reason: 'JobAlreadyActive', note });
  }
  const isReplacing = hasActive && spec?.concurrencyPolicy === 'Replace';
  return { startFor: at, isReplacing, events, isOver: false };
}
