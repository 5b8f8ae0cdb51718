import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readOptions } from './options.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('takes the control plane by default, and folders, files or lines of files', () => {
  const paths = ['apiserver', 'controllers', 'scheduler', 'kubelet', 'csi', 'directpv'];
  assert.deepEqual(readOptions([], ROOT), {
    scopes: paths.map((name) => ({ path: `packages/${name}/src` })),
    count: 50,
    seed: 1,
    jobs: 2,
    patience: 1,
  });
  assert.deepEqual(
    readOptions('packages/base/ --count 7 --seed 3 --jobs 1 --patience 5 --json a.json'.split(' '), ROOT),
    { scopes: [{ path: 'packages/base' }], count: 7, seed: 3, jobs: 1, patience: 5, jsonFile: 'a.json' },
  );
  const { scopes, count } = readOptions(['packages/base/src/heap.ts:12'], ROOT);
  assert.deepEqual(scopes, [{ path: 'packages/base/src/heap.ts', line: 12 }]);
  assert.ok(count > 1000, 'all mutants of the line');
});

for (const [args, message] of [
  [['packages/none'], /PATH must be a file, a folder or FILE:LINE below the repository.*"packages\/none"/],
  [['packages/base:3'], /PATH must be/],
  [['--count', '0'], /--count must be a whole number of at least 1.*"0"/],
  [['--patience', '0'], /--patience must be a whole number of at least 1.*"0"/],
  [['--seed', 'x'], /--seed must be a whole number/],
] as const)
  it(`refuses ${args.join(' ')}`, () => {
    assert.throws(() => readOptions(args, ROOT), message);
  });
