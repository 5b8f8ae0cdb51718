import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, isRecord } from './records.ts';

test('only what JSON calls an object is a record', () => {
  for (const value of [{}, { a: 1 }, Object.create(null)]) assert.equal(isRecord(value), true);
  for (const value of [undefined, null, [], 'text', 1, true]) assert.equal(isRecord(value), false);
});

test('a field of anything can be asked for', () => {
  assert.equal(fieldOf({ a: 1 }, 'a'), 1);
  assert.equal(fieldOf({ a: 1 }, 'b'), undefined);
  assert.equal(fieldOf(['x'], '0'), 'x');
  for (const value of [undefined, null, 'text', 1]) assert.equal(fieldOf(value, 'length'), undefined);
});
