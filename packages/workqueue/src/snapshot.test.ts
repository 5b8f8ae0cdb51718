import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { DEFAULT_SNAPSHOT_LIMIT, WorkQueue } from './work-queue.ts';

test('it shows where every key stands', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock, name: 'pods' });
  queue.add('running', { reason: 'created' });
  queue.add('running too');
  const first = queue.tryGet();
  await clock.advance(100);
  queue.tryGet();
  queue.add('running', { reason: 'changed' });
  queue.add('waiting', { reason: 'created' });
  queue.add('urgent', { priority: 10 });
  queue.addRateLimited('backing off', { reason: 'failed' });
  queue.addAfter('later', 1000, { priority: -5 });
  await clock.advance(3);
  const none = { kept: [], dropped: 0 };
  const expected = {
    name: 'pods',
    state: 'open',
    queued: 2,
    processing: 2,
    delayed: 2,
    waitingWorkers: 0,
    queuedKeys: [
      { key: 'urgent', priority: 10, waitedMs: 3, retries: 0, reasons: none },
      { key: 'waiting', priority: 0, waitedMs: 3, retries: 0, reasons: { kept: ['created'], dropped: 0 } },
    ],
    processingKeys: [
      { key: 'running', runningMs: 103, addedAgain: true },
      { key: 'running too', runningMs: 3, addedAgain: false },
    ],
    delayedKeys: [
      { key: 'backing off', priority: 0, dueInMs: 2, retries: 1, reasons: { kept: ['failed'], dropped: 0 } },
      { key: 'later', priority: -5, dueInMs: 997, retries: 0, reasons: none },
    ],
  };
  const snapshot = queue.snapshot();
  assert.deepEqual(snapshot, expected);

  queue.add('waiting', { reason: 'changed' });
  queue.addRateLimited('backing off', { reason: 'failed again' });
  await clock.advance(10_000);
  queue.done(first!);
  assert.deepEqual(snapshot, expected, 'a snapshot is of its moment');
});

test('it names no more keys than asked for, and counts all', () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  for (let index = 0; index < 250; index++) {
    queue.add(`running ${index}`);
    queue.tryGet();
    queue.addAfter(`delayed ${index}`, 1000 - index);
  }
  for (let index = 0; index < 250; index++) queue.add(`queued ${index}`);
  for (const [limit, expected] of [
    [undefined, DEFAULT_SNAPSHOT_LIMIT],
    [0, 0],
    [3, 3],
    [Number.POSITIVE_INFINITY, 250],
  ] as const) {
    const { queuedKeys, processingKeys, delayedKeys, ...counts } = queue.snapshot(limit);
    assert.deepEqual(
      [queuedKeys, processingKeys, delayedKeys].map(({ length }) => length),
      [expected, expected, expected],
    );
    assert.deepEqual([counts.queued, counts.processing, counts.delayed], [250, 250, 250]);
  }
  assert.deepEqual(
    queue.snapshot(3).delayedKeys.map(({ dueInMs }) => dueInMs),
    [751, 752, 753],
    'the soonest of them',
  );
});

test('it shows those who wait, and the end', async () => {
  const queue = new WorkQueue();
  const gets = [queue.get(), queue.get()];
  assert.equal(queue.snapshot().waitingWorkers, 2);
  queue.add('a');
  assert.equal(queue.snapshot().waitingWorkers, 1);
  const drained = queue.shutDown({ drain: true });
  assert.deepEqual([queue.snapshot().state, queue.snapshot().waitingWorkers], ['draining', 0]);
  const [item] = await Promise.all(gets);
  queue.done(item!);
  await drained;
  assert.deepEqual([queue.snapshot().state, queue.snapshot().processingKeys], ['shut down', []]);
});

test('an item knows how long it was queued, and the queue when a key comes again and how many have failed', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  queue.add('a');
  await clock.advance(30);
  const item = queue.tryGet();
  await clock.advance(5);
  assert.equal(item?.waitedMs, 30, 'the time that it runs is not waited');
  assert.equal(queue.dueInMs('b'), undefined);
  assert.equal(queue.countRetrying(), 0);
  queue.addAfter('b', 1000);
  queue.addRateLimited('c');
  queue.addRateLimited('d');
  await clock.advance(1);
  assert.equal(queue.dueInMs('b'), 999);
  assert.equal(queue.dueInMs('c'), 4);
  assert.equal(queue.dueInMs('a'), undefined);
  assert.equal(queue.countRetrying(), 2);
  queue.forget('c');
  assert.equal(queue.countRetrying(), 1, 'one that is forgotten waits because it was asked to');
  await clock.advance(10);
  assert.equal(queue.countRetrying(), 0);
  assert.equal(queue.dueInMs('c'), undefined);
});
