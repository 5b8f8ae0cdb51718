import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexesProblem } from './indexes.ts';

test('lists of indexes are counted, or refused', () => {
  assert.equal(indexesProblem('', 5), 0);
  assert.equal(indexesProblem('0,2-4', 5), 4);
  assert.equal(indexesProblem('0,5', 5), 'too large index: "5"');
  assert.equal(indexesProblem('2-1', 5), 'non-increasing order, previous: 2, current: 1');
  assert.equal(indexesProblem('3,1', 5), 'non-increasing order, previous: 3, current: 1');
  assert.equal(indexesProblem('a', 5), 'cannot convert string to integer for index: "a"');
});
