import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '@windlass/apimachinery';
import { correlateItems } from './correlation.ts';

const byKeys = (...keys: string[]): Schema => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

test('an item is compared with the old one that has the same keys', () => {
  const old = [{ a: 1, b: 'x', v: 'old' }, { a: 1, b: 'y' }, { a: { deep: [1, 2], other: 3 } }];
  const correlate = correlateItems({ old }, byKeys('a', 'b'));
  assert.equal(correlate({ b: 'x', a: 1, v: 'new' })?.old, old[0]);
  assert.equal(correlate({ a: { other: 3, deep: [1, 2] } })?.old, old[2]);
  assert.equal(correlate({ a: 2, b: 'x' }), undefined);
});

test('a key that is absent is no null, and no empty text', () => {
  const old = [{ v: 1 }, { a: null, v: 2 }, { a: '', v: 3 }];
  const correlate = correlateItems({ old }, byKeys('a'));
  assert.deepEqual(
    [{}, { a: null }, { a: '' }].map((item) => correlate(item)?.old),
    old,
  );
});

test('keys are told apart where their texts follow each other', () => {
  const correlate = correlateItems({ old: [{ a: 'x\n"y"', b: '' }] }, byKeys('a', 'b'));
  assert.equal(correlate({ a: 'x', b: 'y\n""' }), undefined);
});

test('of old items with the same keys the first counts', () => {
  const old = [
    { a: 1, v: 1 },
    { a: 1, v: 2 },
  ];
  assert.equal(correlateItems({ old }, byKeys('a'))({ a: 1 })?.old, old[0]);
});

test('what is no object, and lists of other types, have no counterpart', () => {
  assert.equal(correlateItems({ old: ['x'] }, byKeys('a'))('x'), undefined);
  assert.equal(correlateItems({ old: [{ a: 1 }] }, { type: 'array' })({ a: 1 }), undefined);
  assert.equal(correlateItems({ old: 'text' }, byKeys('a'))({ a: 1 }), undefined);
  assert.equal(correlateItems(undefined, byKeys('a'))({ a: 1 }), undefined);
});
