import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RetryAfter } from './retry-after.ts';

function refuse(retry: RetryAfter, second: number, count: number): number {
  for (let at = 0; at < count; at++) retry.noteRefused(second);
  return retry.seconds;
}

describe('when to come back', () => {
  test('in a second, at first and while few are refused', () => {
    const retry = new RetryAfter();
    assert.equal(retry.seconds, 1);
    for (let second = 100; second < 110; second++) assert.equal(refuse(retry, second, 2), 1);
  });

  test('it doubles while many are refused, at most once in the time that it names, up to 32 seconds', () => {
    const retry = new RetryAfter();
    const seen = Array.from({ length: 64 }, (_, index) => refuse(retry, 100 + index, 200));
    assert.deepEqual(seen.slice(0, 8), [1, 2, 2, 4, 4, 4, 4, 8]);
    assert.equal(Math.max(...seen), 32);
    assert.equal(seen.at(-1), 32);
  });

  test('it goes down one by one when few are refused', () => {
    const retry = new RetryAfter();
    for (let second = 100; second < 104; second++) refuse(retry, second, 200);
    assert.equal(retry.seconds, 4);
    assert.deepEqual(
      [120, 130, 140, 150].map((second) => refuse(retry, second, 1)),
      [3, 2, 1, 1],
    );
  });
});
