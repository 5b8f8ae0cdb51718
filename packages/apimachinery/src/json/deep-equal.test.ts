import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { deepEqual } from './deep-equal.ts';
import { jsonValue } from './json-testing.ts';

const parse = (text: string): unknown => JSON.parse(text);

describe('the same', () => {
  const rows: readonly (readonly [unknown, unknown])[] = [
    [1, 1],
    ['a', 'a'],
    [null, null],
    [[], []],
    [{}, {}],
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
    [{ a: undefined }, {}],
    [{}, { a: undefined }],
    [
      { a: undefined, b: 1 },
      { b: 1, c: undefined },
    ],
    [parse('{"__proto__":{"a":1}}'), parse('{"__proto__":{"a":1}}')],
  ];
  for (const [a, b] of rows)
    test(`${JSON.stringify(a)} and ${JSON.stringify(b)}`, () => {
      assert.equal(deepEqual(a, b), true);
      assert.equal(deepEqual(b, a), true);
    });
});

describe('not the same', () => {
  const rows: readonly (readonly [unknown, unknown])[] = [
    [1, 2],
    [1, '1'],
    [0, false],
    [0, null],
    [null, undefined],
    [{}, []],
    [[], {}],
    [{}, null],
    [[1], [1, 2]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: 1 }],
    [{ a: null }, {}],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }],
    // What every object inherits is no field of it.
    [parse('{"__proto__":{}}'), { a: 1 }],
    [parse('{"__proto__":{}}'), {}],
    [parse('{"constructor":{}}'), { a: {} }],
    [parse('{"toString":1}'), { a: 1 }],
  ];
  for (const [a, b] of rows)
    test(`${JSON.stringify(a)} and ${JSON.stringify(b)}`, () => {
      assert.equal(deepEqual(a, b), false);
      assert.equal(deepEqual(b, a), false);
    });
});

test('agrees with the platform on any two values', () => {
  fc.assert(
    fc.property(jsonValue, jsonValue, (a, b) => {
      assert.equal(deepEqual(a, b), isDeepStrictEqual(a, b));
    }),
  );
});

test('a value is the same as its copy, and not as one with a change anywhere in it', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const text = JSON.stringify({ deep: [{ value }], last: 1 });
      assert.equal(deepEqual(parse(text), parse(text)), true);
      assert.equal(deepEqual(parse(text), parse(text.replace(/"last":1\}$/, '"last":2}'))), false);
    }),
  );
});
