import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isNewer, isOlder, isResumable } from './resource-versions.ts';

test('versions that are numbers are ordered as numbers, whatever their length', () => {
  const version = fc.bigInt({ min: 1n, max: 10n ** 30n });
  fc.assert(
    fc.property(version, version, (a, b) => {
      assert.equal(isOlder(String(a), String(b)), a < b);
      assert.equal(isNewer(String(a), String(b)), a > b);
    }),
  );
});

test('nothing is known of the order of versions that are no numbers', () => {
  const opaque = fc.string().filter((text) => !/^[1-9][0-9]*$/.test(text));
  fc.assert(
    fc.property(opaque, fc.oneof(opaque, fc.constantFrom('1', '99')), (a, b) => {
      assert.equal(isOlder(a, b), false);
      assert.equal(isOlder(b, a), false);
    }),
  );
  for (const [a, b] of [
    ['b', 'a'],
    ['abc', '12'],
    ['12', ''],
    ['5', '/'],
  ] as const)
    assert.equal(isNewer(a, b), false, `${a} ${b}`);
});

test('a watch cannot go on from nowhere', () => {
  assert.deepEqual(['', '0', '1', 'x'].map(isResumable), [false, false, true, true]);
});
