import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonIndex, indexesProblem } from './indexes.ts';

test('lists of indexes are counted, or refused', () => {
  assert.equal(indexesProblem('', 5), 0);
  assert.equal(indexesProblem('0,2-4', 5), 4);
  assert.equal(indexesProblem('0,5', 5), 'too large index: "5"');
  assert.equal(indexesProblem('2-1', 5), 'non-increasing order, previous: 2, current: 1');
  assert.equal(indexesProblem('3,1', 5), 'non-increasing order, previous: 3, current: 1');
  assert.equal(indexesProblem('a', 5), 'cannot convert string to integer for index: "a"');
});

test('the first index that two lists share is found, whatever their order', () => {
  assert.equal(commonIndex('0,2-4', '1,3-5', 9), 3);
  assert.equal(commonIndex('0,2', '1,3', 9), undefined);
  assert.equal(commonIndex('', '1', 9), undefined);
  assert.equal(commonIndex('7,0-1', '5,7', 9), 7);
  // Intervals that hold others hide nothing.
  assert.equal(commonIndex('0-8,1', '5', 9), 5);
  assert.equal(commonIndex('0-1,0-8', '5', 9), 5);
  assert.equal(commonIndex('x,3', '3', 9), 3);
});

test('two lists of fifty thousand indexes each are compared side by side', () => {
  const every = (first: number): string =>
    Array.from({ length: 50_000 }, (_, index) => String(first + 2 * index)).join(',');
  const began = process.cpuUsage();
  assert.equal(commonIndex(every(0), every(1), 100_001), undefined);
  const { user } = process.cpuUsage(began);
  // Each against each are 2.5 thousand million comparisons.
  assert.ok(user < 1_000_000, `it took ${user / 1000} ms`);
});
