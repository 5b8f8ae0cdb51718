// Each test file is a process: what they asked of the API is kept apart, and merged afterwards.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { readAccessFiles } from '@windlass/codegen';

const run = promisify(execFile);
const kit = new URL('./record-access.ts', import.meta.url).href;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-access-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});
after(() => rm(folder, { recursive: true }));

/** A test file whose only test asks for these, and passes or fails. */
const testFile = (name: string, paths: readonly string[], passes = true): Promise<void> =>
  writeFile(
    join(folder, name),
    `import { test } from 'node:test';
import { recordAccess } from '${kit}';
recordAccess();
const access = recordAccess();
recordAccess();
const inner = { request: async () => ({ status: 200, headers: {}, body: {} }), watch: async () => ({}) };
test('asks', async () => {
  for (const path of ${JSON.stringify(paths)}) await access.through(inner).request({ method: 'GET', path });
  ${passes ? '' : "throw new Error('no')"}
});
`,
  );

async function runTests(...args: string[]): Promise<string[]> {
  const { NODE_TEST_CONTEXT: _, ...env }: NodeJS.ProcessEnv = process.env;
  await run(process.execPath, ['--test', ...args], { cwd: folder, env }).catch(() => {});
  return readAccessFiles(join(folder, '.windlass/access'))
    .flatMap(({ accesses }) => accesses.map(({ resource, verbs }) => `${resource} ${verbs.join()}`))
    .sort();
}

test('what all test files asked for is merged; those that fail, or are gone, do not count', async () => {
  await testFile('a.test.js', ['/api/v1/pods', '/api/v1/pods']);
  await testFile('b.test.js', ['/api/v1/nodes/x']);
  assert.deepEqual(await runTests(), ['nodes get', 'pods list']);
  await testFile('b.test.js', ['/api/v1/secrets'], false);
  assert.deepEqual(await runTests(), ['nodes get', 'pods list'], 'a failure keeps the last good record');
  await testFile('b.test.js', ['/api/v1/secrets']);
  assert.deepEqual(
    await runTests('--test-name-pattern=nothing'),
    ['nodes get', 'pods list'],
    'a part of the tests',
  );
  assert.deepEqual(
    await runTests('b.test.js'),
    ['pods list', 'secrets list'],
    'one file changes its own record only',
  );
  assert.deepEqual(await runTests('--test-isolation=none'), [
    'pods list',
    'pods list',
    'secrets list',
    'secrets list',
  ]);
  await rm(join(folder, '.windlass'), { recursive: true });
  assert.deepEqual(
    await runTests('--test-isolation=none'),
    ['pods list', 'secrets list'],
    'all in one process',
  );
  await rm(join(folder, '.windlass'), { recursive: true });
  assert.deepEqual(await runTests(), ['pods list', 'secrets list']);
  await rm(join(folder, 'a.test.js'));
  assert.deepEqual(await runTests('b.test.js'), ['secrets list']);
});
