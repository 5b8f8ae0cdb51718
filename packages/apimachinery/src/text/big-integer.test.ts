import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bigIntegerOf } from './big-integer.ts';

const rows: readonly (readonly [text: string, value: bigint])[] = [
  ['0', 0n],
  ['-0', 0n],
  ['+007', 7n],
  ['-42', -42n],
  ['18446744073709551616', 2n ** 64n],
  ['9'.repeat(64), 10n ** 64n - 1n],
  [`${'0'.repeat(100)}5`, 5n],
  ['9'.repeat(65), 10n ** 64n],
  [`-1${'0'.repeat(3_000_000)}`, -(10n ** 64n)],
];

for (const [text, value] of rows)
  test(`${text.slice(0, 70)} is ${value}`, () => assert.equal(bigIntegerOf(text), value));
