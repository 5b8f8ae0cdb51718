import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import type { RateLimiter } from './rate-limiters/rate-limiter.ts';
import { WorkQueue } from './work-queue.ts';

interface Fixture {
  readonly clock: FakeClock;
  readonly queue: WorkQueue;
  /** Runs the key, fails, and says when it will be tried again. */
  readonly fail: () => number | undefined;
}

const setUp = (rateLimiter?: RateLimiter<string>): Fixture => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock, ...(rateLimiter === undefined ? {} : { rateLimiter }) });
  const fail = (): number | undefined => {
    const item = queue.tryGet();
    assert.equal(item?.key, 'a');
    queue.addRateLimited('a', { reason: 'failed' });
    queue.done(item);
    return queue.snapshot().delayedKeys[0]?.dueInMs;
  };
  return { clock, queue, fail };
};

test('each failure doubles the delay, from 5 ms to 1000 s', async () => {
  const { clock, queue, fail } = setUp();
  queue.add('a');
  const delays: number[] = [];
  for (let failure = 1; failure <= 20; failure++) {
    const delay = fail()!;
    delays.push(delay);
    assert.equal(queue.retries('a'), failure);
    await clock.advance(delay);
  }
  assert.deepEqual(delays.slice(0, 5), [5, 10, 20, 40, 80]);
  assert.deepEqual(delays.slice(-3), [655_360, 1_000_000, 1_000_000]);
});

test('a failure while the last retry is still pending neither counts nor moves it', async () => {
  const { clock, queue, fail } = setUp();
  queue.add('a');
  for (const delay of [5, 10]) {
    assert.equal(fail(), delay);
    await clock.advance(delay);
  }
  assert.equal(fail(), 20);
  // Three events come during the back-off, and each run of them fails too.
  for (const left of [15, 10, 5]) {
    await clock.advance(5);
    queue.add('a');
    assert.equal(fail(), left);
    assert.equal(queue.retries('a'), 3);
  }
  await clock.advance(5);
  assert.equal(fail(), 40, 'only the retry itself counts');
});

test('such a failure still adds its reason and its priority', async () => {
  const { clock, queue } = setUp();
  queue.addRateLimited('a', { reason: 'first', priority: -1 });
  queue.addRateLimited('a', { reason: 'second', priority: 4 });
  await clock.advance(5);
  const item = queue.tryGet();
  assert.deepEqual([item?.reasons.kept, item?.priority], [['first', 'second'], 4]);
});

test('forget starts over, also while a retry is pending: the next failure does not wait for the old delay', async () => {
  const { clock, queue, fail } = setUp();
  queue.add('a');
  for (let failure = 0; failure < 10; failure++) await clock.advance(fail()!);
  assert.equal(fail(), 5120);
  // An event comes, and the run of it succeeds.
  queue.add('a');
  const item = queue.tryGet()!;
  queue.forget('a');
  queue.done(item);
  assert.equal(queue.retries('a'), 0);
  assert.equal(queue.delayedCount, 1, 'the pending add is not taken back: it may be somebody else’s');
  queue.add('a');
  assert.equal(fail(), 5);
});

test('a retry and a delay of the caller are one: the earlier wins', async () => {
  const { clock, queue } = setUp();
  queue.addAfter('a', 600_000);
  queue.addRateLimited('a');
  assert.equal(queue.snapshot().delayedKeys[0]?.dueInMs, 5);
  await clock.advance(5);
  assert.equal(queue.length, 1);
  assert.equal(queue.delayedCount, 0);
});

test('after cancel the next failure counts again', () => {
  const { queue } = setUp();
  queue.addRateLimited('a');
  queue.cancel('a');
  queue.addRateLimited('a');
  assert.deepEqual([queue.retries('a'), queue.snapshot().delayedKeys[0]?.dueInMs], [2, 10]);
});

test('a caller with a retry limit of his own asks for the retries and then forgets', async () => {
  const { clock, queue } = setUp();
  let runs = 0;
  const worker = async (): Promise<void> => {
    for await (const { key } of queue.items()) {
      runs++;
      if (queue.retries(key) < 5) queue.addRateLimited(key);
      else queue.forget(key);
    }
  };
  const work = worker();
  queue.add('a');
  await clock.runUntilIdle();
  assert.equal(runs, 6);
  assert.equal(queue.retries('a'), 0);
  await queue.shutDown();
  await work;
});

test('a limiter that says 0 or less has it run again at once', () => {
  for (const delay of [0, -1]) {
    const { queue } = setUp({ when: () => delay, forget: () => {}, retries: () => 0 });
    queue.addRateLimited('a', { reason: 'failed' });
    assert.deepEqual(queue.tryGet()?.reasons.kept, ['failed']);
  }
});

test('a limiter that uses the queue does not disturb it', () => {
  const limiter = { when: (): number => 7, forget: (): void => {}, retries: (): number => 0 };
  const queue = new WorkQueue({ clock: new FakeClock(), rateLimiter: limiter });
  limiter.when = () => {
    // More keys than are remembered idle, so that the queue sweeps.
    for (let index = 0; index < 3000; index++) {
      queue.add(`other ${index}`);
      queue.done(queue.tryGet()!);
    }
    return 7;
  };
  queue.addRateLimited('a');
  assert.deepEqual(
    queue.snapshot().delayedKeys.map(({ key, dueInMs }) => [key, dueInMs]),
    [['a', 7]],
  );
});
