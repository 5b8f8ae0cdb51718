import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCronSchedule } from '@windlass/apimachinery';
import { CronJob } from '@windlass/apimachinery/api/batch/v1';
import { served } from '@windlass/apimachinery/testing';
import { type DueTime, dueTime, nextDueInMs } from './due-times.ts';

interface Row {
  readonly what: string;
  readonly schedule: string;
  readonly created?: string;
  readonly last?: string;
  readonly deadline?: number;
  readonly since?: string;
  readonly now: string;
  /** A time, or what there is instead. */
  readonly due: string;
  readonly next: string;
}

/** All times are on this day unless they say more. */
const at = (text: string): number => Date.parse(text.includes('-') ? text : `2026-05-20T${text}Z`);

const ROWS: readonly Row[] = [
  {
    what: 'not yet',
    schedule: '0 * * * *',
    created: '09:10:00',
    now: '09:59:59',
    due: 'none',
    next: '10:00:00',
  },
  {
    what: 'just now',
    schedule: '0 * * * *',
    created: '09:10:00',
    now: '10:00:00',
    due: '10:00:00',
    next: '11:00:00',
  },
  {
    what: 'a while ago',
    schedule: '0 * * * *',
    created: '09:10:00',
    now: '10:59:59',
    due: '10:00:00',
    next: '11:00:00',
  },
  {
    what: 'the last one counts',
    schedule: '0 * * * *',
    created: '00:10:00',
    last: '09:00:00',
    now: '09:30:00',
    due: 'none',
    next: '10:00:00',
  },
  {
    what: 'of several that were missed only the last is made up for',
    schedule: '0 * * * *',
    created: '01:10:00',
    now: '05:30:00',
    due: '05:00:00',
    next: '06:00:00',
  },
  {
    what: 'one hundred are not many',
    schedule: '* * * * *',
    last: '00:00:00',
    now: '01:40:30',
    due: '01:40:00',
    next: '01:41:00',
  },
  {
    what: 'more than one hundred are many',
    schedule: '* * * * *',
    last: '00:00:00',
    now: '01:42:30',
    due: '01:42:00 many',
    next: '01:43:00',
  },
  {
    what: 'with a deadline earlier ones were never missed',
    schedule: '* * * * *',
    last: '00:00:00',
    deadline: 200,
    now: '05:42:30',
    due: '05:42:00',
    next: '05:43:00',
  },
  {
    what: 'what is later than the deadline is not due',
    schedule: '0 * * * *',
    last: '09:00:00',
    deadline: 60,
    now: '10:05:00',
    due: 'none',
    next: '11:00:00',
  },
  {
    what: 'intervals go on from the last time',
    schedule: '@every 7m',
    last: '09:01:00',
    now: '09:30:00',
    due: '09:29:00',
    next: '09:36:00',
  },
  {
    what: 'times that are not alike are found all the same',
    schedule: '30 6-16/4 * * 1-5',
    created: '2026-05-14T10:30:30Z',
    now: '10:30:00',
    due: '10:30:00',
    next: '14:30:00',
  },
  {
    what: 'times before a change of the schedule were never due',
    schedule: '0 12 * * *',
    last: '00:00:00',
    since: '13:00:00',
    now: '13:00:01',
    due: 'none',
    next: '2026-05-21T12:00:00Z',
  },
  {
    what: 'a date that there is not',
    schedule: '59 23 31 2 *',
    created: '01:00:00',
    now: '02:00:00',
    due: 'never',
    next: 'never',
  },
];

const told = (due: DueTime): string =>
  due.type === 'due'
    ? `${new Date(due.at).toISOString().slice(11, 19)}${due.isManyMissed ? ' many' : ''}`
    : due.type;

describe('due times', () => {
  for (const { what, schedule, created, last, deadline, since, now, due, next } of ROWS)
    it(what, () => {
      const input = {
        cronJob: served(CronJob, {
          metadata: { creationTimestamp: new Date(at(created ?? '00:00:00')).toISOString() },
          spec: {
            schedule,
            jobTemplate: {},
            ...(deadline !== undefined && { startingDeadlineSeconds: deadline }),
          },
          ...(last !== undefined && { status: { lastScheduleTime: new Date(at(last)).toISOString() } }),
        }),
        schedule: parseCronSchedule(schedule),
        now: at(now),
        scheduledSince: since === undefined ? Number.NEGATIVE_INFINITY : at(since),
      };
      assert.equal(told(dueTime(input)), due);
      const inMs = nextDueInMs(input);
      if (next === 'never') assert.equal(inMs, undefined);
      else assert.equal(inMs, at(next) - at(now) + 100);
    });
});
