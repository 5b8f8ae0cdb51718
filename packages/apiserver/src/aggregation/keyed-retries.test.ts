import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, nextTurn } from '@windlass/base';
import { KeyedRetries, type KeyedRun, retryDelay } from './keyed-retries.ts';

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

test('a key is run again after its delay, longer after each failure, and counts start over', async () => {
  const clock = new FakeClock();
  const failures: number[] = [];
  let isFailure = true;
  await using retries = new KeyedRetries({
    clock,
    run: async (_key, count) => {
      failures.push(count);
      return { isFailure, againInMs: isFailure ? retryDelay(count, 10, 1000) : 1000 };
    },
  });
  retries.add('a');
  for (const ms of [10, 20, 40]) {
    await settled();
    clock.advanceSync(ms - 1);
    await settled();
    const before = failures.length;
    clock.advanceSync(1);
    await settled();
    assert.equal(failures.length, before + 1, `${ms} ms`);
  }
  isFailure = false;
  clock.advanceSync(80);
  await settled();
  clock.advanceSync(1000);
  await settled();
  assert.deepEqual(failures, [0, 1, 2, 3, 4, 0]);
  retries.forget('a');
  clock.advanceSync(5000);
  await settled();
  assert.equal(failures.length, 6);
});

test('a key is never run twice at once, and once more when it was asked for meanwhile', async () => {
  const clock = new FakeClock();
  const running: ((run: KeyedRun) => void)[] = [];
  await using retries = new KeyedRetries({
    clock,
    run: () => new Promise<KeyedRun>((resolve) => void running.push(resolve)),
  });
  for (const key of ['a', 'a', 'b', 'a']) retries.add(key);
  assert.equal(running.length, 2);
  const done = { isFailure: false, againInMs: undefined };
  running[0]?.(done);
  running[1]?.(done);
  await settled();
  assert.equal(running.length, 3);
  running[2]?.(done);
  await settled();
  assert.equal(running.length, 3);
});

test('the delay doubles up to its limit', () => {
  assert.deepEqual(
    [0, 1, 5, 100].map((failures) => retryDelay(failures, 5, 30_000)),
    [5, 10, 160, 30_000],
  );
});
