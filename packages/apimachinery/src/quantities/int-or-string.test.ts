import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type IntOrString, parseIntOrString, scaledIntOrPercent } from './int-or-string.ts';

describe('a share of a total', () => {
  const rows: readonly (readonly [IntOrString, number, number, number])[] = [
    // value, total, rounded up, rounded down
    [5, 100, 5, 5],
    [-5, 100, -5, -5],
    ['25%', 10, 3, 2],
    ['25%', 4, 1, 1],
    ['0%', 10, 0, 0],
    ['100%', 7, 7, 7],
    ['150%', 3, 5, 4],
    ['33%', 3, 1, 0],
    ['-5%', 10, 0, -1],
    ['+50%', 3, 2, 1],
    ['1%', 0, 0, 0],
    ['007%', 100, 7, 7],
  ];
  for (const [value, total, up, down] of rows)
    test(`${value} of ${total}`, () => {
      assert.equal(scaledIntOrPercent(value, total, true), up);
      assert.equal(scaledIntOrPercent(value, total, false), down);
    });

  const refused: readonly (readonly [IntOrString | undefined, string])[] = [
    [undefined, 'nil value for IntOrString'],
    ['5', 'invalid value for IntOrString: invalid type: string is not a percentage'],
    ['http', 'invalid value for IntOrString: invalid type: string is not a percentage'],
    ['%', 'invalid value for IntOrString: invalid value "%": strconv.Atoi: parsing "": invalid syntax'],
    ['a%', 'invalid value for IntOrString: invalid value "a%": strconv.Atoi: parsing "a": invalid syntax'],
    ['5%%', 'invalid value for IntOrString: invalid value "5%%": strconv.Atoi: parsing "5%": invalid syntax'],
    [
      '1.5%',
      'invalid value for IntOrString: invalid value "1.5%": strconv.Atoi: parsing "1.5": invalid syntax',
    ],
    [
      '9223372036854775808%',
      'invalid value for IntOrString: invalid value "9223372036854775808%": strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
  ];
  for (const [value, message] of refused)
    test(`${JSON.stringify(value)} is none`, () => {
      assert.throws(() => scaledIntOrPercent(value, 10, true), { message, code: 'INVALID_INT_OR_STRING' });
    });
});

test('a text that is a number of 32 bits becomes one', () => {
  const rows: readonly (readonly [string, IntOrString])[] = [
    ['80', 80],
    ['-1', -1],
    ['+3', 3],
    ['007', 7],
    ['-0', 0],
    ['2147483647', 2147483647],
    ['2147483648', '2147483648'],
    ['-2147483648', -2147483648],
    ['-2147483649', '-2147483649'],
    ['25%', '25%'],
    ['http', 'http'],
    ['', ''],
    ['1.5', '1.5'],
  ];
  for (const [text, value] of rows) assert.equal(parseIntOrString(text), value, text);
});
