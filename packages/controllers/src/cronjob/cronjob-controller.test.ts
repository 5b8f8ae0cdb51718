// Cron jobs, as one sees them through the API. The clock stands at midnight of the new year.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerOf, formatTime } from '@windlass/apimachinery';
import { CronJob, Job } from '@windlass/apimachinery/api/batch/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { all, eventsOf } from '@windlass/cluster/testing/objects';
import { addManager, startControllers, template } from '../testing/controlled-cluster.ts';

const CRON = ['cronjob'];
const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

type Spec = Partial<NonNullable<CronJob['spec']>>;

const cronJobs = (cluster: TestCluster) => cluster.client.resource(CronJob).namespace('default');
const jobs = (cluster: TestCluster) => cluster.client.resource(Job).namespace('default');
const cronJob = (schedule: string, more: Spec = {}): CronJob => ({
  metadata: { name: 'tick' },
  spec: {
    schedule,
    jobTemplate: {
      metadata: { labels: { part: 'cron' }, annotations: { note: 'kept' } },
      spec: { template: { ...template({ part: 'pod' }), spec: jobPod } },
    },
    ...more,
  },
});
const jobPod = { containers: [{ name: 'main', image: 'tick:1' }], restartPolicy: 'Never' };
const nameAt = (ms: number): string => `tick-${ms / MINUTE}`;
const names = async (cluster: TestCluster): Promise<string[]> =>
  (await all(cluster, Job)).map(({ metadata }) => metadata?.name ?? '');
const active = async (cluster: TestCluster): Promise<(string | undefined)[]> =>
  ((await cronJobs(cluster).get('tick')).status?.active ?? []).map(({ name }) => name);

/** As the job controller would say it. */
async function finish(
  cluster: TestCluster,
  name: string,
  type: 'Complete' | 'Failed' = 'Complete',
): Promise<void> {
  const job = await jobs(cluster).get(name);
  const now = formatTime(cluster.clock.now());
  const condition = { status: 'True', lastTransitionTime: now, lastProbeTime: now };
  const early = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  await jobs(cluster).status.replace({
    ...job,
    status: {
      startTime: now,
      ...(type === 'Complete' && { completionTime: now, succeeded: 1 }),
      uncountedTerminatedPods: {},
      conditions: [
        { type: early, ...condition },
        { type, ...condition },
      ],
    },
  });
  await cluster.settled();
}

describe('a cron job', () => {
  it('starts a job at each time, and follows what becomes of it', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    const made = await cronJobs(cluster).create(cronJob('*/5 * * * *'));
    await cluster.advance(5 * MINUTE - 1);
    assert.deepEqual(await names(cluster), []);
    await cluster.advance(200);
    const first = nameAt(START + 5 * MINUTE);
    assert.deepEqual(await names(cluster), [first]);
    const job = await jobs(cluster).get(first);
    assert.equal(controllerOf(job)?.uid, made.metadata.uid);
    assert.equal(job.metadata?.labels?.['part'], 'cron');
    assert.deepEqual(
      [
        job.metadata?.annotations?.['note'],
        job.metadata?.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'],
      ],
      ['kept', '2026-01-01T00:05:00Z'],
    );
    const { status } = await cronJobs(cluster).get('tick');
    assert.equal(status?.lastScheduleTime, '2026-01-01T00:05:00Z');
    assert.deepEqual(status.active, [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        namespace: 'default',
        name: first,
        uid: job.metadata.uid,
        resourceVersion: job.metadata.resourceVersion,
      },
    ]);
    await cluster.advance(MINUTE);
    await finish(cluster, first);
    const done = (await cronJobs(cluster).get('tick')).status;
    assert.deepEqual([done?.active, done?.lastSuccessfulTime], [undefined, '2026-01-01T00:06:00Z']);
    await cluster.advance(5 * MINUTE);
    assert.deepEqual(await names(cluster), [first, nameAt(START + 10 * MINUTE)]);
    assert.deepEqual(
      (await eventsOf(cluster, 'tick')).filter((text) => text.includes(first)),
      [
        `SuccessfulCreate: Created job ${first}`,
        `SawCompletedJob: Saw completed job: ${first}, condition: Complete`,
      ],
    );
  });

  it('reads its schedule by the clocks of its place', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    // Half past six in the morning in Delhi.
    await cronJobs(cluster).create(cronJob('30 6 * * *', { timeZone: 'Asia/Kolkata' }));
    await cluster.advance(61 * MINUTE);
    const [job] = await all(cluster, Job);
    assert.equal(
      job?.metadata?.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'],
      '2026-01-01T06:30:00+05:30',
    );
  });

  it('runs beside, instead of or not with a job that is still active', async () => {
    for (const [policy, expected] of [
      ['Allow', [nameAt(START + MINUTE), nameAt(START + 2 * MINUTE)]],
      ['Replace', [nameAt(START + 2 * MINUTE)]],
      ['Forbid', [nameAt(START + MINUTE)]],
    ] as const) {
      await using test = await startControllers(CRON);
      const { cluster } = test;
      await cronJobs(cluster).create(cronJob('* * * * *', { concurrencyPolicy: policy }));
      await cluster.advance(MINUTE + 200);
      await cluster.advance(MINUTE);
      assert.deepEqual(await names(cluster), expected, policy);
      assert.deepEqual(await active(cluster), expected, policy);
      const events = await eventsOf(cluster, 'tick');
      assert.equal(
        events.some((text) => text.startsWith('JobAlreadyActive: ')),
        policy === 'Forbid',
      );
      assert.equal(
        events.includes(`SuccessfulDelete: Deleted job ${nameAt(START + MINUTE)}`),
        policy === 'Replace',
      );
    }
  });

  it('that waited for another one starts as soon as that has ended', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    await cronJobs(cluster).create(cronJob('*/10 * * * *', { concurrencyPolicy: 'Forbid' }));
    await cluster.advance(10 * MINUTE + 200);
    await cluster.advance(12 * MINUTE);
    await finish(cluster, nameAt(START + 10 * MINUTE));
    assert.deepEqual(await active(cluster), [nameAt(START + 20 * MINUTE)]);
  });

  it('does nothing while it is suspended, and makes up for the last time after that', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    await cronJobs(cluster).create(cronJob('*/10 * * * *', { suspend: true }));
    await cluster.advance(35 * MINUTE);
    assert.deepEqual(await names(cluster), []);
    await cronJobs(cluster).patch('tick', { spec: { suspend: false } });
    await cluster.settled();
    assert.deepEqual(await names(cluster), [nameAt(START + 30 * MINUTE)]);
  });

  it('starts nothing that is too late', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    await cronJobs(cluster).create(cronJob('*/10 * * * *', { suspend: true, startingDeadlineSeconds: 60 }));
    await cluster.advance(35 * MINUTE);
    await cronJobs(cluster).patch('tick', { spec: { suspend: false } });
    await cluster.settled();
    assert.deepEqual(await names(cluster), []);
    await cluster.advance(5 * MINUTE + 200);
    assert.deepEqual(await names(cluster), [nameAt(START + 40 * MINUTE)]);
  });

  it('warns when very many times were missed, and goes on', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    await cronJobs(cluster).create(cronJob('* * * * *', { suspend: true }));
    await cluster.advance(102 * MINUTE);
    await cronJobs(cluster).patch('tick', { spec: { suspend: false } });
    await cluster.settled();
    assert.deepEqual(await names(cluster), [nameAt(START + 102 * MINUTE)]);
    const events = await eventsOf(cluster, 'tick');
    assert.ok(
      events.some((text) => text.startsWith('TooManyMissedTimes: too many missed start times.')),
      events.join('\n'),
    );
  });

  it('with another schedule starts at the next time of that one, and at none before', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    await cronJobs(cluster).create(cronJob('0 0 * * *'));
    await cluster.advance(90 * MINUTE);
    await cronJobs(cluster).patch('tick', { spec: { schedule: '0 * * * *' } });
    await cluster.settled();
    assert.deepEqual(await names(cluster), [], 'one o’clock was not its time when it was one');
    await cluster.advance(31 * MINUTE);
    assert.deepEqual(await names(cluster), [nameAt(START + 120 * MINUTE)]);
  });

  it('keeps as many ended jobs as it is told', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    await cronJobs(cluster).create(
      cronJob('* * * * *', { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 }),
    );
    for (let minute = 1; minute <= 4; minute++) {
      await cluster.advance(minute === 1 ? MINUTE + 200 : MINUTE);
      await finish(cluster, nameAt(START + minute * MINUTE), minute % 2 === 0 ? 'Failed' : 'Complete');
    }
    assert.deepEqual(await names(cluster), [nameAt(START + 3 * MINUTE), nameAt(START + 4 * MINUTE)]);
  });

  it('deletes a job that it could not delete at first, and starts others meanwhile', async () => {
    await using test = await startControllers(CRON);
    const { cluster, controllers } = test;
    await cronJobs(cluster).create(cronJob('0 * * * *', { successfulJobsHistoryLimit: 0 }));
    await cluster.advance(60 * MINUTE + 200);
    const answer = { code: 409, reason: 'Conflict' };
    controllers.faults.fail({ method: 'DELETE', path: /\/jobs\//, answer, times: 3 });
    await finish(cluster, nameAt(START + 60 * MINUTE));
    await cluster.advance(1000);
    assert.deepEqual(await names(cluster), [], 'long before the next one is due');
  });

  it('notices a job that is gone, and one that it does not know', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    const made = await cronJobs(cluster).create(cronJob('0 * * * *'));
    await cluster.advance(60 * MINUTE + 200);
    const name = nameAt(START + 60 * MINUTE);
    await jobs(cluster).delete(name, { propagationPolicy: 'Background' });
    await cluster.settled();
    assert.deepEqual(await active(cluster), []);
    await jobs(cluster).create({
      metadata: {
        name: 'by-hand',
        ownerReferences: [
          {
            apiVersion: 'batch/v1',
            kind: 'CronJob',
            name: 'tick',
            uid: made.metadata.uid,
            controller: true,
          },
        ],
      },
      spec: { template: { spec: jobPod } },
    });
    await cluster.settled();
    const events = await eventsOf(cluster, 'tick');
    assert.ok(events.includes(`MissingJob: Active job went missing: ${name}`), events.join('\n'));
    assert.ok(
      events.includes('UnexpectedJob: Saw a job that the controller did not create or forgot: by-hand'),
      events.join('\n'),
    );
  });

  it('that can never run says so', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    await cronJobs(cluster).create(cronJob('0 0 30 2 *'));
    await cluster.settled();
    const events = await eventsOf(cluster, 'tick');
    assert.ok(
      events.some((text) => text.startsWith('InvalidSchedule: invalid schedule: 0 0 30 2 *')),
      events.join('\n'),
    );
  });

  it('is refused with a zone in its schedule', async () => {
    await using test = await startControllers(CRON);
    const { cluster } = test;
    await assert.rejects(
      cronJobs(cluster).create(cronJob('CRON_TZ=UTC 0 0 * * *')),
      /cannot use TZ or CRON_TZ in schedule, use timeZone field instead/,
    );
    await assert.rejects(
      cronJobs(cluster).create(cronJob('0 0 * * *', { timeZone: 'Mars/One' })),
      /unknown time zone Mars\/One/,
    );
  });
});

it('no job is started twice when the controller dies between any two writes', async () => {
  for (let writes = 0; writes < 4; writes++) {
    await using test = await startControllers(CRON);
    const { cluster, controllers } = test;
    await cronJobs(cluster).create(cronJob('*/10 * * * *'));
    await cluster.settled();
    controllers.faults.crashAfterWrites(writes);
    await cluster.advance(10 * MINUTE + 200);
    await addManager(cluster, CRON);
    const name = nameAt(START + 10 * MINUTE);
    assert.deepEqual(await names(cluster), [name], `after ${writes} writes`);
    assert.deepEqual(await active(cluster), [name], `after ${writes} writes`);
    assert.equal((await cronJobs(cluster).get('tick')).status?.lastScheduleTime, '2026-01-01T00:10:00Z');
  }
});
