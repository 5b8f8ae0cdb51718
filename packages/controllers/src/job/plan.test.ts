// What the job controller of Kubernetes 1.36 does with the pods of a job, row by row (pkg/controller/job: manageJob,
// activePodsForRemoval, firstPendingIndexes, getRemainingTime).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import type { Job } from '@windlass/apimachinery/api/batch/v1';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { annotationsOf } from '../shared/meta.ts';
import { INDEX_FAILURES, INDEX_IGNORED_FAILURES } from './job-pods.ts';
import { planJob } from './plan.ts';
import { ago, effect, failed, indexed, job, NOW, pod, reasons, running, succeeded } from './plan-testing.ts';

describe('how many pods run', () => {
  const rows: [rule: string, job: Served<Job>, pods: Served<Pod>[], effect: Record<string, unknown>][] = [
    ['without a number, one runs at a time', job(), [], { create: 1 }],
    [
      'as many as may run in parallel',
      job({ parallelism: 3, completions: 5 }),
      [running('a')],
      { create: 2 },
    ],
    [
      'never more than are still needed',
      job({ parallelism: 3, completions: 2 }),
      [succeeded('a')],
      { create: 1 },
    ],
    ['none in a job of no parallelism', job({ parallelism: 0 }), [], {}],
    [
      'those above the parallelism go',
      job({ parallelism: 1, completions: 5 }),
      [running('a', { isReady: true }), running('b')],
      { drop: ['b'] },
    ],
    [
      'without completions the first success ends the starts',
      job({ parallelism: 3 }),
      [succeeded('a'), running('b')],
      {},
    ],
    [
      'a suspended job has none',
      job({ suspend: true, parallelism: 2 }),
      [running('a'), running('b')],
      { drop: ['a', 'b'] },
    ],
    [
      'no more than 500 are created in one run',
      job({ parallelism: 600, completions: 600 }),
      [],
      { create: 500 },
    ],
    [
      'a pod that terminates is replaced at once',
      job(),
      [running('a', { isDeleted: true, isTracked: false })],
      { create: 1 },
    ],
    [
      'unless only failed ones are replaced',
      job({ podReplacementPolicy: 'Failed' }),
      [running('a', { isDeleted: true })],
      {},
    ],
    [
      'the lowest indexes that nobody works on come first',
      indexed({ parallelism: 3, completions: 9 }, { completedIndexes: '0,2', succeeded: 2 }),
      [running('b', { index: 1 })],
      { create: '3,4' },
    ],
    [
      'of two pods with one index, one goes',
      indexed({ parallelism: 2, completions: 2 }),
      [running('a', { index: 0, isReady: true }), running('b', { index: 0 }), running('c', { index: 1 })],
      { drop: ['b'] },
    ],
    [
      'a pod without an index, or with one too high, goes',
      indexed({ parallelism: 4, completions: 2 }),
      [running('a'), running('b', { index: 2 }), running('c', { index: 1 })],
      { drop: ['a', 'b'] },
    ],
    [
      'a failed index is not tried again',
      indexed({ parallelism: 2, completions: 3, backoffLimitPerIndex: 0 }),
      [failed('a', { index: 0 }), running('b', { index: 1 })],
      { create: '2' },
    ],
    [
      'an index that terminates is not tried before it ended, if only failed ones are replaced',
      indexed({ parallelism: 2, completions: 2, podReplacementPolicy: 'Failed' }),
      [running('a', { index: 0, isDeleted: true })],
      { create: '1' },
    ],
  ];
  for (const [rule, each, pods, wanted] of rows)
    it(rule, () => {
      assert.deepEqual(effect(planJob(each, pods, NOW)), wanted);
    });
});

describe('the status', () => {
  it('counts what runs, what is ready and what terminates', () => {
    const pods = [
      running('a', { isReady: true }),
      running('b'),
      running('c', { isDeleted: true }),
      pod('d', 'Pending'),
    ];
    const { active, ready, terminating } = planJob(job({ parallelism: 3, completions: 9 }), pods, NOW).status(
      0,
    );
    assert.deepEqual([active, ready, terminating], [3, 1, 1]);
  });

  it('counts the pods that were created, and not those that go', () => {
    const more = planJob(job({ parallelism: 3, completions: 9 }), [running('a')], NOW);
    assert.deepEqual([more.status(2).active, more.status(1).active], [3, 2]);
    const fewer = planJob(
      job({ parallelism: 1, completions: 9 }),
      [running('a', { isReady: true }), running('b', { isReady: true })],
      NOW,
    );
    assert.deepEqual([fewer.status(0).active, fewer.status(0).ready], [1, 1]);
  });

  it('names an end before it counts it, and counts it once its finalizer is gone', () => {
    const first = planJob(job({ completions: 3 }), [succeeded('a'), failed('b')], NOW);
    const status = first.status(0);
    assert.deepEqual(status.uncountedTerminatedPods, { succeeded: ['a'], failed: ['b'] });
    assert.deepEqual([status.succeeded, status.failed], [0, 0]);
    assert.deepEqual(
      first.release.map(({ metadata }) => metadata.name),
      ['a', 'b'],
    );
    const second = planJob(
      job({ completions: 3 }, status),
      [succeeded('a', { isTracked: false })],
      NOW,
    ).status(0);
    assert.deepEqual([second.succeeded, second.failed, second.uncountedTerminatedPods], [1, 1, {}]);
  });

  it('lists indexes, and failed ones only with a limit for each', () => {
    const pods = [
      succeeded('a', { index: 0 }),
      succeeded('b', { index: 1 }),
      succeeded('c', { index: 2 }),
      failed('d', { index: 4 }),
    ];
    const spec = { completions: 9, parallelism: 1 };
    const plain = planJob(indexed(spec), pods, NOW).status(0);
    assert.deepEqual([plain.completedIndexes, plain.failedIndexes, plain.succeeded], ['0-2', undefined, 3]);
    const limited = planJob(indexed({ ...spec, backoffLimitPerIndex: 0 }), pods, NOW).status(0);
    assert.deepEqual([limited.completedIndexes, limited.failedIndexes], ['0-2', '4']);
  });
});

describe('the wait', () => {
  const rows: [
    rule: string,
    job: Served<Job>,
    pods: Served<Pod>[],
    seconds: number | undefined,
    creates: number,
  ][] = [
    ['is 10 s after a failure', job(), [failed('a', { endedAgo: 4 })], 6, 0],
    [
      'is twice as long after the second',
      job(),
      [failed('a', { endedAgo: 30 }), failed('b', { endedAgo: 4 })],
      16,
      0,
    ],
    [
      'is never longer than ten minutes',
      job({ backoffLimit: 99 }),
      Array.from({ length: 20 }, (_, n) => failed(`a${n}`)),
      600,
      0,
    ],
    [
      'begins anew after a success',
      job({ completions: 5 }),
      [failed('a', { endedAgo: 9 }), succeeded('b', { endedAgo: 5 })],
      undefined,
      1,
    ],
    ['is over', job(), [failed('a', { endedAgo: 10 })], undefined, 1],
    [
      'ends with the deadline if that is earlier',
      job({ activeDeadlineSeconds: 62 }),
      [failed('a', { endedAgo: 4 })],
      2,
      0,
    ],
    ['is for the deadline alone while pods run', job({ activeDeadlineSeconds: 100 }), [running('a')], 40, 0],
    [
      'is that of the index that may come first',
      indexed({ completions: 2, parallelism: 2, backoffLimitPerIndex: 3 }),
      [failed('a', { index: 0, endedAgo: 3 }), failed('b', { index: 1, endedAgo: 8 })],
      2,
      0,
    ],
    [
      'of an index does not hold up another',
      indexed({ completions: 2, parallelism: 2, backoffLimitPerIndex: 3 }),
      [failed('a', { index: 0, endedAgo: 3 })],
      7,
      1,
    ],
  ];
  for (const [rule, each, pods, seconds, creates] of rows)
    it(rule, () => {
      const plan = planJob(each, pods, NOW);
      assert.equal(plan.againInMs, seconds === undefined ? undefined : seconds * 1000);
      assert.equal(plan.create.length, creates);
    });

  it('passes the failures of an index on to its next pod, ignored ones by themselves', () => {
    const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [7] } }];
    const spec = { completions: 1, backoffLimitPerIndex: 3, podFailurePolicy: { rules } };
    const next = (exitCode: number): unknown[] => {
      const last = failed('a', { index: 0, failures: 1, endedAgo: 99, exitCode });
      const [created] = planJob(indexed(spec), [last], NOW).create;
      const annotations = created === undefined ? {} : annotationsOf(created);
      return [annotations[INDEX_FAILURES], annotations[INDEX_IGNORED_FAILURES]];
    };
    assert.deepEqual(next(1), ['2', undefined]);
    assert.deepEqual(next(7), ['1', '1']);
  });
});

it('a job that is deleted gets no pods, and does not say that it is suspended', () => {
  const deleted = job({ suspend: true });
  const plan = planJob(
    { ...deleted, metadata: { ...deleted.metadata, deletionTimestamp: ago(1) } },
    [running('a')],
    NOW,
  );
  assert.deepEqual([effect(plan), reasons(plan)], [{}, []]);
});
