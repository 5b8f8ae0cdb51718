import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkProblem, memberPath } from './member-path.ts';

const INSIDE: readonly (readonly [path: string, root: string, names: readonly string[]])[] = [
  ['./in', 'in', []],
  ['in/', 'in', []],
  ['./in/a/b', 'in', ['a', 'b']],
  ['in//a/./b/', 'in', ['a', 'b']],
  ['./', '.', []],
  ['./a/b', '.', ['a', 'b']],
];

for (const [path, root, names] of INSIDE)
  test(`${path} of ${root} is [${names.join()}]`, () => assert.deepEqual(memberPath(path, root), names));

const OUTSIDE: readonly (readonly [path: string, root: string])[] = [
  ['/in/a', 'in'],
  ['/etc/passwd', '.'],
  ['in/../../a', 'in'],
  ['../a', '.'],
  ['other/a', 'in'],
  ['inner', 'in'],
  ['', 'in'],
  ['in/a\\..\\b', 'in'],
  ['in/a\0b', 'in'],
];

for (const [path, root] of OUTSIDE)
  test(`${JSON.stringify(path)} of ${root} is refused`, () =>
    assert.throws(() => memberPath(path, root), { code: 'COPY_REFUSED' }));

/** A link `depth` names below the folder that is copied. */
const LINKS: readonly (readonly [target: string, depth: number, isMade: boolean])[] = [
  ['a', 1, true],
  ['./a/b', 1, true],
  ['../a', 2, true],
  ['../../a', 3, true],
  ['..', 1, false],
  ['../a', 1, false],
  ['../../a', 2, false],
  // The file itself was asked for, and is a link: there is no folder around it.
  ['a', 0, false],
  ['/etc', 3, false],
  // By way of another link, `a/..` may be anywhere.
  ['a/../b', 1, false],
  ['../a/..', 3, false],
  ['..\\a', 3, false],
];

for (const [target, depth, isMade] of LINKS)
  test(`a link to ${target}, ${depth} below, is ${isMade ? 'made' : 'skipped'}`, () =>
    assert.equal(linkProblem(target, depth) === undefined, isMade));
