// What calls cost when they run. What they cost at most, by sizes alone: estimate/call-estimate.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callCost, resultCost } from './cel-call-cost.ts';

const text = 'x'.repeat(25);
const numbers = Array.from({ length: 7 }, (_, at) => at);

describe('a call takes', () => {
  for (const name of (
    'url lowerAscii upperAscii substring trim jsonpatch.escapeKey cidr isIP isCIDR quantity isQuantity ' +
    'semver isSemver startsWith endsWith strings.quote format'
  ).split(' '))
    test(`a tenth of its text: ${name}`, () => assert.equal(callCost(name, '', [text]), 3));

  for (const name of ['replace', 'split', 'ip.isCanonical'])
    test(`two walks over its text: ${name}`, () => assert.equal(callCost(name, '', [text]), 5));

  for (const name of ['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'])
    test(`a look at each part: ${name}`, () => {
      assert.equal(callCost(name, '', [numbers]), 7);
      assert.equal(callCost(name, '', [['ab', new Map([['c', 'd']])]]), 0.4);
    });

  for (const name of ['find', 'findAll', 'matches'])
    test(`text and pattern: ${name}`, () => assert.equal(callCost(name, '', [text, 'a+b?c']), 3 * 2));

  for (const name of ['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_'])
    test(`the shorter of two: ${name}`, () => assert.equal(callCost(name, '', [text, 'ab']), 1));

  for (const name of ['distinct', 'sort', '@sortByAssociatedKeys'])
    test(`each with each: ${name}`, () => assert.equal(callCost(name, '', [numbers]), 11 + 49));

  const rows: readonly [what: string, name: string, id: string, args: readonly unknown[], cost: number][] = [
    ['a question to the authorizer', 'check', '', [], 350_000],
    ['a selector that is parsed', 'labelSelector', '', ['', text], 10 + 3 + 13 * 50],
    ['the address of a range', 'ip', 'cidr_ip', [text], 1],
    ['an address that is parsed', 'ip', 'string_to_ip', [text], 3],
    ['a format', 'validate', '', ['', text], 3 * 32],
    ['a text in a text', 'contains', '', [text, 'y'.repeat(11)], 3 * 2],
    ['an item of a list', '@in', '', [1, numbers], 7],
    ['a key of a map', '@in', '', ['a', new Map([['a', 1]])], 1],
    ['two texts', '_+_', '', [text, text], 5],
    ['two numbers', '_+_', '', [1n, 2n], 1],
    ['a set in a set', 'sets.contains', '', [numbers, [1, 2]], 15],
    ['sets that meet', 'sets.intersects', '', [numbers, [1, 2]], 15],
    ['equal sets', 'sets.equivalent', '', [numbers, [1, 2]], 29],
    ['bytes of a text', 'bytes', 'string_to_bytes', [text], 3],
    ['anything else', 'getHours', '', [text], 1],
  ];
  for (const [what, name, id, args, cost] of rows)
    test(what, () => assert.equal(callCost(name, id, args), cost));
});

describe('a result takes', () => {
  for (const name of ['slice', 'flatten', 'lists.range', 'reverse'])
    test(`as much as a list: ${name}`, () => assert.equal(resultCost(name, '', [], numbers), 17));

  test('two walks over a joined text', () => assert.equal(resultCost('join', '', [], text), 5));

  test('a tenth of two lists together, and nothing for other sums', () => {
    assert.equal(resultCost('_+_', 'add_list', [numbers, numbers], [...numbers, ...numbers]), 14 * 0.1);
    assert.equal(resultCost('_+_', 'add_int', [1n, 2n], 3n), 0);
  });
});
