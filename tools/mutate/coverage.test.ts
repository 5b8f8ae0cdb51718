import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { executedParts, isExecuted, readCoverage } from './coverage.ts';

const range = (startOffset: number, endOffset: number, count: number) => ({ startOffset, endOffset, count });

it('the innermost range says whether a place was executed', () => {
  // A module with a function that was called, in which a branch was not taken, in which nothing was called.
  const ranges = [range(0, 100, 1), range(10, 50, 3), range(20, 40, 0), range(25, 30, 0), range(60, 70, 0)];
  assert.deepEqual(executedParts(ranges), [0, 20, 40, 60, 70, 100]);
  assert.deepEqual(executedParts([range(0, 10, 0), range(2, 4, 1)]), [2, 4]);
  assert.deepEqual(executedParts([]), []);
});

it('reads what several processes executed, and nothing of other trees or of half a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-coverage-'));
  try {
    const root = join(folder, 'tree');
    const of = (path: string, ...ranges: ReturnType<typeof range>[]): string =>
      JSON.stringify({ result: [{ url: pathToFileURL(path).href, functions: [{ ranges }] }] });
    const file = join(root, 'packages/a/src/a.ts');
    await writeFile(join(folder, '1.json'), of(file, range(0, 100, 1), range(10, 50, 0)));
    await writeFile(join(folder, '2.json'), of(file, range(0, 100, 0), range(5, 30, 2)));
    await writeFile(join(folder, '3.json'), of(join(folder, 'other/packages/a/src/a.ts'), range(0, 100, 1)));
    await writeFile(join(folder, '4.json'), '{"result": [');
    const executed = await readCoverage(folder, root);
    assert.deepEqual(executed, { 'packages/a/src/a.ts': [0, 30, 50, 100] });
    const at = (offset: number): boolean => isExecuted(executed, 'packages/a/src/a.ts', offset);
    assert.deepEqual(
      [at(0), at(29), at(30), at(49), at(50), at(99), at(100)],
      [true, true, false, false, true, true, false],
    );
    assert.equal(isExecuted(executed, 'packages/a/src/b.ts', 0), false);
  } finally {
    await rm(folder, { recursive: true });
  }
});
