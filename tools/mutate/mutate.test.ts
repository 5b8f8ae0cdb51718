import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { mutate } from './mutate.ts';
import { lineOf, scoresOf, survivorsOf, tableOf } from './report.ts';
import { manifest, Tree } from './tree-testing.ts';

const TEST = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n`;
const FILES = {
  'package.json': JSON.stringify({ type: 'module' }),
  'packages/pods/package.json': manifest('pods'),
  'packages/pods/src/killed.ts': 'export const isMany = (count: number): boolean => count > 3;\n',
  'packages/pods/src/killed.test.ts': `${TEST}import { isMany } from './killed.ts';
    test('three are not many', () => assert.equal(isMany(3), false));
    test('four are', () => assert.equal(isMany(4), true));`,
  'packages/pods/src/survives.ts': 'export const least = (count: number): number => count + 1;\n',
  'packages/pods/src/survives.test.ts': `${TEST}import { least } from './survives.ts';
    test('is a number', () => assert.equal(typeof least(3), 'number'));`,
  'packages/pods/src/hangs.ts':
    'export function drain(list: number[]): void {\n  while (list.length > 0)\n    { list.pop(); }\n}\n',
  'packages/pods/src/hangs.test.ts': `${TEST}import { drain } from './hangs.ts';
    test('drains', () => drain([1]));`,
  'packages/pods/src/unseen.ts':
    'export function sign(count: number): string {\n  if (count < 0)\n    return String(-1);\n  return String(1);\n}\n',
  'packages/pods/src/unseen.test.ts': `${TEST}import { sign } from './unseen.ts';
    test('of a positive number', () => assert.equal(sign(5), '1'));`,
  'packages/pods/src/broken.ts': 'export const one = (): number => 1;\n',
  'packages/pods/src/broken.test.ts': `${TEST}import { one } from './broken.ts';
    test('fails anyway', () => assert.equal(one(), 2));`,
};

async function run(tree: Tree, ...scopes: { path: string; line?: number }[]) {
  return await mutate({
    root: tree.path,
    scopes,
    count: 100,
    seed: 1,
    jobs: 1,
    signal: new AbortController().signal,
    cacheFolder: join(tree.path, 'cache'),
    leastLimitMs: 5_000,
  });
}

it('leaves what only tests use as it is', async () => {
  const helpers = ['testing.ts', 'pods-testing.ts', 'testing/pods.ts'].map(
    (name) => `packages/pods/src/${name}`,
  );
  const source = 'export const three = (): number => 3;\n';
  await using tree = new Tree({ ...FILES, ...Object.fromEntries(helpers.map((path) => [path, source])) });
  assert.deepEqual(await run(tree, ...helpers.map((path) => ({ path }))), []);
});

it('tells a mutant that a test kills from one that survives, hangs, is not executed or cannot be judged', async () => {
  await using tree = new Tree(FILES);
  const source = (name: string, line: number) => ({ path: `packages/pods/src/${name}.ts`, line });
  const judged = await run(
    tree,
    source('killed', 1),
    source('survives', 1),
    source('hangs', 3),
    source('unseen', 3),
    source('broken', 1),
  );
  const outcomes = judged.map(({ site, verdict }) => `${site.mutated} ${verdict.kind}`);
  assert.deepEqual(outcomes, [
    'export const one = (): number => 2; not run',
    '{ ; } timed out',
    'export const isMany = (count: number): boolean => count >= 3; killed',
    'export const isMany = (count: number): boolean => count > 4; killed',
    'export const least = (count: number): number => count - 1; survived',
    'export const least = (count: number): number => count + 2; survived',
    'return String(-2); survived',
  ]);
  assert.deepEqual(judged[2]?.verdict, {
    kind: 'killed',
    file: 'packages/pods/src/killed.test.ts',
    test: 'three are not many',
  });
  assert.deepEqual(judged[4]?.verdict, { kind: 'survived', files: ['packages/pods/src/survives.test.ts'] });
  assert.deepEqual(judged[6]?.verdict, { kind: 'survived', files: [] }, 'no test executes the line');
  for (const [file, text] of Object.entries(FILES))
    assert.equal(readFileSync(join(tree.path, file), 'utf8'), text, 'the tree is as it was');

  assert.deepEqual(tableOf(scoresOf(judged)).split('\n'), [
    'package        mutants  killed  survived  not run  score',
    'packages/pods        7       3         3        1   50 %',
    'all                  7       3         3        1   50 %',
  ]);
  assert.match(
    survivorsOf(judged),
    /^packages\/pods\/src\/survives\.ts:1 \(change arithmetic\)\n {2}- export const least = .* count \+ 1;\n {2}\+ .* count - 1;\n {2}ran: packages\/pods\/src\/survives\.test\.ts\n/,
  );
  assert.match(judged.map(lineOf).join('\n'), /killed by packages\/pods\/src\/killed\.test\.ts: four are/);
});

it('does not count a test that fails by accident', async () => {
  await using notes = new Tree({ runs: '' });
  const runs = join(notes.path, 'runs');
  await using tree = new Tree({
    ...FILES,
    'packages/pods/src/survives.test.ts': `${TEST}import { appendFileSync, readFileSync } from 'node:fs';
      import { least } from './survives.ts';
      test('fails in every second run', () => {
        least(3);
        appendFileSync(${JSON.stringify(runs)}, 'x');
        assert.equal(readFileSync(${JSON.stringify(runs)}, 'utf8').length % 2, 1);
      });`,
  });
  const judged = await run(tree, { path: 'packages/pods/src/survives.ts' });
  assert.deepEqual(
    judged.map(({ verdict }) => verdict.kind),
    ['survived'],
  );
});

it('remembers how a test does without a mutant until the test or its imports change', async () => {
  const counting = `${TEST}import { appendFileSync } from 'node:fs';\nimport { least } from './survives.ts';\n`;
  await using tree = new Tree({ ...FILES, runs: '' });
  const runs = join(tree.path, 'runs');
  const test = 'packages/pods/src/survives.test.ts';
  await using counted = new Tree({
    ...FILES,
    [test]: `${counting}test('counts', () => { appendFileSync(${JSON.stringify(runs)}, 'x'); least(1); });`,
  });
  const scope = { path: 'packages/pods/src/survives.ts' };
  const runsOf = async (): Promise<number> => {
    const before = readFileSync(runs, 'utf8').length;
    assert.equal((await run(counted, scope)).length, 1);
    return readFileSync(runs, 'utf8').length - before;
  };
  assert.equal(await runsOf(), 2, 'without the mutant, and with it');
  assert.equal(await runsOf(), 1, 'only with it');
  appendFileSync(join(counted.path, scope.path), '// A change.\n');
  assert.equal(await runsOf(), 2, 'both again');
});
