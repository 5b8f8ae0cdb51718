// When and why a job of Kubernetes 1.36 is over, row by row (pkg/controller/job: syncJob, pastBackoffLimitOnFailure,
// pastActiveDeadline, matchSuccessPolicy).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import type { Job } from '@windlass/apimachinery/api/batch/v1';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { planJob } from './plan.ts';
import {
  ago,
  effect,
  failed,
  indexed,
  job,
  NOW,
  onFailure,
  reasons,
  running,
  succeeded,
} from './plan-testing.ts';

describe('why a job is over', () => {
  const oneFailed = {
    podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
  };
  const rows: [
    rule: string,
    job: Served<Job>,
    pods: Served<Pod>[],
    reasons: string[],
    effect?: Record<string, unknown>,
  ][] = [
    [
      'more pods failed than may',
      job({ backoffLimit: 1 }),
      [failed('a'), failed('b'), running('c')],
      ['FailureTarget=True BackoffLimitExceeded'],
      { kill: ['c'] },
    ],
    [
      'as many failed as may, and one more try is left',
      job({ backoffLimit: 1 }),
      [failed('a', { endedAgo: 99 })],
      [],
      { create: 1 },
    ],
    [
      'the default limit is six',
      job(),
      [1, 2, 3, 4, 5, 6, 7].map((n) => failed(`a${n}`)),
      ['FailureTarget=True BackoffLimitExceeded'],
    ],
    [
      'pods that restart in place count by their restarts, at the limit',
      job({ ...onFailure, backoffLimit: 3 }),
      [running('a', { restarts: 2, initRestarts: 1 })],
      ['FailureTarget=True BackoffLimitExceeded'],
      { kill: ['a'] },
    ],
    [
      'below the limit they may go on',
      job({ ...onFailure, backoffLimit: 3 }),
      [running('a', { restarts: 2 })],
      [],
    ],
    [
      'with a limit of 0 the first restart is too much',
      job({ ...onFailure, backoffLimit: 0 }),
      [running('a', { restarts: 1 })],
      ['FailureTarget=True BackoffLimitExceeded'],
      { kill: ['a'] },
    ],
    [
      'with a limit of 0 and no restart nothing has failed',
      job({ ...onFailure, backoffLimit: 0 }),
      [running('a')],
      [],
    ],
    [
      'restarts of a pod that never restarts in place do not count',
      job({ backoffLimit: 0 }),
      [running('a', { restarts: 5 })],
      [],
    ],
    [
      'restarts of pods that ended do not count',
      job({ ...onFailure, backoffLimit: 1, completions: 2 }),
      [succeeded('a', { restarts: 5 })],
      [],
      { create: 1 },
    ],
    [
      'its time is over, to the millisecond',
      job({ activeDeadlineSeconds: 60 }),
      [running('a')],
      ['FailureTarget=True DeadlineExceeded'],
      { kill: ['a'] },
    ],
    ['its time is not over', job({ activeDeadlineSeconds: 61 }), [running('a')], []],
    [
      'a suspended job has no deadline',
      job({ activeDeadlineSeconds: 1, suspend: true }),
      [],
      ['Suspended=True JobSuspended'],
    ],
    [
      'a failure that the policy names',
      job(oneFailed),
      [failed('a', { exitCode: 42 }), running('b')],
      ['FailureTarget=True PodFailurePolicy'],
      { kill: ['b'] },
    ],
    [
      'the policy comes before the limit',
      job({ ...oneFailed, backoffLimit: 0 }),
      [failed('a', { exitCode: 42 })],
      ['FailureTarget=True PodFailurePolicy'],
    ],
    [
      'more indexes failed than may',
      indexed({ parallelism: 2, completions: 4, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }),
      [failed('a', { index: 0 }), running('b', { index: 1 })],
      ['FailureTarget=True MaxFailedIndexesExceeded'],
      { kill: ['b'] },
    ],
    [
      'all indexes are over and one failed',
      indexed({ parallelism: 2, completions: 2, backoffLimitPerIndex: 0 }),
      [failed('a', { index: 0 }), succeeded('b', { index: 1 })],
      ['FailureTarget=True FailedIndexes'],
    ],
    [
      'all indexes are over although a pod still runs',
      indexed({ parallelism: 3, completions: 2, backoffLimitPerIndex: 0 }),
      [failed('a', { index: 0 }), succeeded('b', { index: 1 }), running('c', { index: 1 })],
      ['FailureTarget=True FailedIndexes'],
      { kill: ['c'] },
    ],
    [
      'a success policy does not make up for the last index that failed',
      indexed({
        completions: 2,
        backoffLimitPerIndex: 0,
        successPolicy: { rules: [{ succeededIndexes: '1' }] },
      }),
      [failed('a', { index: 0 }), succeeded('b', { index: 1 })],
      ['FailureTarget=True FailedIndexes'],
    ],
    [
      'the success policy is met',
      indexed({
        parallelism: 2,
        completions: 5,
        successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] },
      }),
      [succeeded('a', { index: 2 }), running('b', { index: 0 })],
      ['SuccessCriteriaMet=True SuccessPolicy'],
      { kill: ['b'] },
    ],
    [
      'all pods that are needed succeeded',
      job({ completions: 1 }),
      [succeeded('a')],
      ['SuccessCriteriaMet=True CompletionsReached'],
    ],
    [
      'without completions one success is enough, once the others ended',
      job({ parallelism: 2 }),
      [succeeded('a'), failed('b')],
      ['SuccessCriteriaMet=True CompletionsReached'],
    ],
    ['it waits for those that still run', job({ parallelism: 2 }), [succeeded('a'), running('b')], []],
    [
      'what was decided once stays so',
      job(
        { backoffLimit: 9 },
        {
          startTime: ago(60),
          conditions: [{ type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded', message: 'm' }],
        },
      ),
      [running('a')],
      ['FailureTarget=True DeadlineExceeded'],
      { kill: ['a'] },
    ],
  ];
  for (const [rule, each, pods, wanted, pods_ = {}] of rows)
    it(rule, () => {
      const plan = planJob(each, pods, NOW);
      assert.deepEqual(reasons(plan), wanted);
      assert.deepEqual(effect(plan), pods_);
    });
});

describe('the end', () => {
  const met = { type: 'SuccessCriteriaMet', status: 'True', reason: 'CompletionsReached', message: 'm' };
  const target = { type: 'FailureTarget', status: 'True', reason: 'BackoffLimitExceeded', message: 'm' };
  const rows: [rule: string, job: Served<Job>, pods: Served<Pod>[], type: string | undefined][] = [
    [
      'comes when all are counted',
      job({}, { conditions: [met], succeeded: 1 }),
      [succeeded('a', { isTracked: false })],
      'Complete',
    ],
    ['waits for pods that are not counted', job({}, { conditions: [met] }), [succeeded('a')], undefined],
    [
      'waits for pods that terminate',
      job({}, { conditions: [target] }),
      [running('a', { isDeleted: true, isTracked: false })],
      undefined,
    ],
    [
      'waits for pods that are killed',
      job({}, { conditions: [target] }),
      [running('a', { isTracked: false })],
      undefined,
    ],
    ['is a failure after a failure', job({}, { conditions: [target], failed: 7 }), [], 'Failed'],
  ];
  for (const [rule, each, pods, type] of rows)
    it(rule, () => {
      const plan = planJob(each, pods, NOW);
      const status = plan.status(0);
      const ends = (status.conditions ?? []).filter((one) => ['Complete', 'Failed'].includes(one.type));
      assert.deepEqual(
        ends.map((one) => one.type),
        type === undefined ? [] : [type],
      );
      assert.equal(status.completionTime, type === 'Complete' ? ago(0) : undefined);
      const [event] = plan.events;
      assert.equal(event?.type, type === undefined ? undefined : type === 'Complete' ? 'normal' : 'warning');
    });
});

describe('a suspended job', () => {
  const suspended = { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' };

  it('has not started, so that its deadline does not run', () => {
    const plan = planJob(job({ suspend: true }), [], NOW);
    assert.equal(plan.status(0).startTime, undefined);
    assert.deepEqual(
      plan.events.map(({ reason }) => reason),
      ['Suspended'],
    );
    assert.equal(planJob(job({ suspend: true }, {}), [], NOW).status(0).startTime, undefined);
  });

  it('starts anew when it is resumed: the deadline counts from then', () => {
    const resumed = job({ activeDeadlineSeconds: 100 }, { startTime: ago(90), conditions: [suspended] });
    const plan = planJob(resumed, [], NOW);
    assert.equal(plan.status(0).startTime, ago(0));
    assert.deepEqual(reasons(plan), ['Suspended=False JobResumed']);
    assert.deepEqual(
      plan.events.map(({ reason }) => reason),
      ['Resumed'],
    );
  });

  it('that goes on as it was keeps its start', () => {
    const going = job({}, { startTime: ago(90), conditions: [{ ...suspended, status: 'False' }] });
    assert.equal(planJob(going, [running('a')], NOW).status(0).startTime, ago(90));
  });
});
