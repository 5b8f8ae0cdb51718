// What calls cost by the sizes of what they look at. A character is a tenth of a step, one of a pattern a quarter.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CelType, INT, listOf, objectOf, STRING } from '../language/cel-type.ts';
import type { Literal } from '../language/expr.ts';
import { libraryCost, type Operand } from './call-estimate.ts';
import { fixed, type Range, UNKNOWN } from './range.ts';

function operand(type: CelType, size?: Range, itemSize: Range = fixed(1)): Operand {
  return { type, size, itemSize, literal: undefined };
}
const text = (min: number, max: number): Operand => operand(STRING, { min, max });
const numbers = (max: number): Operand => operand(listOf(INT), { min: 0, max });
const texts = (max: number, length: number): Operand =>
  operand(listOf(STRING), { min: 0, max }, { min: 0, max: length });
const literal = (value: Literal): Operand => ({ ...operand(INT, fixed(1)), literal: value });

describe('a call costs', () => {
  type Row = readonly [
    what: string,
    name: string,
    id: string,
    target: Operand | undefined,
    args: readonly Operand[],
    cost: Range | undefined,
    size?: Range,
  ];
  const rows: readonly Row[] = [
    ['a question to the authorizer', 'check', '', undefined, [], fixed(350_000)],
    [
      'a selector that is parsed',
      'labelSelector',
      '',
      undefined,
      [text(0, 10)],
      { min: 10, max: 10 + 1 + 250 },
    ],
    ['a walk over numbers', 'sum', '', numbers(10), [], { min: 0, max: 10 }],
    ['a walk over texts', 'max', '', texts(10, 20), [], { min: 0, max: 10 * (1 + 2) }],
    ['a search in a text', 'indexOf', '', text(0, 100), [text(1, 1)], { min: 0, max: 10 }],
    [
      'a walk over a text, which stays as long',
      'trim',
      '',
      text(5, 100),
      [],
      { min: 1, max: 10 },
      { min: 5, max: 100 },
    ],
    ['a URL that is parsed', 'url', '', undefined, [text(0, 100)], { min: 0, max: 10 }, { min: 0, max: 100 }],
    ['an address that is parsed', 'ip', 'string_to_ip', undefined, [text(0, 40)], { min: 0, max: 4 }],
    ['the address of a range', 'ip', 'cidr_ip', operand(objectOf('net.CIDR')), [], fixed(1)],
    ['a canonical form', 'ip.isCanonical', '', undefined, [text(0, 40)], { min: 0, max: 8 }],
    ['a quantity that is parsed', 'quantity', '', undefined, [text(0, 20)], { min: 0, max: 2 }],
    ['an accessor', 'isGreaterThan', '', operand(objectOf('kubernetes.Quantity')), [], fixed(1)],
    ['a part of a split', 'split', '', text(0, 50), [text(1, 1)], { min: 0, max: 10 }, { min: 0, max: 50 }],
    [
      'a split with a limit',
      'split',
      '',
      text(0, 50),
      [text(1, 1), literal(3n)],
      { min: 0, max: 10 },
      { min: 0, max: 3 },
    ],
    ['a join', 'join', '', texts(5, 10), [], { min: 0, max: 5 }, { min: 0, max: 50 }],
    ['a join with gaps', 'join', '', texts(5, 10), [text(2, 2)], { min: 0, max: 6 }, { min: 0, max: 58 }],
    [
      'a pattern that is looked for',
      'find',
      '',
      text(0, 99),
      [text(8, 8)],
      { min: 2, max: 20 },
      { min: 0, max: 99 },
    ],
    [
      'a range in a range',
      'containsCIDR',
      'cidr_contains_cidr',
      undefined,
      [text(0, 50)],
      { min: 3, max: 4 + 3 },
    ],
    [
      'a range in a text',
      'containsCIDR',
      'cidr_contains_cidr_string',
      undefined,
      [text(0, 50)],
      { min: 3, max: 12 },
    ],
    ['an address in a range', 'containsIP', 'cidr_contains_ip', undefined, [text(0, 50)], { min: 1, max: 4 }],
    [
      'a format',
      'validate',
      '',
      operand(objectOf('kubernetes.NamedFormat')),
      [text(0, 100)],
      { min: 0, max: 320 },
    ],
    ['nothing that is known', 'whatever', 'whatever', undefined, [], undefined],
  ];
  for (const [what, name, id, target, args, cost, size] of rows)
    test(what, () => {
      const found = libraryCost(name, id, target, args);
      assert.deepEqual([found?.cost, found?.size], [cost, size]);
    });
});

describe('a list that is made costs', () => {
  const rows: readonly [
    id: string,
    target: Operand | undefined,
    args: readonly Operand[],
    max: number,
    size: number,
  ][] = [
    ['list_slice', numbers(10), [literal(2n), literal(5n)], 3 + 11, 3],
    ['list_flatten', numbers(10), [], 10 + 11, 10],
    ['list_flatten_int', numbers(10), [literal(3n)], 30 + 11, 10],
    ['lists_range', undefined, [literal(7n)], 7 + 11, 7],
    ['list_reverse', numbers(10), [], 10 + 11, 10],
    ['list_distinct', numbers(10), [], 200 + 11, 100],
    ['list_int_sort', numbers(10), [], 200 + 11, 100],
    ['list_string_sort', texts(10, 5), [], 210 + 11, 100],
    ['list_int_sortByAssociatedKeys', numbers(10), [numbers(4)], 32 + 11, 16],
  ];
  for (const [id, target, args, max, size] of rows)
    test(id, () => {
      const found = libraryCost('', id, target, args);
      assert.deepEqual([found?.cost.max, found?.size?.max], [max, size]);
    });

  test('two lists that are compared: one by the other, and both ways for being the same', () => {
    const [a, b] = [numbers(10), numbers(4)];
    assert.equal(libraryCost('', 'list_sets_contains_list', undefined, [a, b])?.cost.max, 41);
    assert.equal(libraryCost('', 'list_sets_intersects_list', undefined, [a, b])?.cost.max, 41);
    assert.equal(libraryCost('', 'list_sets_equivalent_list', undefined, [a, b])?.cost.max, 81);
  });

  test('of which nothing is known: as much as is counted', () => {
    assert.equal(libraryCost('', 'list_reverse', operand(listOf(INT)), [])?.cost.max, UNKNOWN.max);
  });
});

describe('what is replaced', () => {
  const rows: readonly [from: Operand, to: Operand, size: Range][] = [
    // Before and after each character.
    [text(0, 0), text(2, 2), { min: 2, max: 10 + 22 }],
    [text(5, 5), text(1, 1), { min: 0, max: 10 }],
    [text(1, 1), text(3, 3), { min: 0, max: 30 }],
  ];
  for (const [from, to, size] of rows)
    test(`${from.size?.max} characters by ${to.size?.max}`, () => {
      const found = libraryCost('replace', '', text(0, 10), [from, to]);
      assert.deepEqual([found?.cost, found?.size], [{ min: 0, max: 2 }, size]);
    });
});

describe('equality', () => {
  const rows: readonly [string, Range | undefined][] = [
    ['net.IP', fixed(1)],
    ['kubernetes.Semver', fixed(1)],
    ['kubernetes.authorization.Decision', fixed(1)],
    ['kubernetes.NamedFormat', { min: 1, max: 7 }],
    ['kubernetes.URL', { min: 1, max: 5 }],
    ['other.Thing', undefined],
  ];
  for (const [type, cost] of rows)
    test(`of ${type}`, () => {
      const one = operand(objectOf(type), { min: 0, max: 50 });
      assert.deepEqual(libraryCost('_==_', '', undefined, [one, one])?.cost, cost);
    });

  test('of two types is not the library’s', () => {
    const found = libraryCost('_==_', '', undefined, [
      operand(objectOf('net.IP')),
      operand(objectOf('net.CIDR')),
    ]);
    assert.equal(found, undefined);
  });
});
