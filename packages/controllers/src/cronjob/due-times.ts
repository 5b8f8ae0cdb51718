// When a cron job should have run, and when it should run next.
import { type CronSchedule, parseTime } from '@windlass/apimachinery';
import type { ReadonlyCronJob } from './cron-job.ts';

/** More than the hours of a long weekend, and few enough to tell a broken clock. */
const MANY_MISSED = 100;
/** Clocks differ a little; who looks a moment too early finds nothing due. */
const LATE_MS = 100;

export type DueTime =
  /** Nothing since the last time. */
  | { readonly type: 'none' }
  /** The last of the times that have passed without a job; earlier ones are not made up for. */
  | { readonly type: 'due'; readonly at: number; readonly isManyMissed: boolean }
  /** The times are so irregular that none of the late ones was found. */
  | { readonly type: 'lost' }
  /** A date that no calendar has. */
  | { readonly type: 'never' };

export interface DueInput {
  readonly cronJob: ReadonlyCronJob;
  readonly schedule: CronSchedule;
  readonly now: number;
  /** When the schedule became what it is, as far as one knows: nothing before it was ever due. */
  readonly scheduledSince: number;
}

/** From when on times count. */
function earliestOf({ cronJob, scheduledSince }: DueInput): number {
  const { metadata, status } = cronJob;
  const text = status?.lastScheduleTime ?? metadata.creationTimestamp;
  return Math.max(text ? parseTime(text) : 0, scheduledSince);
}

/** The time for which a job should be there now. Those that are too late to begin with do not count. */
export function dueTime(input: DueInput): DueTime {
  const deadline = input.cronJob.spec?.startingDeadlineSeconds;
  const earliest = earliestOf(input);
  return mostRecent(
    input,
    deadline === undefined ? earliest : Math.max(earliest, input.now - deadline * 1000),
  );
}

/** In how many milliseconds to look again; undefined when there is no next time. */
export function nextDueInMs(input: DueInput): number | undefined {
  const { schedule, now } = input;
  const earliest = earliestOf(input);
  const recent = mostRecent(input, earliest);
  const after = recent.type === 'due' ? recent.at : recent.type === 'none' ? earliest : now;
  const next = schedule.next(after);
  return next === undefined ? undefined : Math.max(0, next - now) + LATE_MS;
}

function mostRecent({ schedule, now }: DueInput, earliest: number): DueTime {
  const first = schedule.next(earliest);
  if (first === undefined) return { type: 'never' };
  if (now < first) return { type: 'none' };
  const second = schedule.next(first);
  if (second === undefined || now < second) return { type: 'due', at: first, isManyMissed: false };
  // So many of that length have passed, if all are alike. The search begins a little earlier, for they are not.
  const length = second - first;
  const missed = Math.floor((now - first) / length) + 1;
  let at: number | undefined;
  for (
    let next = schedule.next(first + (missed - 2) * length);
    next !== undefined && next <= now;
    next = schedule.next(next)
  )
    at = next;
  if (at === undefined) return { type: 'lost' };
  return { type: 'due', at, isManyMissed: missed > MANY_MISSED };
}
