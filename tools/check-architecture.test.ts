import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCasts, checkSource } from './check-architecture.ts';

const messages = (name: string, source: string, file = 'packages/x/src/a.ts'): string[] =>
  checkSource(name, file, source).map((finding) => `${finding.line}: ${finding.message}`);

test('a package may import what stands above it, at any distance', () => {
  assert.deepEqual(messages('informer', `import { Heap } from '@windlass/base';`), []);
  assert.deepEqual(messages('informer', `import type { X } from '@windlass/client';`), []);
});

test('a package may not import what stands below it, beside it, or itself', () => {
  assert.deepEqual(messages('base', `\nimport { Queue } from '@windlass/workqueue';`), [
    '2: base may not import workqueue (tools/layers.ts)',
  ]);
  assert.deepEqual(messages('apiserver', `const c = await import('@windlass/client');`), [
    '1: apiserver may not import client (tools/layers.ts)',
  ]);
  assert.deepEqual(messages('base', `import '@windlass/base';`), ['1: imports itself as @windlass/base']);
  assert.equal(messages('client', `import { a } from '../../base/src/heap.ts';`).length, 1);
});

test('a source may not import a package below it; a test may, and so may what only tests import', () => {
  const source = `import { startTestCluster } from '@windlass/cluster';`;
  const rows: readonly (readonly [file: string, findings: readonly string[]])[] = [
    ['job-controller.ts', ['1: controllers may not import cluster (tools/layers.ts)']],
    ['latest-testing-tools.ts', ['1: controllers may not import cluster (tools/layers.ts)']],
    ['job-controller.test.ts', []],
    ['testing/pods.ts', []],
    ['plan-testing.ts', []],
    ['testing.ts', []],
  ];
  for (const [name, findings] of rows)
    assert.deepEqual(messages('controllers', source, `packages/controllers/src/job/${name}`), findings, name);
});

test('a test may not reach into another package by path, nor import its own by name', () => {
  const file = 'packages/controllers/src/job/job-controller.test.ts';
  assert.equal(messages('controllers', `import '../../../cluster/src/testing/index.ts';`, file).length, 1);
  assert.equal(messages('controllers', `import '@windlass/controllers';`, file).length, 1);
});

test('a source may not import what is for tests', () => {
  const specifiers = [
    '@windlass/base/testing',
    '@windlass/base/testing/until',
    './testing/pods.ts',
    './testing.ts',
    '../job/plan-testing.ts',
    './plan.test.ts',
  ];
  for (const specifier of specifiers) {
    const source = `import { a } from '${specifier}';`;
    const finding = `1: a source may not import what is for tests: ${specifier}`;
    assert.deepEqual(messages('cli', source, 'packages/cli/src/a.ts'), [finding]);
    for (const name of ['a.test.ts', 'testing/a.ts', 'a-testing.ts'])
      assert.deepEqual(messages('cli', source, `packages/cli/src/${name}`), [], name);
  }
  assert.deepEqual(messages('cli', `import { a } from './testing-ground.ts';`, 'packages/cli/src/a.ts'), []);
});

test('time and chance are refused in sources, allowed in base and in tests', () => {
  const source = `const a = Date.now();\nsetTimeout(() => {}, Math.random());`;
  assert.equal(messages('client', source).length, 3);
  assert.deepEqual(messages('base', source), []);
  assert.deepEqual(messages('client', source, 'packages/client/src/a.test.ts'), []);
});

test('what Node 22 does not have is refused in sources, allowed in tests', () => {
  const source = `using all = new DisposableStack();\nawait Promise.try(run);\nmap.getOrInsert(1, 2);`;
  assert.deepEqual(
    messages('base', source, 'packages/base/src/a.ts').map((text) => text.split(',')[0]),
    ['1: uses DisposableStack', '2: uses Promise.try', '3: uses getOrInsert'],
  );
  for (const file of ['packages/base/src/a.test.ts', 'packages/base/src/testing/a.ts'])
    assert.deepEqual(messages('base', source, file), []);
});

test('a comment or a method of the same name is no finding', () => {
  assert.deepEqual(messages('client', `// Date.now is not used\nclock.setTimeout(run, 5);`), []);
  assert.deepEqual(messages('client', `/* import x from '@windlass/cli' */`), []);
});

test('lists are not passed as arguments where strangers send them', () => {
  const source = 'errors.push(...found);\nlist.push(\n  ...items,\n);';
  assert.equal(messages('apiserver', source).length, 2);
  assert.deepEqual(messages('apiserver', source, 'packages/apiserver/src/a.test.ts'), []);
  assert.deepEqual(messages('scheduler', source), []);
});

const CAST = { path: 'packages/x/src/a.ts', text: '\nconst a = b as T;\n' };

test('a cast without a reason is found in sources only', () => {
  const paths = ['a.test.ts', 'testing/a.ts', 'a-testing.ts', 'generated/a.ts'].map(
    (name) => `packages/x/src/${name}`,
  );
  assert.deepEqual(checkCasts([CAST, ...paths.map((path) => ({ ...CAST, path }))], new Set()), [
    { file: CAST.path, line: 2, message: 'casts without a reason beside it: b as T' },
  ]);
});

test('a package that is not clean yet is free until it is clean', () => {
  const other = { path: 'packages/y/src/a.ts', text: 'const a = b as T; // why\n' };
  assert.deepEqual(checkCasts([CAST, other], new Set(['x'])), []);
  assert.deepEqual(
    checkCasts([CAST, other], new Set(['x', 'y'])).map(({ file }) => file),
    ['packages/y'],
  );
});
