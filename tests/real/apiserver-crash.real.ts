// The crash test of the store, with hundreds of kills instead of the few of `npm test`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { repositoryRoot } from './harness/paths.ts';

const KILLS = process.env['WINDLASS_CRASH_KILLS'] ?? '200';
const TEST = 'packages/apiserver/src/storage/crash.test.ts';

test(`every answered write survives ${KILLS} kills`, { timeout: 600_000 }, async (context) => {
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', TEST], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A test within a test would report to its parent and not to us.
    env: { ...process.env, WINDLASS_CRASH_KILLS: KILLS, NODE_TEST_CONTEXT: undefined },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const output = Buffer.concat(chunks).toString('utf8');
  assert.equal(code, 0, output);
  const summary = /(\d+) answered writes, revision \d+/.exec(output);
  assert.ok(Number(summary?.[1]) > Number(KILLS), output);
  context.diagnostic(summary?.[0] ?? '');
});
