// Whatever a caller gets wrong, he is told so by name, and the queue stays as it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, noMetrics } from '@windlass/base';
import { NotProcessingError } from './errors.ts';
import type { WorkItem } from './work-item.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

const setUp = (): WorkQueue => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add('queued');
  queue.addAfter('delayed', 10);
  return queue;
};
const INVALID = 'INVALID_ARGUMENT';
const untyped = (value: unknown): never => value as never;

test('a priority that is no finite number', () => {
  const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, untyped('1'), untyped(null)];
  for (const priority of bad) {
    const queue = setUp();
    const before = queue.snapshot();
    const calls: Record<string, () => unknown> = {
      add: () => queue.add('new', { priority }),
      'add of a queued key': () => queue.add('queued', { priority }),
      addAfter: () => queue.addAfter('new', 10, { priority }),
      addRateLimited: () => queue.addRateLimited('new', { priority }),
      setPriority: () => queue.setPriority('queued', priority),
      'setPriority of no key': () => queue.setPriority('new', priority),
    };
    for (const [name, call] of Object.entries(calls)) {
      const expected = { code: INVALID, message: /^priority must be a finite number, but it is / };
      assert.throws(call, expected, `${name} ${priority}`);
    }
    assert.deepEqual(queue.snapshot(), before);
    assert.equal(queue.retries('new'), 0);
  }
});

test('a delay that is no finite number', () => {
  for (const delay of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, untyped('1')]) {
    const queue = setUp();
    const before = queue.snapshot();
    const expected = { code: INVALID, message: /^delayMs must be a finite number, but it is / };
    assert.throws(() => queue.addAfter('delayed', delay), expected);
    assert.throws(() => queue.addAfter('new', delay), expected);
    assert.throws(() => queue.reschedule('delayed', delay), expected);
    assert.deepEqual(queue.snapshot(), before);
  }
});

test('a rate limiter that returns no finite number', () => {
  for (const delay of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const rateLimiter = { when: () => delay, forget: () => {}, retries: () => 0 };
    const queue = new WorkQueue({ clock: new FakeClock(), rateLimiter });
    assert.throws(() => queue.addRateLimited('a'), {
      code: INVALID,
      message: /^what when\(\) of the rate limiter returns must be a finite number, but it is (NaN|Infinity)/,
    });
    assert.deepEqual([queue.length, queue.delayedCount], [0, 0]);
  }
});

test('done of what nobody holds', () => {
  const queue = setUp();
  const other = setUp();
  const done = queue.tryGet()!;
  queue.done(done);
  queue.add('queued');
  const held = queue.tryGet()!;
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [done, /^done was called with the item of key "queued" \(string\), which is not held; call it once /],
    [other.tryGet(), /"queued"/],
    [{ ...held }, /"queued"/],
    ['queued', /^done was called with "queued" \(string\), which is not held/],
    [undefined, /^done was called with undefined/],
    [null, /^done was called with null/],
  ];
  for (const [item, message] of cases) {
    const expected = { name: 'NotProcessingError', code: 'NOT_PROCESSING', kind: 'bug', message };
    assert.throws(() => queue.done(untyped(item)), expected);
  }
  assert.equal(queue.processingCount, 1);
  assert.ok(queue.isProcessing('queued'));
  queue.done(held);
  assert.throws(() => queue.done(held), NotProcessingError);
  assert.equal(queue.processingCount, 0);
});

test('an old item does not end the run of the next one, though key and slot are the same', () => {
  const queue = new WorkQueue();
  const old: WorkItem<string>[] = [];
  for (let run = 0; run < 5; run++) {
    queue.add('a');
    const item = queue.tryGet()!;
    for (const stale of old) assert.throws(() => queue.done(stale), NotProcessingError);
    queue.add('a');
    for (const stale of old) assert.throws(() => queue.done(stale), NotProcessingError);
    queue.done(item);
    old.push(item);
    queue.done(queue.tryGet()!);
  }
});

test('options that make no sense', () => {
  const cases: readonly (readonly [WorkQueueOptions<string>, RegExp])[] = [
    [{ ageingMs: 0 }, /^ageingMs must be a number above 0, but it is 0 \(number\)$/],
    [{ ageingMs: -1 }, /^ageingMs /],
    [{ ageingMs: Number.NaN }, /^ageingMs /],
    [{ metrics: noMetrics }, /^name must be given when there are metrics, but it is undefined$/],
  ];
  for (const [options, message] of cases)
    assert.throws(() => new WorkQueue(options), { code: INVALID, message });
});

test('a limit of a snapshot that is no number', () => {
  const queue = setUp();
  for (const limit of [-1, Number.NaN, untyped('x')])
    assert.throws(() => queue.snapshot(limit), {
      code: INVALID,
      message: /^limit must be a number of at least 0/,
    });
});

test('adds after shut down are a no-op that says so, but a bad one is still told', async () => {
  const queue = setUp();
  await queue.shutDown();
  assert.equal(queue.add('a'), false);
  assert.throws(() => queue.add('a', { priority: Number.NaN }), { code: INVALID });
  assert.throws(() => queue.addAfter('a', Number.NaN), { code: INVALID });
});
