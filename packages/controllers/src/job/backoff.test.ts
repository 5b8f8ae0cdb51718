import assert from 'node:assert/strict';
import { it } from 'node:test';
import { backoffMs, indexBackoffMs } from './backoff.ts';
import { failed, job, NOW, pod } from './plan-testing.ts';

const SECOND = 1000;
const HOUR = 3_600_000;

it('the next pod waits twice as long after each failure', () => {
  const rows: readonly (readonly [failures: number, waitSeconds: number])[] = [
    [0, 0],
    [1, 10],
    [2, 20],
    [3, 40],
    [9, 600],
  ];
  for (const [failures, seconds] of rows) {
    const pods = Array.from({ length: failures }, (_, index) => failed(`p${index}`));
    assert.equal(backoffMs(job(), pods, NOW), seconds * SECOND, `${failures} failures`);
    assert.equal(backoffMs(job(), pods, NOW + HOUR), 0, `${failures} failures, an hour later`);
  }
});

it('a clock that is behind looks again after the usual time', () => {
  assert.equal(backoffMs(job(), [failed('a'), failed('b')], NOW - HOUR), 20 * SECOND);
  assert.equal(indexBackoffMs(pod('a', 'Failed', { index: 0 }), NOW - HOUR), 10 * SECOND);
});
