// A client-go program that was not written for our server passes against both.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { startCluster } from '@windlass/cluster';
import { sharedRealCluster } from './harness/index.ts';
import { needGo } from './harness/needs.ts';
import { cacheFolder } from './harness/paths.ts';

const run = promisify(execFile);
const real = await sharedRealCluster();
const program = cacheFolder('bin', 'client-go-program');

before(async () => {
  await mkdir(cacheFolder('bin'), { recursive: true });
  const go = await needGo('the client-go program');
  await run(go, ['build', '-buildvcs=false', '-trimpath', '-o', program, '.'], {
    cwd: new URL('client-go/', import.meta.url).pathname,
  });
});

async function passes(kubeconfig: string): Promise<string[]> {
  const { stdout } = await run(program, [kubeconfig], { timeout: 150_000 }).catch(
    (error: { stdout?: string; message: string }) => {
      throw new assert.AssertionError({ message: `${error.message}\n${error.stdout ?? ''}` });
    },
  );
  return stdout.trim().split('\n');
}

test('client-go passes against a real kube-apiserver', async () => {
  const lines = await passes(real.kubeconfigPath);
  assert.ok(
    lines.every((line) => line.startsWith('ok ')),
    lines.join('\n'),
  );
});

test('client-go passes against ours, and sees the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-client-go-'));
  const ours = await startCluster({ dataDir: folder, inMemory: true, port: 0 });
  try {
    const lines = await passes(ours.kubeconfigPath ?? '');
    assert.equal(lines.at(-1), 'ok nothing is left');
  } finally {
    await ours.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
