import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { deepCopy } from './deep-copy.ts';
import { deepEqual } from './deep-equal.ts';
import { deepFreeze } from './deep-freeze.ts';
import { jsonValue } from './json-testing.ts';

/** Every object and array in a value, itself included. */
function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}

test('a copy is equal, keeps the order of fields, and shares nothing', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const copy = deepCopy(value);
      assert.equal(deepEqual(copy, value), true);
      assert.equal(JSON.stringify(copy), JSON.stringify(value));
      const shared = new Set(partsOf(value));
      for (const part of partsOf(copy)) assert.equal(shared.has(part), false);
    }),
  );
});

test('a copy of something frozen is not frozen, and typed as what it was before', () => {
  interface Pod {
    spec: { containers: { name: string }[] };
  }
  const cached = deepFreeze<Pod>({ spec: { containers: [{ name: 'a' }] } });
  const pod: Pod = deepCopy(cached);
  pod.spec.containers.push({ name: 'b' });
  pod.spec.containers[0]!.name = 'c';
  assert.equal(cached.spec.containers.length, 1);
  assert.equal(cached.spec.containers[0]?.name, 'a');
});

test('a field named __proto__ is copied as a field', () => {
  const hostile: unknown = JSON.parse('{"a":{"__proto__":{"polluted":true}},"constructor":{"x":1}}');
  const copy = deepCopy(hostile) as { a: object };
  assert.equal(JSON.stringify(copy), JSON.stringify(hostile));
  assert.equal(Object.getPrototypeOf(copy.a), Object.prototype);
  assert.equal('polluted' in copy.a, false);
  assert.equal('polluted' in {}, false);
});

test('what is no object is itself', () => {
  for (const value of [1, 'a', true, null, undefined]) assert.equal(deepCopy(value), value);
});
