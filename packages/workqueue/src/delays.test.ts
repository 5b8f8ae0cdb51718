import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { WorkQueue } from './work-queue.ts';

const setUp = (): { clock: FakeClock; queue: WorkQueue; ready: () => string } => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  /** What has become ready since the last look, in its order. */
  const ready = (): string => {
    let keys = '';
    for (let item = queue.tryGet(); item !== undefined; item = queue.tryGet()) {
      keys += item.key;
      queue.done(item);
    }
    return keys;
  };
  return { clock, queue, ready };
};

test('a delayed key comes when its time has come, and not before', async () => {
  const { clock, queue, ready } = setUp();
  assert.equal(queue.addAfter('a', 10), true);
  assert.deepEqual([queue.length, queue.delayedCount, queue.isQueued('a')], [0, 1, false]);
  await clock.advance(9);
  assert.equal(ready(), '');
  await clock.advance(1);
  assert.equal(ready(), 'a');
  assert.equal(queue.delayedCount, 0);
});

test('a delay of 0 or less adds at once', () => {
  const { clock, queue, ready } = setUp();
  for (const delay of [0, -0, -1, -1e300]) {
    assert.equal(queue.addAfter('a', delay), true);
    assert.equal(ready(), 'a', String(delay));
  }
  assert.equal(clock.pendingTimers, 0);
});

test('keys come in the order of their times, and those of one time in the order of their adds', async () => {
  const { clock, queue, ready } = setUp();
  for (const [key, delay] of Object.entries({ a: 30, b: 10, c: 20, d: 10, e: 10, f: 30, g: 10 }))
    queue.addAfter(key, delay);
  await clock.advance(100);
  assert.equal(ready(), 'bdegcaf');
});

test('the earlier of two delays wins, and the later one is no second run', async () => {
  for (const delays of [
    [10, 50],
    [50, 10],
  ]) {
    const { clock, queue, ready } = setUp();
    for (const delay of delays) queue.addAfter('a', delay);
    assert.equal(queue.delayedCount, 1);
    await clock.advance(10);
    assert.equal(ready(), 'a');
    await clock.advance(1000);
    assert.equal(ready(), '');
  }
});

test('of two delays the higher priority is kept', async () => {
  for (const priorities of [
    [1, -1],
    [-1, 1],
  ]) {
    const { clock, queue, ready } = setUp();
    for (const priority of priorities) queue.addAfter('a', 10, { priority });
    queue.addAfter('b', 10);
    await clock.advance(10);
    assert.equal(queue.snapshot().queuedKeys.find(({ key }) => key === 'a')?.priority, 1);
    assert.equal(ready(), 'ab');
  }
});

test('an add now does not cancel an add later', async () => {
  const { clock, queue, ready } = setUp();
  queue.addAfter('a', 10);
  queue.add('a');
  assert.equal(ready(), 'a');
  await clock.advance(10);
  assert.equal(ready(), 'a');
});

test('a delay that is over while the key is queued or runs coalesces with that', async () => {
  const { clock, queue, ready } = setUp();
  queue.addAfter('a', 10);
  queue.add('a');
  await clock.advance(10);
  assert.equal(ready(), 'a');

  queue.addAfter('b', 10);
  queue.add('b');
  const running = queue.tryGet()!;
  await clock.advance(10);
  assert.equal(ready(), '');
  queue.done(running);
  assert.equal(ready(), 'b');
});

test('reschedule moves a pending delay, earlier or later', async () => {
  const { clock, queue, ready } = setUp();
  queue.addAfter('a', 50);
  queue.addAfter('b', 50);
  assert.equal(queue.reschedule('a', 10), true);
  assert.equal(queue.reschedule('b', 100), true);
  await clock.advance(10);
  assert.equal(ready(), 'a');
  await clock.advance(89);
  assert.equal(ready(), '');
  await clock.advance(1);
  assert.equal(ready(), 'b');
  assert.equal(queue.reschedule('b', 1), false, 'its time has come');
  assert.equal(queue.reschedule('never delayed', 1), false);
});

test('reschedule to now or to the past lets it come on the next turn', async () => {
  for (const delay of [0, -5]) {
    const { clock, queue, ready } = setUp();
    queue.addAfter('a', 50);
    queue.reschedule('a', delay);
    assert.equal(ready(), '');
    await clock.advance(0);
    assert.equal(ready(), 'a');
  }
});

test('cancel takes back a pending delay and nothing else', async () => {
  const { clock, queue, ready } = setUp();
  queue.addAfter('a', 10);
  queue.addAfter('b', 20);
  queue.add('a');
  assert.equal(queue.cancel('a'), true);
  assert.equal(queue.cancel('a'), false);
  assert.equal(clock.nextTimerIn, 20, 'the timer is for the next one');
  assert.equal(queue.cancel('b'), true);
  assert.equal(clock.pendingTimers, 0);
  assert.equal(ready(), 'a', 'the queued one is not touched');
  await clock.advance(1000);
  assert.equal(ready(), '');
});

test('one timer serves any number of delays', async () => {
  const { clock, queue, ready } = setUp();
  for (let index = 0; index < 1000; index++) queue.addAfter(`k${index}`, 1 + ((index * 37) % 1000));
  assert.equal(clock.pendingTimers, 1);
  assert.equal(clock.nextTimerIn, 1);
  await clock.advance(500);
  assert.equal(queue.length, 500);
  assert.equal(clock.pendingTimers, 1);
  await clock.advance(500);
  assert.equal(queue.length, 1000);
  assert.equal(clock.pendingTimers, 0);
  ready();
});

test('a clock that wakes the queue too early or too late harms nothing', () => {
  let now = 0;
  let callback: (() => void) | undefined;
  const wake = (): void => callback?.();
  const setTimeout = (call: () => void): { cancel: () => void } => {
    callback = call;
    return { cancel: () => (callback = undefined) };
  };
  const queue = new WorkQueue({ clock: { now: () => now, monotonic: () => now, setTimeout } });
  queue.addAfter('a', 10);
  queue.addAfter('b', 20);
  now = 9;
  wake();
  assert.equal(queue.length, 0);
  now = 500;
  wake();
  assert.equal(queue.length, 2);
  assert.equal(callback === undefined || queue.delayedCount === 0, true);
});

test('a delay of a hundred years does not come early', async () => {
  const { clock, queue, ready } = setUp();
  const century = 100 * 365 * 86_400_000;
  queue.addAfter('a', century);
  await clock.advance(century - 1);
  assert.equal(ready(), '');
  await clock.advance(1);
  assert.equal(ready(), 'a');
});
