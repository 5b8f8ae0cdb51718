import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { CancelledError, FakeClock } from '@windlass/base';
import type { ShutDownOptions } from './queue-options.ts';
import { WorkQueue } from './work-queue.ts';

/** Shuts down and tells, after a turn each, whether that is over. */
const shutDown = (queue: WorkQueue, options?: ShutDownOptions): (() => Promise<boolean>) => {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  void queue.shutDown(options).then(end);
  return async () => {
    await new FakeClock().settle();
    return isOver;
  };
};

test('an idle queue shuts down at once, with or without draining, and as often as one likes', async () => {
  for (const drain of [false, true]) {
    const queue = new WorkQueue();
    await queue.shutDown({ drain });
    assert.equal(queue.lifecycle, 'shut down');
    await queue.shutDown({ drain: true });
    await queue.shutDown();
    assert.equal(queue.lifecycle, 'shut down');
  }
});

test('after shut down nothing is taken in, and get says so at once', async () => {
  for (const drain of [false, true]) {
    const queue = new WorkQueue();
    queue.add('held');
    const item = queue.tryGet()!;
    const isOver = shutDown(queue, { drain });
    assert.equal(queue.add('a'), false);
    assert.equal(queue.add('held'), false);
    assert.equal(queue.addAfter('a', 0), false);
    assert.equal(queue.addAfter('a', 10), false);
    assert.equal(queue.addRateLimited('a'), false);
    assert.equal(queue.retries('a'), 0, 'a failure that is not retried does not count');
    assert.deepEqual([queue.length, queue.delayedCount], [0, 0]);
    assert.equal(await queue.get(), undefined);
    assert.equal(await isOver(), false, 'a worker still has a key');
    queue.done(item);
    assert.equal(await isOver(), true);
  }
});

test('shut down gives up what is queued and what was added again, and waits for those who have a key', async () => {
  const queue = new WorkQueue();
  for (const key of ['a', 'b', 'c']) queue.add(key);
  const held = [queue.tryGet()!, queue.tryGet()!];
  queue.add('a', { reason: 'again' });
  const isOver = shutDown(queue);
  assert.equal(queue.lifecycle, 'shut down');
  assert.equal(queue.length, 0);
  assert.deepEqual([queue.isQueued('a'), queue.isQueued('c')], [false, false]);
  queue.done(held[0]!);
  assert.equal(queue.length, 0);
  assert.equal(await isOver(), false);
  queue.done(held[1]!);
  assert.equal(await isOver(), true);
});

test('a drain hands out all that was accepted, and what was added again while it ran', async () => {
  const queue = new WorkQueue();
  for (const key of ['a', 'b']) queue.add(key);
  const first = queue.tryGet()!;
  queue.add('a', { reason: 'accepted before' });
  const isOver = shutDown(queue, { drain: true });
  assert.equal(queue.lifecycle, 'draining');
  queue.done(first);
  const second = await queue.get();
  assert.equal(second?.key, 'b');
  queue.done(second);
  const third = await queue.get();
  assert.deepEqual([third?.key, third?.reasons.kept], ['a', ['accepted before']]);
  assert.equal(await isOver(), false);
  queue.done(third!);
  assert.equal(await isOver(), true);
  assert.equal(queue.lifecycle, 'shut down');
  assert.equal(await queue.get(), undefined);
});

test('one who waits goes home when nothing more can come, and not before', async () => {
  const queue = new WorkQueue();
  queue.add('a');
  const first = queue.tryGet()!;
  queue.add('a');
  const waits = [queue.get(), queue.get()];
  const isOver = shutDown(queue, { drain: true });
  // A dispatcher that hands keys on waits like this; nobody else would come for the second run.
  queue.done(first);
  const second = await waits[0];
  assert.equal(second?.key, 'a');
  assert.equal(await waits[1], undefined);
  queue.done(second);
  assert.equal(await isOver(), true);
});

test('workers on items end by themselves once a drain is over', async () => {
  const queue = new WorkQueue();
  const seen: string[] = [];
  const worker = async (): Promise<void> => {
    for await (const { key } of queue.items()) {
      if (key === 'a' && seen.length === 0) queue.add('a');
      seen.push(key);
      await new FakeClock().settle();
    }
  };
  for (const key of ['a', 'b', 'c']) queue.add(key);
  const workers = [worker(), worker()];
  await new FakeClock().settle();
  await queue.shutDown({ drain: true });
  await Promise.all(workers);
  assert.deepEqual(seen.sort(), ['a', 'a', 'b', 'c']);
});

test('a second shut down without drain ends the draining, for both callers', async () => {
  const withNothingHeld = new WorkQueue();
  withNothingHeld.add('a');
  const drained = shutDown(withNothingHeld, { drain: true });
  assert.equal(await drained(), false);
  const ended = shutDown(withNothingHeld);
  assert.deepEqual([await drained(), await ended()], [true, true]);

  const queue = new WorkQueue();
  for (const key of ['a', 'b']) queue.add(key);
  const item = queue.tryGet()!;
  const first = shutDown(queue, { drain: true });
  const second = shutDown(queue);
  assert.equal(queue.tryGet(), undefined);
  assert.deepEqual([await first(), await second()], [false, false]);
  queue.done(item);
  assert.deepEqual([await first(), await second()], [true, true]);
});

test('a drain after a shut down brings nothing back', async () => {
  const queue = new WorkQueue();
  queue.add('a');
  await queue.shutDown();
  await queue.shutDown({ drain: true });
  assert.equal(queue.lifecycle, 'shut down');
  assert.equal(queue.tryGet(), undefined);
});

test('delayed adds are given up, with drain too, and leave no timer', async () => {
  for (const drain of [false, true]) {
    const clock = new FakeClock();
    const queue = new WorkQueue({ clock });
    for (let index = 0; index < 100; index++) queue.addAfter(`k${index}`, 1 + (index % 10));
    await queue.shutDown({ drain });
    assert.deepEqual([queue.delayedCount, clock.pendingTimers], [0, 0]);
    await clock.advance(1000);
    assert.equal(queue.length, 0);
    assert.deepEqual([queue.cancel('k1'), queue.reschedule('k1', 5)], [false, false]);
  }
});

test('the signal ends the waiting and not the shut down, and no listener stays on it', async () => {
  const queue = new WorkQueue();
  queue.add('a');
  const item = queue.tryGet()!;
  const controller = new AbortController();
  const waiting = queue.shutDown({ signal: controller.signal });
  controller.abort();
  await assert.rejects(waiting, CancelledError);
  await assert.rejects(queue.shutDown({ signal: AbortSignal.abort() }), CancelledError);
  assert.equal(queue.lifecycle, 'shut down');
  assert.equal(queue.add('b'), false);
  const kept = new AbortController();
  const isOver = shutDown(queue, { signal: kept.signal });
  queue.done(item);
  assert.equal(await isOver(), true);
  assert.equal(getEventListeners(kept.signal, 'abort').length, 0);
});

test('leaving the scope of a queue shuts it down and waits for its workers', async () => {
  let item: ReturnType<WorkQueue['tryGet']>;
  const scope = async (): Promise<WorkQueue> => {
    await using queue = new WorkQueue();
    queue.add('a');
    queue.add('b');
    item = queue.tryGet();
    const { done } = { done: () => queue.done(item!) };
    setImmediate(done);
    return queue;
  };
  const queue = await scope();
  assert.equal(queue.lifecycle, 'shut down');
  assert.equal(queue.processingCount, 0);
});
