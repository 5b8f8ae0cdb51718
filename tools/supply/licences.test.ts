import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, type Use } from './licences.ts';

const rows: [licence: string, use: Use, allowed: boolean][] = [
  ['MIT', 'runtime', true],
  ['Apache-2.0', 'runtime', true],
  ['GPL-3.0-only', 'runtime', false],
  ['GPL-3.0-only', 'tool', false],
  ['AGPL-3.0-or-later', 'tool', false],
  ['MPL-2.0', 'runtime', false],
  ['MPL-2.0', 'tool', true],
  ['MIT OR Apache-2.0', 'runtime', true],
  ['GPL-2.0-only OR MIT', 'runtime', true],
  ['MIT OR GPL-2.0-only', 'runtime', true],
  ['MIT AND GPL-2.0-only', 'runtime', false],
  ['MIT AND ISC', 'runtime', true],
  ['GPL-2.0-only AND ISC OR MIT', 'runtime', true],
  ['MIT OR ISC AND GPL-2.0-only', 'runtime', true],
  ['(MIT OR GPL-2.0-only) AND GPL-3.0-only', 'runtime', false],
  ['(MIT OR GPL-2.0-only) AND (ISC OR GPL-3.0-only)', 'runtime', true],
  ['', 'tool', false],
  ['SEE LICENSE IN LICENSE.md', 'tool', false],
  ['UNLICENSED', 'tool', false],
  ['(MIT', 'tool', false],
  ['MIT)', 'tool', false],
  ['MIT AND', 'tool', false],
  ['MIT ISC', 'tool', false],
];
for (const [licence, use, allowed] of rows)
  test(`${use} "${licence}" ${allowed ? 'is' : 'is not'} allowed`, () => {
    assert.equal(isAllowed(licence, use), allowed);
  });
