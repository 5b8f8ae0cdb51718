import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ImportGraph } from './import-graph.ts';
import { nearestTests } from './nearest-tests.ts';
import { manifest, Tree } from './tree-testing.ts';

const FILES = {
  'packages/pods/package.json': manifest('pods'),
  'packages/pods/src/index.ts': `export { plan as planPods } from './job/plan.ts'; export * from './count.ts';`,
  'packages/pods/src/count.ts': `export const count = () => 1;`,
  'packages/pods/src/job/plan.ts': `import type { Shape } from '../shape.ts'; import { twice } from './twice.ts'; export const plan = () => twice(2);`,
  'packages/pods/src/job/twice.ts': `export const twice = (a: number) => 2 * a;`,
  'packages/pods/src/job/worker.ts': `import './plan.ts';`,
  'packages/pods/src/job/plan.test.ts': `import { plan } from './plan.ts';`,
  'packages/pods/src/job/run.ts': `export const run = () => new Worker(new URL('./worker.ts', import.meta.url));`,
  'packages/pods/src/shape.ts': `export interface Shape {}`,
  'packages/pods/src/run.test.ts': `import { run } from './job/run.ts'; import type { Shape } from './shape.ts';`,
  'packages/pods/src/count.test.ts': `import { count } from './count.ts';`,
  'tests/all.test.ts': `import { planPods } from '@windlass/pods';`,
  'tests/pods-job.test.ts': `const { run } = await import('./support.ts');`,
  'tests/support.ts': `import * as pods from '@windlass/pods'; export const run = pods;`,
  'tests/count.test.ts': `import { count } from '@windlass/pods';`,
};

it('knows who imports a file, through others, by package, by URL, and not for types alone', async () => {
  await using tree = new Tree(FILES);
  const graph = new ImportGraph(tree.path);
  const importers = (file: string): Record<string, number> =>
    Object.fromEntries([...graph.importersOf(file)].filter(([each]) => each.endsWith('.test.ts')));
  assert.deepEqual(importers('packages/pods/src/job/plan.ts'), {
    'packages/pods/src/job/plan.test.ts': 1,
    'packages/pods/src/run.test.ts': 3,
    // A name is followed through the package's index to where it is declared.
    'tests/all.test.ts': 1,
    // All names of a package are its index.
    'tests/pods-job.test.ts': 3,
  });
  assert.deepEqual(importers('packages/pods/src/count.ts'), {
    'packages/pods/src/count.test.ts': 1,
    'tests/count.test.ts': 1,
    'tests/pods-job.test.ts': 3,
  });
  assert.deepEqual(importers('packages/pods/src/shape.ts'), {});
  assert.deepEqual(Object.fromEntries(graph.importsOf('packages/pods/src/job/plan.test.ts')), {
    'packages/pods/src/job/plan.ts': 1,
    'packages/pods/src/job/twice.ts': 2,
  });
});

it('the nearest tests are those of the folder, of the package, and then those with its name', async () => {
  await using tree = new Tree(FILES);
  const graph = new ImportGraph(tree.path);
  const tests = new Set(Object.keys(FILES).filter((file) => file.endsWith('.test.ts')));
  assert.deepEqual(nearestTests(graph, 'packages/pods/src/job/twice.ts', tests), [
    'packages/pods/src/job/plan.test.ts',
    'packages/pods/src/run.test.ts',
    'tests/pods-job.test.ts',
    'tests/all.test.ts',
  ]);
});

it('takes tests of a folder above before those that are nearer by imports alone', async () => {
  await using tree = new Tree({
    'packages/pods/package.json': manifest('pods'),
    'packages/pods/src/index.ts': '',
    'packages/pods/src/job/parts/half.ts': 'export const half = (a: number) => a / 2;',
    'packages/pods/src/job/over.ts': `export * from './parts/half.ts';`,
    'packages/pods/src/job/over.test.ts': `import { half } from './over.ts';`,
    'packages/pods/src/a.test.ts': `import { half } from './job/parts/half.ts';`,
  });
  const tests = new Set(['packages/pods/src/job/over.test.ts', 'packages/pods/src/a.test.ts']);
  assert.deepEqual(nearestTests(new ImportGraph(tree.path), 'packages/pods/src/job/parts/half.ts', tests), [
    'packages/pods/src/job/over.test.ts',
    'packages/pods/src/a.test.ts',
  ]);
});
