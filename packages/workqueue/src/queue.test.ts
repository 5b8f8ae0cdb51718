import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from './queue.ts';
import type { WorkItem } from './work-item.ts';

const take = <K>(queue: Queue<K>): WorkItem<K> => {
  const item = queue.tryGet();
  assert.ok(item, 'nothing is queued');
  return item;
};
/** Runs everything that is queued, and says in which order. */
const runAll = <K>(queue: Queue<K>): K[] => {
  const keys: K[] = [];
  for (let item = queue.tryGet(); item !== undefined; item = queue.tryGet()) {
    keys.push(item.key);
    queue.done(item);
  }
  return keys;
};

test('keys come out in the order in which they came in', () => {
  const queue = new Queue<string>();
  for (const key of ['a', 'b', 'c']) assert.equal(queue.add(key), true);
  assert.equal(queue.length, 3);
  assert.deepEqual(runAll(queue), ['a', 'b', 'c']);
  assert.equal(queue.length, 0);
  assert.equal(queue.tryGet(), undefined);
});

test('adds of a queued key coalesce, and it keeps its place', () => {
  const queue = new Queue<string>();
  for (const key of ['a', 'b', 'a', 'a', 'c', 'b']) queue.add(key);
  assert.equal(queue.length, 3);
  assert.deepEqual(runAll(queue), ['a', 'b', 'c']);
});

test('a key that a worker has is handed to no other, and runs once more however often it was added', () => {
  const queue = new Queue<string>();
  queue.add('a');
  const first = take(queue);
  for (let time = 0; time < 5; time++) queue.add('a');
  assert.equal(queue.tryGet(), undefined);
  assert.equal(queue.length, 0);
  queue.done(first);
  assert.equal(queue.length, 1);
  assert.deepEqual(runAll(queue), ['a']);
  assert.deepEqual(runAll(queue), []);
});

test('a key that was added while it ran joins the end when it is done', () => {
  const queue = new Queue<string>();
  queue.add('a');
  const running = take(queue);
  queue.add('a');
  queue.add('b');
  queue.done(running);
  queue.add('c');
  assert.deepEqual(runAll(queue), ['b', 'a', 'c']);
});

test('isQueued and isProcessing say where a key stands', () => {
  const queue = new Queue<string>();
  const where = (): readonly boolean[] => [queue.isQueued('a'), queue.isProcessing('a')];
  assert.deepEqual(where(), [false, false]);
  queue.add('a');
  assert.deepEqual(where(), [true, false]);
  const item = take(queue);
  assert.deepEqual(where(), [false, true]);
  queue.add('a');
  assert.deepEqual(where(), [true, true]);
  queue.done(item);
  assert.deepEqual(where(), [true, false]);
  runAll(queue);
  assert.deepEqual(where(), [false, false]);
});

test('keys are told apart as a Map does', () => {
  const one = { id: 1 };
  const other = { id: 1 };
  const queue = new Queue<unknown>();
  const keys = [one, other, one, Number.NaN, Number.NaN, 0, -0, '0', undefined, undefined, null, 1n, 1n];
  for (const key of keys) queue.add(key);
  assert.deepEqual(runAll(queue), [one, other, Number.NaN, 0, '0', undefined, null, 1n]);
});

test('an item looks like what it is to people and to JSON', () => {
  const queue = new Queue<string>();
  queue.add('a', { priority: 3, reason: 'created' });
  const item = take(queue);
  const expected = { key: 'a', priority: 3, reasons: { kept: ['created'], dropped: 0 } };
  assert.deepEqual(JSON.parse(JSON.stringify(item)), expected);
  assert.deepEqual(Object.keys(item), Object.keys(expected));
});

test('ten thousand keys go round and round, and the slots of those that went are used again', () => {
  const queue = new Queue<number>();
  let done = 0;
  for (let round = 0; round < 20; round++) {
    for (let index = 0; index < 500; index++) queue.add(round * 500 + index);
    const held = Array.from({ length: 250 }, () => take(queue));
    const seen = new Set(held.map(({ key }) => key));
    assert.equal(seen.size, 250);
    for (const item of held) queue.done(item);
    done += 250;
  }
  done += runAll(queue).length;
  assert.equal(done, 10_000);
});
