import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { undescribedExports } from './check-exports.ts';

test('exported names without a sentence are found where they are declared', async (context) => {
  const root = await mkdtemp(join(tmpdir(), 'windlass-exports-'));
  context.after(() => rm(root, { recursive: true }));
  const files: Record<string, string> = {
    'tsconfig.json':
      '{"compilerOptions":{"module":"nodenext","allowImportingTsExtensions":true,"noEmit":true}}',
    'package.json': '{"type":"module"}',
    'public/one.ts': "export * from '../src/a.ts';\nexport { hidden as shown } from '../src/b.ts';\n",
    'public/deep/two.ts': "export * from '../../src/a.ts';\n",
    'src/a.ts': `/** What it is. */
export interface Described {}
export interface Bare {}
/** @deprecated Use another. */
export function old(): void {}
// Not for editors.
export const value = 1;
/** Merged: one sentence is enough. */
export interface Both {}
export const Both = 1;
interface Own {}
export type { Own as Renamed };
`,
    'src/b.ts': 'export const hidden = 1;\nexport const unseen = 2;\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const found = undescribedExports(`${root}/`, 'public').map(
    ({ module, name, file }) => `${module} ${name} ${file}`,
  );
  assert.deepEqual(found.sort(), [
    'deep/two Bare src/a.ts',
    'deep/two Renamed src/a.ts',
    'deep/two value src/a.ts',
    'one shown src/b.ts',
  ]);
});

test('a module that the project does not hold is an error, and not a module without exports', async (context) => {
  const root = await mkdtemp(join(tmpdir(), 'windlass-exports-'));
  context.after(() => rm(root, { recursive: true }));
  await mkdir(join(root, 'public'));
  await writeFile(join(root, 'tsconfig.json'), '{"files":["other.ts"]}');
  await writeFile(join(root, 'other.ts'), 'export {};\n');
  await writeFile(join(root, 'public/one.ts'), 'export const a = 1;\n');
  assert.throws(
    () => undescribedExports(`${root}/`, 'public'),
    /public\/one\.ts is no module of the project/,
  );
});
