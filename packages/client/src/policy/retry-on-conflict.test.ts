import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newConflict, newNotFound } from '@windlass/apimachinery';
import { CancelledError, FakeClock, SeededRandom } from '@windlass/base';
import { retryOnConflict } from './retry-on-conflict.ts';

const PODS = { group: '', resource: 'pods' };
const settings = () => ({ clock: new FakeClock(), random: new SeededRandom(1), jitter: 0 });

test('runs again after a conflict, waiting longer each time', async () => {
  const options = settings();
  const at: number[] = [];
  const done = retryOnConflict(async () => {
    at.push(options.clock.monotonic());
    if (at.length < 4) throw newConflict(PODS, 'a');
    return 'written';
  }, options);
  await options.clock.advance(100);
  assert.equal(await done, 'written');
  assert.deepEqual(at, [0, 10, 30, 70]);
});

test('gives up after so many attempts with the last conflict', async () => {
  const options = settings();
  let calls = 0;
  const done = retryOnConflict(
    async () => {
      calls++;
      throw newConflict(PODS, `a${calls}`);
    },
    { ...options, attempts: 3 },
  );
  const outcome = assert.rejects(done, /pods "a3"/);
  await options.clock.advance(1000);
  await outcome;
  assert.equal(calls, 3);
});

test('any other error is thrown on at once', async () => {
  let calls = 0;
  const done = retryOnConflict(async () => {
    calls++;
    throw newNotFound(PODS, 'a');
  }, settings());
  await assert.rejects(done, { code: 'STATUS_NOT_FOUND' });
  assert.equal(calls, 1);
});

test('an abort ends the waiting', async () => {
  const options = settings();
  const controller = new AbortController();
  const done = retryOnConflict(
    async () => {
      throw newConflict(PODS, 'a');
    },
    { ...options, signal: controller.signal },
  );
  await options.clock.settle();
  controller.abort();
  await assert.rejects(done, CancelledError);
  assert.equal(options.clock.pendingTimers, 0);
});
