import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { deepFreeze } from './deep-freeze.ts';
import { jsonValue } from './json-testing.ts';

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

test('everything in it is frozen, and it is the same value', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      assert.equal(deepFreeze(value), value);
      assert.equal(isFrozen(value), true);
    }),
  );
});

test('changing it throws', () => {
  const frozen = deepFreeze({ a: { b: [1] } }) as { a: { b: number[] } };
  assert.throws(() => frozen.a.b.push(2), TypeError);
  assert.throws(() => {
    frozen.a.b = [];
  }, TypeError);
});

test('parts that are shared are frozen once', () => {
  const shared = { x: { y: 1 } };
  const pair = deepFreeze([shared, shared]);
  assert.equal(isFrozen(pair), true);
});
