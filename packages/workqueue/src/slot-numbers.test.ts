import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlotNumbers } from './slot-numbers.ts';

test('a slot has 0 until it gets another number, and again after', () => {
  const numbers = new SlotNumbers();
  assert.equal(numbers.get(1000), 0);
  numbers.set(1000, 0);
  numbers.set(7, -2.5);
  numbers.set(500, 3);
  assert.deepEqual(
    [7, 8, 500, 501, 1_000_000].map((slot) => numbers.get(slot)),
    [-2.5, 0, 3, 0, 0],
  );
  numbers.set(500, 0);
  assert.deepEqual(
    [7, 500].map((slot) => numbers.get(slot)),
    [-2.5, 0],
  );
});

test('shrinking forgets the numbers of the slots that are gone, and no others', () => {
  const numbers = new SlotNumbers();
  for (const slot of [0, 63, 64, 200]) numbers.set(slot, slot + 1);
  numbers.shrink(64);
  numbers.shrink(1000);
  assert.deepEqual(
    [0, 63, 64, 200].map((slot) => numbers.get(slot)),
    [1, 64, 0, 0],
  );
  numbers.set(64, 5);
  assert.deepEqual(
    [63, 64].map((slot) => numbers.get(slot)),
    [64, 5],
  );
});
