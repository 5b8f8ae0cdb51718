import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DEAF, Folder } from './run-testing.ts';
import { runTests } from './run-tests.ts';

const NEVER = new AbortController().signal;
const REPORTER = new URL('../failures-reporter.ts', import.meta.url).href;
const TEST = `import { test } from 'node:test';\n`;

it('ends a file that hangs, with what it started, and names it', {
  skip: process.platform === 'win32' && 'processes cannot be told apart there',
}, async () => {
  await using folder = new Folder();
  const files = {
    'good.test.mjs': `${TEST}test('good', () => {});`,
    'bad.test.mjs': `${TEST}test('bad', () => { throw new Error('is bad'); });`,
    'timer.test.mjs': `${TEST}test('leaves a timer', () => { setInterval(() => {}, 1000); });`,
    'spins.test.mjs': `${TEST}process.on('SIGTERM', () => {}); test('spins', () => { for (;;); });`,
    'server.test.mjs': `${TEST}import { spawn } from 'node:child_process';
      spawn(process.execPath, ['-e', ${JSON.stringify(DEAF)}, 'server'], { detached: true, stdio: 'ignore' });
      await new Promise(() => setInterval(() => {}, 1000));`,
  };
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  let output = '';
  const result = await runTests({
    files: Object.keys(files),
    cwd: folder.path,
    signal: NEVER,
    env: { ...folder.env, WINDLASS_SEED: undefined },
    fileLimitMs: 4_000,
    concurrency: 5,
    reporter: REPORTER,
    onOutput: (chunk) => {
      output += chunk.toString();
    },
  });
  assert.equal(result.passed, false);
  assert.deepEqual([...result.hung].sort(), ['server.test.mjs', 'spins.test.mjs', 'timer.test.mjs']);
  assert.deepEqual([...folder.noted.keys()], ['server'], 'it was started');
  assert.deepEqual(folder.alive, []);
  const failures = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { test: string; error: string });
  assert.equal(failures.find(({ test }) => test === 'bad')?.error, 'is bad');
  assert.equal(
    failures.find(({ test }) => test === 'good'),
    undefined,
  );
});

it('passes when all do', async () => {
  await using folder = new Folder();
  folder.write('good.test.mjs', `${TEST}test('good', () => {});`);
  const result = await runTests({
    files: ['good.test.mjs'],
    cwd: folder.path,
    signal: NEVER,
    env: folder.env,
    onOutput: () => {},
  });
  assert.deepEqual(result, { passed: true, hung: [] });
});

it('refuses a seed that is none before it starts anything', async () => {
  const env = { ...process.env, WINDLASS_SEED: 'abc' };
  await assert.rejects(runTests({ files: ['none.test.mjs'], signal: NEVER, env }), {
    message: 'WINDLASS_SEED must be a whole number, but it is "abc" (string)',
  });
});
