import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Folder } from './run-testing.ts';
import { seedDependent, testFiles } from './test-files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('a file depends on the seed by what it imports, directly or through others, also in a circle', async () => {
  await using folder = new Folder();
  mkdirSync(join(folder.path, 'a/b'), { recursive: true });
  const files = {
    'a/direct.test.ts': "import * as fc from 'fast-check';\n",
    'a/own-seeds.test.ts':
      "import { test } from 'node:test';\nimport { testSeeds } from '@windlass/base/testing';\n",
    'a/through.test.ts': "import {\n  one,\n  two,\n} from './b/one.ts';\n",
    'a/b/one.ts': "export * from '../two.ts';\nexport const one = 1;\n",
    'a/two.ts': "import { one } from './b/one.ts';\nimport { random } from './random-testing.ts';\n",
    'a/random-testing.ts': "import * as fc from 'fast-check';\n",
    'a/none.test.ts':
      "import { two } from './plain.ts';\n// import * as fc from 'fast-check' would be random\n",
    'a/plain.ts': "import type { A } from '@windlass/base';\nimport './gone.ts';\n",
  };
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  const tests = Object.keys(files).filter((name) => name.endsWith('.test.ts'));
  assert.deepEqual(seedDependent(folder.path, tests), [
    'a/direct.test.ts',
    'a/own-seeds.test.ts',
    'a/through.test.ts',
  ]);
});

it('the files of this repository are told apart', () => {
  const all = testFiles(ROOT);
  const random = new Set(seedDependent(ROOT, all));
  for (const file of [
    'packages/base/src/backoff.test.ts',
    'packages/informer/src/chaos.test.ts',
    'packages/apiserver/src/storage/sqlite/sqlite-store.test.ts',
    'tests/simulations.test.ts',
    'packages/directpv/src/accounting/capacity.test.ts',
  ])
    assert.ok(random.has(file), file);
  assert.ok(!random.has('packages/base/src/clock.test.ts'));
  assert.ok(random.size < all.length / 2, `${random.size} of ${all.length}`);
});

it('no test makes up a seed of its own, which no run could choose', () => {
  const own = /\bMath\.random\b|process\.env\['?(?!WINDLASS_SEEDS?\b)\w*SEEDS?\b/;
  for (const file of globSync(
    ['packages/*/src/**/*{.test,testing}.ts', 'packages/*/src/**/testing/*.ts', 'tests/*.ts'],
    { cwd: ROOT },
  ))
    assert.doesNotMatch(readFileSync(join(ROOT, file), 'utf8'), own, `${file}: take testSeed or testSeeds`);
});
