// Jobs, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, formatTime, isBeingDeleted } from '@windlass/apimachinery';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { all, eventsOf } from '@windlass/cluster/testing/objects';
import { addManager, startControllers } from '../testing/controlled-cluster.ts';

const JOBS = ['job', 'garbagecollector'];
const INDEX = 'batch.kubernetes.io/job-completion-index';

type Spec = Partial<NonNullable<Job['spec']>>;

const jobs = (cluster: TestCluster) => cluster.client.resource(Job).namespace('default');
const job = (more: Spec = {}): Job => ({
  metadata: { name: 'work' },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'i' }] } },
    ...more,
  },
});

const running = async (cluster: TestCluster): Promise<Pod[]> =>
  (await all(cluster, Pod)).filter(
    (pod) => !isBeingDeleted(pod) && pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed',
  );

/** As a node would say it. */
async function end(
  cluster: TestCluster,
  pod: Pod | undefined,
  phase: 'Succeeded' | 'Failed',
  exitCode = 1,
): Promise<void> {
  assert.ok(pod !== undefined, 'there is no pod to end');
  const pods = cluster.client.resource(Pod).namespace('default');
  const current = await pods.get(pod.metadata?.name ?? '');
  const finishedAt = formatTime(cluster.clock.now());
  const terminated = { exitCode: phase === 'Failed' ? exitCode : 0, finishedAt };
  await pods.status.replace({
    ...current,
    status: {
      ...current.status,
      phase,
      containerStatuses: [
        { name: 'main', image: 'i', imageID: '', ready: false, restartCount: 0, state: { terminated } },
      ],
    },
  });
  await cluster.settled();
}

const statusOf = async (cluster: TestCluster): Promise<NonNullable<Job['status']>> =>
  (await jobs(cluster).get('work')).status ?? {};
const counts = async (cluster: TestCluster): Promise<unknown[]> => {
  const { active = 0, succeeded = 0, failed = 0 } = await statusOf(cluster);
  return [active, succeeded, failed];
};
const condition = async (cluster: TestCluster, type: string): Promise<unknown[]> => {
  const found = findCondition((await statusOf(cluster)).conditions, type);
  return [found?.status, found?.reason, found?.message];
};
const indexes = (pods: readonly Pod[]): string[] =>
  pods.map(({ metadata }) => metadata?.annotations?.[INDEX] ?? '').toSorted();

describe('a job', () => {
  it('runs its pods to the end, counts them once, and says that it is complete', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ completions: 3, parallelism: 2 }));
    await cluster.settled();
    const first = await running(cluster);
    assert.equal(first.length, 2);
    assert.deepEqual(first[0]?.metadata?.finalizers, ['batch.kubernetes.io/job-tracking']);
    assert.deepEqual(await counts(cluster), [2, 0, 0]);
    await end(cluster, first[0], 'Succeeded');
    assert.deepEqual(await counts(cluster), [2, 1, 0]);
    await end(cluster, first[1], 'Succeeded');
    assert.deepEqual(await counts(cluster), [1, 2, 0], 'no more than are wanted');
    await end(cluster, (await running(cluster))[0], 'Succeeded');
    const { status } = await jobs(cluster).get('work');
    assert.deepEqual(
      [status?.active, status?.succeeded, status?.uncountedTerminatedPods],
      [undefined, 3, {}],
    );
    assert.ok(status?.completionTime !== undefined && status.startTime !== undefined);
    for (const type of ['SuccessCriteriaMet', 'Complete'])
      assert.deepEqual(await condition(cluster, type), [
        'True',
        'CompletionsReached',
        'Reached expected number of succeeded pods',
      ]);
    const pods = await all(cluster, Pod);
    assert.ok(pods.length === 3 && pods.every(({ metadata }) => metadata?.finalizers === undefined));
    assert.ok((await eventsOf(cluster, 'work')).includes('Completed: Job completed'));
  });

  it('tries again after a failure, later each time, and gives up at its limit', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ backoffLimit: 2 }));
    await cluster.settled();
    await end(cluster, (await running(cluster))[0], 'Failed');
    assert.deepEqual(await counts(cluster), [0, 0, 1]);
    await cluster.advance(9000);
    assert.equal((await running(cluster)).length, 0);
    await cluster.advance(1500);
    await end(cluster, (await running(cluster))[0], 'Failed');
    await cluster.advance(19_000);
    assert.equal((await running(cluster)).length, 0, 'twice as long');
    await cluster.advance(1500);
    await end(cluster, (await running(cluster))[0], 'Failed');
    await cluster.advance(60_000);
    assert.deepEqual(await counts(cluster), [0, 0, 3]);
    for (const type of ['FailureTarget', 'Failed'])
      assert.deepEqual(await condition(cluster, type), [
        'True',
        'BackoffLimitExceeded',
        'Job has reached the specified backoff limit',
      ]);
    const events = await eventsOf(cluster, 'work');
    assert.ok(events.includes('BackoffLimitExceeded: Job has reached the specified backoff limit'));
  });

  it('is over at its deadline, with all its pods', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ parallelism: 2, completions: 2, activeDeadlineSeconds: 60 }));
    await cluster.advance(59_000);
    assert.equal((await running(cluster)).length, 2);
    await cluster.advance(2000);
    await cluster.advance(1000);
    assert.deepEqual(await condition(cluster, 'Failed'), [
      'True',
      'DeadlineExceeded',
      'Job was active longer than specified deadline',
    ]);
    assert.equal((await running(cluster)).length, 0);
    assert.deepEqual(await counts(cluster), [0, 0, 2]);
  });

  it('rests while it is suspended, and goes on', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ suspend: true }));
    await cluster.settled();
    assert.equal((await statusOf(cluster)).startTime, undefined);
    assert.deepEqual(await condition(cluster, 'Suspended'), ['True', 'JobSuspended', 'Job suspended']);
    await jobs(cluster).patch('work', { spec: { suspend: false } });
    await cluster.settled();
    assert.equal((await running(cluster)).length, 1);
    assert.deepEqual(await condition(cluster, 'Suspended'), ['False', 'JobResumed', 'Job resumed']);
    await jobs(cluster).patch('work', { spec: { suspend: true } });
    await cluster.settled();
    assert.equal((await running(cluster)).length, 0);
    assert.deepEqual(await counts(cluster), [0, 0, 0], 'pods that were put away have not failed');
  });

  it('has fewer pods when it is told to, and none of them has failed', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ parallelism: 3, completions: 5 }));
    await cluster.settled();
    await jobs(cluster).patch('work', { spec: { parallelism: 1 } });
    await cluster.settled();
    assert.equal((await running(cluster)).length, 1);
    assert.deepEqual(await counts(cluster), [1, 0, 0]);
  });

  it('that is deleted leaves no pod that is held by its finalizer', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ parallelism: 2, completions: 2 }));
    await cluster.settled();
    await jobs(cluster).delete('work', { propagationPolicy: 'Background' });
    await cluster.advance(1000);
    assert.deepEqual(await all(cluster, Pod), []);
  });

  it('counts each pod once, wherever the process dies', async () => {
    for (const writes of [1, 2, 3, 4, 5, 6]) {
      await using test = await startControllers(JOBS);
      const { cluster, controllers } = test;
      await jobs(cluster).create(job({ parallelism: 2, completions: 2, backoffLimit: 5 }));
      await cluster.settled();
      const [one, two] = await running(cluster);
      controllers.faults.crashAfterWrites(writes);
      await end(cluster, one, 'Failed');
      await end(cluster, two, 'Succeeded');
      await addManager(cluster, JOBS);
      await cluster.advance(60_000);
      assert.deepEqual(await counts(cluster), [1, 1, 1], `died after ${writes} writes`);
    }
  });
});

describe('an indexed job', () => {
  it('has one pod for each index, which knows it', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ completionMode: 'Indexed', completions: 4, parallelism: 3 }));
    await cluster.settled();
    const pods = await running(cluster);
    assert.deepEqual(indexes(pods), ['0', '1', '2']);
    const [first] = pods;
    assert.match(first?.metadata?.name ?? '', /^work-0-[a-z0-9]{5}$/);
    assert.equal(first?.spec?.hostname, 'work-0');
    assert.equal(first?.metadata?.labels?.[INDEX], '0');
    assert.deepEqual(first?.spec?.containers[0]?.env?.[0], {
      name: 'JOB_COMPLETION_INDEX',
      valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${INDEX}']` } },
    });
    await end(cluster, pods[1], 'Succeeded');
    assert.equal((await statusOf(cluster)).completedIndexes, '1');
    assert.deepEqual(indexes(await running(cluster)), ['0', '2', '3']);
    for (const pod of await running(cluster)) await end(cluster, pod, 'Succeeded');
    assert.equal((await statusOf(cluster)).completedIndexes, '0-3');
    assert.equal((await condition(cluster, 'Complete'))[0], 'True');
  });

  it('fails index by index when each has a limit', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(
      job({
        completionMode: 'Indexed',
        completions: 2,
        parallelism: 2,
        backoffLimitPerIndex: 1,
        backoffLimit: 100,
      }),
    );
    await cluster.settled();
    const of = async (index: string): Promise<Pod | undefined> =>
      (await running(cluster)).find(({ metadata }) => metadata?.annotations?.[INDEX] === index);
    await end(cluster, await of('0'), 'Failed');
    await cluster.advance(11_000);
    const again = await of('0');
    assert.equal(again?.metadata?.annotations?.['batch.kubernetes.io/job-index-failure-count'], '1');
    await end(cluster, again, 'Failed');
    await cluster.advance(60_000);
    assert.equal((await statusOf(cluster)).failedIndexes, '0');
    assert.equal(await of('0'), undefined, 'the index is not tried again');
    await end(cluster, await of('1'), 'Succeeded');
    await cluster.advance(1000);
    assert.deepEqual(await condition(cluster, 'Failed'), ['True', 'FailedIndexes', 'Job has failed indexes']);
    assert.deepEqual(await counts(cluster), [0, 1, 2]);
  });

  it('is done when its success policy says so', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(
      job({
        completionMode: 'Indexed',
        completions: 3,
        parallelism: 3,
        successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] },
      }),
    );
    await cluster.settled();
    const pods = await running(cluster);
    await end(cluster, pods[0], 'Succeeded');
    assert.equal((await condition(cluster, 'SuccessCriteriaMet'))[0], undefined);
    await end(cluster, pods[2], 'Succeeded');
    await cluster.advance(1000);
    assert.deepEqual(await condition(cluster, 'Complete'), [
      'True',
      'SuccessPolicy',
      'Matched rules at index 0',
    ]);
    assert.equal((await running(cluster)).length, 0);
  });
});

describe('a policy for failures', () => {
  const podFailurePolicy: NonNullable<Spec['podFailurePolicy']> = {
    rules: [
      { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
      { action: 'Ignore', onExitCodes: { operator: 'In', values: [7] } },
    ],
  };

  it('fails the job at once', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ parallelism: 2, completions: 2, podFailurePolicy }));
    await cluster.settled();
    const [pod] = await running(cluster);
    await end(cluster, pod, 'Failed', 42);
    await cluster.advance(1000);
    assert.deepEqual(await condition(cluster, 'Failed'), [
      'True',
      'PodFailurePolicy',
      `Container main for pod default/${pod?.metadata?.name} failed with exit code 42 matching FailJob rule at index 0`,
    ]);
    assert.equal((await running(cluster)).length, 0);
  });

  it('does not count what it ignores', async () => {
    await using test = await startControllers(JOBS);
    const { cluster } = test;
    await jobs(cluster).create(job({ backoffLimit: 0, podFailurePolicy }));
    await cluster.settled();
    await end(cluster, (await running(cluster))[0], 'Failed', 7);
    await cluster.advance(60_000);
    assert.deepEqual(await counts(cluster), [1, 0, 0]);
  });
});
