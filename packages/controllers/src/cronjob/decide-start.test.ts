import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCronSchedule } from '@windlass/apimachinery';
import { CronJob, type CronJobStatus } from '@windlass/apimachinery/api/batch/v1';
import { served } from '@windlass/apimachinery/testing';
import { decideStart } from './decide-start.ts';

const CREATED = '2026-05-20T08:30:00Z';
const TEN = Date.parse('2026-05-20T10:00:00Z');
/** An hourly job that was last started at nine, a second after ten. */
const JUST_AFTER = TEN + 1000;
const active = (...names: readonly string[]): CronJobStatus => ({
  lastScheduleTime: '2026-05-20T09:00:00Z',
  active: names.map((name) => ({ name, namespace: 'default', uid: name })),
});
const NINE_JOB = `c-${TEN / 60_000 - 60}`;

interface Row {
  readonly what: string;
  readonly policy?: string;
  readonly deadline?: number;
  readonly status?: CronJobStatus;
  readonly now?: number;
  readonly schedule?: string;
  readonly starts?: 'ten' | 'replacing';
  readonly events?: readonly string[];
  readonly isOver?: boolean;
}

const ROWS: readonly Row[] = [
  { what: 'nothing is due', status: active(), now: TEN - 1 },
  { what: 'it is time', status: active(), starts: 'ten' },
  { what: 'it is time for the first one', starts: 'ten' },
  { what: 'others run, and may', policy: 'Allow', status: active(NINE_JOB), starts: 'ten' },
  {
    what: 'another one runs, and may not go on',
    policy: 'Replace',
    status: active(NINE_JOB),
    starts: 'replacing',
  },
  { what: 'none runs, and none could go on', policy: 'Replace', status: active(), starts: 'ten' },
  {
    what: 'another one runs, and none may come beside it',
    policy: 'Forbid',
    status: active(NINE_JOB),
    events: ['JobAlreadyActive'],
  },
  { what: 'none runs, so that one may come', policy: 'Forbid', status: active(), starts: 'ten' },
  { what: 'the one of this time runs', status: active(`c-${TEN / 60_000}`) },
  { what: 'the one of this time has been started', status: { lastScheduleTime: '2026-05-20T10:00:00Z' } },
  { what: 'it is late, but not too late', status: active(), deadline: 60, now: TEN + 59_000, starts: 'ten' },
  { what: 'it is too late', status: active(), deadline: 60, now: TEN + 61_000 },
  {
    what: 'many were missed',
    schedule: '* * * * *',
    status: { lastScheduleTime: '2026-05-20T00:00:00Z' },
    starts: 'ten',
    events: ['TooManyMissedTimes'],
  },
  { what: 'the date never comes', schedule: '0 0 30 2 *', events: ['InvalidSchedule'], isOver: true },
];

describe('whether a job is started', () => {
  for (const { what, policy, deadline, status, now = JUST_AFTER, schedule = '0 * * * *', ...row } of ROWS)
    it(what, () => {
      const decision = decideStart({
        cronJob: served(CronJob, {
          metadata: { name: 'c', namespace: 'default', creationTimestamp: CREATED },
          spec: {
            schedule,
            jobTemplate: {},
            ...(policy !== undefined && { concurrencyPolicy: policy }),
            ...(deadline !== undefined && { startingDeadlineSeconds: deadline }),
          },
          ...(status !== undefined && { status }),
        }),
        schedule: parseCronSchedule(schedule),
        now,
        scheduledSince: Number.NEGATIVE_INFINITY,
      });
      assert.deepEqual(
        { ...decision, events: decision.events.map(({ reason }) => reason) },
        {
          startFor: row.starts === undefined ? undefined : TEN,
          isReplacing: row.starts === 'replacing',
          events: row.events ?? [],
          isOver: row.isOver ?? false,
        },
      );
    });
});
