import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendAll } from './append-all.ts';

test('a million items are appended in their order', () => {
  const list = [-1];
  const items = Array.from({ length: 1_000_000 }, (_, index) => index);
  appendAll(list, items);
  assert.equal(list.length, 1_000_001);
  assert.deepEqual([list[0], list[1], list.at(-1)], [-1, 0, 999_999]);
});
