import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JobCondition } from '@windlass/apimachinery/api/batch/v1';
import { withSuspended, withTrue } from './conditions.ts';
import { ago, NOW } from './plan-testing.ts';

const WHY = { reason: 'R', message: 'M' };
const condition = (type: string, status: string): JobCondition => ({ type, status, reason: 'old' });
const shown = (conditions: readonly JobCondition[]): string[] =>
  conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);

describe('a condition that is true', () => {
  it('is added after the others, with its time', () => {
    const next = withTrue([condition('Suspended', 'False')], 'Complete', WHY, NOW);
    assert.deepEqual(shown(next), ['Suspended=False old', 'Complete=True R']);
    assert.deepEqual([next[1]?.lastTransitionTime, next[1]?.lastProbeTime], [ago(0), ago(0)]);
  });

  it('keeps its first reason: the very list', () => {
    const before = [condition('Failed', 'True')];
    assert.equal(withTrue(before, 'Failed', WHY, NOW), before);
  });

  it('takes the place of one that was false', () => {
    assert.deepEqual(shown(withTrue([condition('Failed', 'False')], 'Failed', WHY, NOW)), ['Failed=True R']);
  });
});

describe('whether a job is suspended', () => {
  const rows: readonly [rule: string, before: string | undefined, is: boolean, after: string[]][] = [
    ['is said when it is', undefined, true, ['Suspended=True JobSuspended']],
    ['is not said when it never was', undefined, false, []],
    ['is taken back when it is resumed', 'True', false, ['Suspended=False JobResumed']],
    ['is said again the next time', 'False', true, ['Suspended=True JobSuspended']],
    ['stays as it was said first', 'True', true, ['Suspended=True old']],
    ['stays taken back', 'False', false, ['Suspended=False old']],
  ];
  for (const [rule, before, isSuspended, after] of rows)
    it(rule, () => {
      const conditions = before === undefined ? [] : [condition('Suspended', before)];
      assert.deepEqual(shown(withSuspended(conditions, isSuspended, NOW)), after);
    });

  it('is said in its place among the others', () => {
    const conditions = [condition('Suspended', 'True'), condition('Other', 'True')];
    assert.deepEqual(shown(withSuspended(conditions, false, NOW)), [
      'Suspended=False JobResumed',
      'Other=True old',
    ]);
  });
});
