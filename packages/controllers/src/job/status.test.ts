import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import type { Job } from '@windlass/apimachinery/api/batch/v1';
import { accountOf } from './accounting.ts';
import type { Finish } from './finish.ts';
import { ago, indexed, job, NOW, running } from './plan-testing.ts';
import { jobStatus, type StatusInput } from './status.ts';

const statusOf = (of: Served<Job>, more: Partial<StatusInput> = {}) =>
  jobStatus({
    job: of,
    account: accountOf(of, []),
    named: { succeeded: [], failed: [] },
    startTime: of.status?.startTime,
    finish: undefined,
    isAllOver: false,
    staying: [],
    terminating: 0,
    now: NOW,
    ...more,
  });

const GOOD: Finish = { type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message: 'enough' };
const BAD: Finish = { type: 'FailureTarget', reason: 'BackoffLimitExceeded', message: 'too many' };

describe('what a job says of its end', () => {
  const rows: readonly [
    rule: string,
    finish: Finish,
    isAllOver: boolean,
    types: string[],
    completedAt: string | undefined,
    events: string[],
  ][] = [
    ['while pods are left: that it will be', GOOD, false, ['SuccessCriteriaMet'], undefined, []],
    [
      'when it succeeded, with the time',
      GOOD,
      true,
      ['SuccessCriteriaMet', 'Complete'],
      ago(0),
      ['normal Completed Job completed'],
    ],
    [
      'when it failed, without a time of completion, and why',
      BAD,
      true,
      ['FailureTarget', 'Failed'],
      undefined,
      ['warning BackoffLimitExceeded too many'],
    ],
  ];
  for (const [rule, finish, isAllOver, types, completedAt, told] of rows)
    it(rule, () => {
      const { status, events } = statusOf(job(), { finish, isAllOver });
      assert.deepEqual(
        status.conditions?.map(({ type }) => type),
        types,
      );
      assert.equal(status.completionTime, completedAt);
      assert.deepEqual(
        events.map(({ type, reason, note }) => `${type} ${reason} ${note}`),
        told,
      );
      assert.equal(status.startTime, ago(60));
    });
});

describe('a job that is suspended', () => {
  it('has not started', () => {
    const { status, events } = statusOf(job({ suspend: true }));
    assert.equal('startTime' in status, false);
    assert.deepEqual(events, [{ type: 'normal', reason: 'Suspended', note: 'Job suspended' }]);
  });

  it('starts anew when it is resumed', () => {
    const conditions = [{ type: 'Suspended', status: 'True' }];
    const { status, events } = statusOf(job({}, { conditions }), { startTime: ago(0) });
    assert.equal(status.startTime, ago(0));
    assert.deepEqual(events, [{ type: 'normal', reason: 'Resumed', note: 'Job resumed' }]);
  });

  it('does not say so any more when it is over or being deleted', () => {
    const deleted = job({ suspend: true });
    deleted.metadata = { ...deleted.metadata, deletionTimestamp: ago(0) };
    assert.equal(statusOf(deleted).status.conditions, undefined);
    const over = statusOf(job({ suspend: true }), { finish: BAD });
    assert.deepEqual(
      over.status.conditions?.map(({ type }) => type),
      ['FailureTarget'],
    );
  });
});

describe('the numbers', () => {
  it('are of the pods that stay', () => {
    const staying = [running('a', { isReady: true }), running('b')];
    const { status } = statusOf(job(), { staying, terminating: 3 });
    assert.deepEqual([status.active, status.ready, status.terminating], [2, 1, 3]);
  });

  it('of an indexed job are of its indexes; failed ones are listed only with a limit for each', () => {
    const before = { completedIndexes: '0,2', failedIndexes: '1', succeeded: 2 };
    const plain = statusOf(indexed({ completions: 4 }, before)).status;
    assert.deepEqual([plain.succeeded, plain.completedIndexes], [2, '0,2']);
    const limited = statusOf(indexed({ completions: 4, backoffLimitPerIndex: 1 }, before)).status;
    assert.equal(limited.failedIndexes, '1');
  });

  it('keep what others have written', () => {
    const { status } = statusOf(job({}, { startTime: ago(60), completionTime: ago(5) }));
    assert.equal(status.completionTime, ago(5));
  });
});
