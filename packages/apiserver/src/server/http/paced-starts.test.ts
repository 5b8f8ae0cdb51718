import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '@windlass/base';
import { PacedStarts } from './paced-starts.ts';

test('what arrives begins in order, a few in each turn, and not before the next one', async () => {
  const starts = new PacedStarts();
  const connection = {};
  const begun: number[] = [];
  for (let index = 0; index < 100; index++) starts.add(connection, () => begun.push(index));
  assert.equal(begun.length, 0);
  const counts: number[] = [];
  while (begun.length < 100) {
    await nextTurn();
    counts.push(begun.length);
  }
  assert.deepEqual(begun, [...Array(100).keys()]);
  let before = 0;
  for (const count of counts) {
    assert.ok(count - before <= 16, `${count - before} in one turn`);
    before = count;
  }
});

test('what arrives while others begin has its turn, also when it comes later', async () => {
  const starts = new PacedStarts();
  const connection = {};
  const begun: string[] = [];
  starts.add(connection, () => {
    begun.push('first');
    starts.add(connection, () => begun.push('within'));
  });
  while (begun.length < 2) await nextTurn();
  await nextTurn();
  starts.add(connection, () => begun.push('later'));
  while (begun.length < 3) await nextTurn();
  assert.deepEqual(begun, ['first', 'within', 'later']);
});

test('a connection with one request does not wait behind one with a thousand', async () => {
  const starts = new PacedStarts();
  const begun: string[] = [];
  const [greedy, modest] = [{}, {}];
  for (let index = 0; index < 1000; index++) starts.add(greedy, () => begun.push('greedy'));
  starts.add(modest, () => begun.push('modest'));
  while (begun.length === 0) await nextTurn();
  assert.ok(begun.includes('modest'), `${begun.length} have begun, and it has not`);
  while (begun.length < 1001) await nextTurn();
});
