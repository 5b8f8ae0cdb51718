import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import * as fc from 'fast-check';
import { MAX_REASONS, ReasonTable } from './reasons.ts';
import { WorkQueue } from './work-queue.ts';

const numbers = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, index) => from + index);

test('an item carries the reasons of every add it answers, in their order', () => {
  const queue = new WorkQueue();
  queue.add('a', { reason: 'created' });
  queue.add('a');
  queue.add('a', { reason: 'changed' });
  queue.add('b');
  assert.deepEqual(queue.tryGet()?.reasons, { kept: ['created', 'changed'], dropped: 0 });
  assert.deepEqual(queue.tryGet()?.reasons, { kept: [], dropped: 0 });
});

test('reasons that come while a key runs belong to its next run', () => {
  const queue = new WorkQueue();
  queue.add('a', { reason: 'first' });
  const first = queue.tryGet()!;
  queue.add('a', { reason: 'second' });
  queue.add('a', { reason: 'third' });
  assert.deepEqual(first.reasons.kept, ['first']);
  queue.done(first);
  queue.add('a', { reason: 'fourth' });
  const second = queue.tryGet()!;
  assert.deepEqual(second.reasons.kept, ['second', 'third', 'fourth']);
  queue.done(second);
  queue.add('a');
  assert.deepEqual(queue.tryGet()?.reasons.kept, [], 'and to no later one');
});

test('reasons of a delayed add come with the run it causes, after those that were there', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  queue.addAfter('a', 10, { reason: 'in 10 ms' });
  queue.addAfter('a', 20, { reason: 'in 20 ms' });
  queue.add('a', { reason: 'now' });
  queue.done(queue.tryGet()!);
  queue.add('a', { reason: 'again' });
  await clock.advance(10);
  assert.deepEqual(queue.tryGet()?.reasons.kept, ['again', 'in 10 ms', 'in 20 ms']);
});

test('reasons of a cancelled add are gone', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  queue.addAfter('a', 10, { reason: 'cancelled' });
  queue.cancel('a');
  queue.addAfter('a', 10, { reason: 'kept' });
  await clock.advance(10);
  assert.deepEqual(queue.tryGet()?.reasons.kept, ['kept']);
});

test('a reason may be anything but undefined', () => {
  const queue = new WorkQueue<string, unknown>();
  for (const reason of [null, 0, '', false, undefined]) queue.add('a', { reason });
  assert.deepEqual(queue.tryGet()?.reasons.kept, [null, 0, '', false]);
});

test('the oldest and the newest are kept, and the others counted', () => {
  const table = new ReasonTable<number>();
  for (const reason of numbers(20)) table.add(3, reason);
  assert.deepEqual(table.take(3), { kept: [0, 1, 2, 3, 16, 17, 18, 19], dropped: 12 });
  assert.deepEqual(table.take(3), { kept: [], dropped: 0 });
});

test('however they come together, it is as if all had come one by one', () => {
  const count = fc.nat(3 * MAX_REASONS);
  fc.assert(
    fc.property(count, count, count, (before, delayed, after) => {
      const table = new ReasonTable<number>();
      for (const reason of numbers(before)) table.add(0, reason);
      for (const reason of numbers(delayed, before)) table.add(1, reason);
      table.addAll(0, table.take(1));
      for (const reason of numbers(after, before + delayed)) table.add(0, reason);

      const oneByOne = new ReasonTable<number>();
      for (const reason of numbers(before + delayed + after)) oneByOne.add(0, reason);
      const taken = table.take(0);
      assert.deepEqual(taken, oneByOne.take(0));
      assert.equal(taken.kept.length + taken.dropped, before + delayed + after);
      assert.ok(taken.kept.length <= MAX_REASONS);
    }),
  );
});

test('a copy does not change with the slot', () => {
  const table = new ReasonTable<string>();
  table.add(0, 'a');
  const copy = table.copy(0);
  table.add(0, 'b');
  assert.deepEqual(copy.kept, ['a']);
  assert.deepEqual(table.copy(7).kept, []);
});
