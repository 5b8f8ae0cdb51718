import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseInt32, parseInt64 } from './int64.ts';

describe('whole numbers in texts', () => {
  const rows: [text: string, wide: bigint | undefined, narrow: number | undefined][] = [
    ['0', 0n, 0],
    ['-0', 0n, 0],
    ['+7', 7n, 7],
    ['007', 7n, 7],
    ['-2147483648', -2147483648n, -2147483648],
    ['2147483647', 2147483647n, 2147483647],
    ['2147483648', 2147483648n, undefined],
    ['3546343826724305832', 3546343826724305832n, undefined],
    ['9223372036854775807', 9223372036854775807n, undefined],
    ['9223372036854775808', undefined, undefined],
    ['-9223372036854775808', -9223372036854775808n, undefined],
    ['-9223372036854775809', undefined, undefined],
    ['', undefined, undefined],
    ['-', undefined, undefined],
    [' 1', undefined, undefined],
    ['1e3', undefined, undefined],
    ['1_000', undefined, undefined],
    ['0x10', undefined, undefined],
    ['1.0', undefined, undefined],
  ];
  for (const [text, wide, narrow] of rows)
    it(`${JSON.stringify(text)} is ${wide} in 64 bits and ${narrow} in 32`, () => {
      assert.equal(parseInt64(text), wide);
      assert.equal(parseInt32(text), narrow);
    });
});
