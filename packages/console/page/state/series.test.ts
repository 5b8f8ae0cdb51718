import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Series } from './series.ts';

test('a series keeps the newest figures in their order', () => {
  const series = new Series(3);
  assert.deepEqual([...series.values()], [Number.NaN, Number.NaN, Number.NaN]);
  for (const value of [1, 2, 3, 4]) series.push(value);
  assert.deepEqual([...series.values()], [2, 3, 4]);
  assert.equal(series.last, 4);
  assert.equal(series.max(), 4);
});

test('the newest figure can be replaced, also where the ring begins anew', () => {
  const series = new Series(2);
  series.push(1);
  series.replace(2);
  assert.deepEqual([...series.values()], [Number.NaN, 2]);
  series.push(3);
  series.replace(4);
  assert.deepEqual([...series.values()], [2, 4]);
  assert.equal(series.last, 4);
});

test('the highest of nothing is zero', () => assert.equal(new Series(2).max(), 0));
