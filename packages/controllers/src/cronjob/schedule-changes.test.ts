import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CronJob } from '@windlass/apimachinery/api/batch/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ReadonlyCronJob } from './cron-job.ts';
import { ScheduleChanges } from './schedule-changes.ts';

const cronJob = (schedule: string, uid = 'u1', timeZone?: string): ReadonlyCronJob =>
  served(CronJob, {
    metadata: { name: 'c', namespace: 'default', uid },
    spec: { schedule, jobTemplate: {}, ...(timeZone !== undefined && { timeZone }) },
  });

it('a schedule is as old as one knows, until it is seen to change', () => {
  const changes = new ScheduleChanges();
  const always = Number.NEGATIVE_INFINITY;
  assert.equal(changes.since(cronJob('@hourly'), 10), always);
  assert.equal(changes.since(cronJob('@hourly'), 20), always);
  assert.equal(changes.since(cronJob('@daily'), 30), 30);
  assert.equal(changes.since(cronJob('@daily'), 40), 30);
  assert.equal(
    changes.since(cronJob('@daily', 'u1', 'Asia/Kolkata'), 50),
    50,
    'another place is another time',
  );
  assert.equal(changes.since(cronJob('@daily', 'u2'), 60), always, 'another object of the same name is new');
  changes.forget('default/c');
  assert.equal(changes.since(cronJob('@weekly', 'u2'), 70), always);
});
