import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { EXPECTED_RUNTIME } from './expected.ts';
import { checkLock } from './lock-rules.ts';
import { type LockedPackage, type LockedPackages, resolve, runtimeOf } from './locked-packages.ts';

const INTEGRITY = `sha512-${'A'.repeat(86)}==`;
const good = (more: LockedPackage = {}): LockedPackage => ({
  version: '1.0.0',
  integrity: INTEGRITY,
  license: 'MIT',
  ...more,
});

/** Ours needs `a`, which needs a `b` of its own; `tool` is for development. */
const PACKAGES: LockedPackages = {
  '': { name: 'root' },
  'packages/ours': { version: '1.0.0', dependencies: { a: '1.0.0', '@windlass/base': '1.0.0' } },
  'packages/base': { version: '1.0.0' },
  'node_modules/@windlass/base': { link: true },
  'node_modules/a': good({ dependencies: { b: '2.0.0' } }),
  'node_modules/a/node_modules/b': good({ version: '2.0.0' }),
  'node_modules/b': good(),
  'node_modules/tool': good({ optionalDependencies: { 'tool-far': '1.0.0' } }),
  'node_modules/tool-far': { version: '1.0.0', optional: true, os: ['plan9'] },
};
const EXPECTED = ['a', 'b'];
const withEntry = (path: string, entry: LockedPackage): LockedPackages => ({ ...PACKAGES, [path]: entry });

describe('a lock file', () => {
  it('tells what users install from what only builds and tests', () => {
    assert.deepEqual(runtimeOf(PACKAGES), ['node_modules/a', 'node_modules/a/node_modules/b']);
    assert.equal(resolve(PACKAGES, 'node_modules/a/node_modules/b', 'b'), 'node_modules/a/node_modules/b');
    assert.equal(resolve(PACKAGES, 'packages/ours', 'b'), 'node_modules/b');
    assert.equal(resolve(PACKAGES, '', 'c'), undefined);
  });

  it('may be as it should be', () => {
    assert.deepEqual(checkLock(PACKAGES, EXPECTED), { problems: [], runtime: 2, tools: 3, unknown: 1 });
  });

  const refused: [what: string, packages: LockedPackages, problem: string][] = [
    [
      'a script that runs at installation',
      withEntry('node_modules/b', good({ hasInstallScript: true })),
      'b 1.0.0 runs a script when it is installed: take a package that does not',
    ],
    [
      'such a script in an optional package of another platform',
      withEntry('node_modules/tool-far', {
        version: '1.0.0',
        optional: true,
        os: ['plan9'],
        hasInstallScript: true,
      }),
      'tool-far 1.0.0 runs a script when it is installed: take a package that does not',
    ],
    [
      'a licence that is not allowed',
      withEntry('node_modules/a/node_modules/b', good({ version: '2.0.0', license: 'AGPL-3.0-only' })),
      'b 2.0.0 has the licence "AGPL-3.0-only", which tools/supply/licences.ts does not allow for what users install',
    ],
    [
      'a licence that is allowed for tools, where users get it',
      withEntry('node_modules/a', good({ license: 'MPL-2.0', dependencies: { b: '2.0.0' } })),
      'a 1.0.0 has the licence "MPL-2.0", which tools/supply/licences.ts does not allow for what users install',
    ],
    [
      'no licence',
      withEntry('node_modules/b', { version: '1.0.0', integrity: INTEGRITY }),
      'b 1.0.0 has no licence, which tools/supply/licences.ts does not allow for tools',
    ],
    ...[undefined, '', 'sha1-AAAA', `sha512-${'A'.repeat(80)}`].map(
      (integrity): [string, LockedPackages, string] => [
        `the integrity ${integrity}`,
        withEntry('node_modules/b', {
          version: '1.0.0',
          license: 'MIT',
          ...(integrity !== undefined && { integrity }),
        }),
        'b 1.0.0 has no SHA-512 integrity, so npm cannot tell whether it was changed: run `npm install` again',
      ],
    ),
    [
      'an optional package of another platform in a version that nobody names',
      withEntry('node_modules/tool-far', { version: '1.0.1', optional: true, license: 'MIT', os: ['plan9'] }),
      'tool-far 1.0.1 has no SHA-512 integrity, so npm cannot tell whether it was changed: run `npm install` again',
    ],
    [
      'another package for users',
      withEntry('packages/ours', { dependencies: { a: '1', tool: '1' } }),
      "tool is new among what users install: if that is wanted, name it in tools/supply/expected.ts and say in the package's README what it is for",
    ],
  ];
  for (const [what, packages, problem] of refused)
    it(`is refused for ${what}`, () => {
      assert.deepEqual(checkLock(packages, EXPECTED).problems, [problem]);
    });

  it('is refused for a package that users no longer install', () => {
    assert.deepEqual(checkLock(PACKAGES, [...EXPECTED, 'c']).problems, [
      'c is no longer among what users install: take it off tools/supply/expected.ts',
    ]);
  });
});

for (const [path, expected] of [
  ['../../package-lock.json', EXPECTED_RUNTIME],
  ['../package-check/package-lock.json', []],
] as const)
  it(`${path} is as it should be`, () => {
    const text = readFileSync(new URL(path, import.meta.url), 'utf8');
    // The file is npm's.
    const { packages } = JSON.parse(text) as { packages: LockedPackages };
    assert.deepEqual(checkLock(packages, expected).problems, []);
  });
