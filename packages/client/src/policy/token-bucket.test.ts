import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelledError, FakeClock } from '@windlass/base';
import { TokenBucket } from './token-bucket.ts';

test('a burst at once, then so many a second, in the order of asking', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ clock, qps: 10, burst: 2 });
  const order: string[] = [];
  for (let index = 0; index < 5; index++) {
    void bucket.take().then((waited) => order.push(`${index} after ${waited}`));
  }
  await clock.settle();
  assert.deepEqual(order, ['0 after 0', '1 after 0']);
  await clock.advance(99);
  assert.equal(order.length, 2);
  await clock.advance(1);
  assert.deepEqual(order.slice(2), ['2 after 100']);
  await clock.advance(200);
  assert.deepEqual(order.slice(3), ['3 after 200', '4 after 300']);
});

test('saved tokens never exceed the burst', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ clock, qps: 1, burst: 3 });
  await clock.advance(3_600_000);
  const waits = [bucket.take(), bucket.take(), bucket.take(), bucket.take()];
  await clock.advance(1000);
  assert.deepEqual(await Promise.all(waits), [0, 0, 0, 1000]);
});

test('who gives up waiting leaves the token to others, and no timer', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ clock, qps: 1, burst: 1 });
  await bucket.take();
  const controller = new AbortController();
  const given = bucket.take(controller.signal);
  controller.abort();
  await assert.rejects(given, CancelledError);
  assert.equal(clock.pendingTimers, 0);
  const next = bucket.take();
  await clock.advance(1000);
  assert.equal(await next, 1000);
});

test('bad options are named', () => {
  const clock = new FakeClock();
  assert.throws(
    () => new TokenBucket({ clock, qps: 0, burst: 1 }),
    /qps must be a number above 0, but it is 0/,
  );
  assert.throws(() => new TokenBucket({ clock, qps: 1, burst: 0.5 }), /burst must be a whole number/);
});
