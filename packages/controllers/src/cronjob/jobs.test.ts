import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { CronJob, Job } from '@windlass/apimachinery/api/batch/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ReadonlyJob } from '../job/job-pods.ts';
import { beyondHistory, keepActive } from './jobs.ts';

/** `Complete` and `Failed` have ended; the minute is when it began, and it took five. */
const job = (name: string, state: 'Complete' | 'Failed' | 'running', minute?: number): ReadonlyJob => {
  const time = (of: number): string => `2026-05-20T10:${String(of).padStart(2, '0')}:00Z`;
  return served(Job, {
    metadata: { name, uid: name },
    status: {
      ...(minute !== undefined && { startTime: time(minute) }),
      ...(state === 'Complete' && minute !== undefined && { completionTime: time(minute + 5) }),
      ...(state !== 'running' && { conditions: [{ type: state, status: 'True' }] }),
    },
  });
};
const cronJob = (
  active: readonly string[],
  more: Partial<CronJob['spec']> = {},
  last?: string,
): Served<CronJob> =>
  served(CronJob, {
    spec: { schedule: '* * * * *', jobTemplate: {}, ...more },
    status: {
      active: active.map((name) => ({ name, uid: name, namespace: 'default' })),
      ...(last !== undefined && { lastSuccessfulTime: last }),
    },
  });
const keep = (of: Served<CronJob>, jobs: readonly ReadonlyJob[], gone: readonly string[] = []): unknown => {
  const { status, events } = keepActive(of, jobs, ({ uid }) => gone.includes(uid ?? ''));
  return {
    active: status.active?.map(({ name }) => name) ?? [],
    last: status.lastSuccessfulTime,
    events: events.map(({ reason, note }) => `${reason}: ${note}`),
  };
};

describe('the list of active jobs', () => {
  it('keeps what runs', () => {
    assert.deepEqual(keep(cronJob(['a']), [job('a', 'running', 0)]), {
      active: ['a'],
      last: undefined,
      events: [],
    });
  });

  it('loses what has ended, and remembers the last success', () => {
    const jobs = [job('a', 'Complete', 10), job('b', 'Failed', 20), job('c', 'Complete', 0)];
    assert.deepEqual(keep(cronJob(['a', 'b', 'c']), jobs), {
      active: [],
      last: '2026-05-20T10:15:00Z',
      events: [
        'SawCompletedJob: Saw completed job: a, condition: Complete',
        'SawCompletedJob: Saw completed job: b, condition: Failed',
        'SawCompletedJob: Saw completed job: c, condition: Complete',
      ],
    });
  });

  it('does not go back to an earlier success, nor needs the job to be listed', () => {
    const jobs = [job('a', 'Complete', 10)];
    const last = '2026-05-20T10:40:00Z';
    assert.deepEqual(keep(cronJob([], {}, last), jobs), { active: [], last, events: [] });
    assert.deepEqual(keep(cronJob([]), jobs), { active: [], last: '2026-05-20T10:15:00Z', events: [] });
  });

  it('warns of a job that it does not know', () => {
    assert.deepEqual(keep(cronJob([]), [job('a', 'running')]), {
      active: [],
      last: undefined,
      events: ['UnexpectedJob: Saw a job that the controller did not create or forgot: a'],
    });
  });

  it('loses what is really gone, and only that', () => {
    assert.deepEqual(keep(cronJob(['a', 'b']), [], ['b']), {
      active: ['a'],
      last: undefined,
      events: ['MissingJob: Active job went missing: b'],
    });
  });
});

describe('the history of jobs', () => {
  const jobs = [
    job('s3', 'Complete', 30),
    job('s1', 'Complete', 10),
    job('s2', 'Complete', 20),
    job('f1', 'Failed', 15),
    job('f0', 'Failed'),
    job('r', 'running', 1),
  ];
  const rows: [what: string, spec: Partial<CronJob['spec']>, expected: string[]][] = [
    ['no limit', {}, []],
    ['some of both', { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 }, ['s1', 'f1']],
    [
      'nothing is kept',
      { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 },
      ['s1', 's2', 's3', 'f1', 'f0'],
    ],
    ['only one limit', { failedJobsHistoryLimit: 0 }, ['f1', 'f0']],
    ['more than there are', { successfulJobsHistoryLimit: 9, failedJobsHistoryLimit: 9 }, []],
  ];
  for (const [what, spec, expected] of rows)
    it(what, () => {
      assert.deepEqual(
        beyondHistory(cronJob([], spec), jobs).map(({ metadata }) => metadata?.name),
        expected,
      );
    });
});
