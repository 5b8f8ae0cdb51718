// The same walk with the real kubectl against our server and against a real kube-apiserver: exit codes and
// what is printed must agree, but for what differences.ts names.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCluster } from '@windlass/cluster';
import { sharedRealCluster } from './harness/index.ts';
import { KNOWN_DIFFERENCES } from './kubectl/differences.ts';
import { runWalk } from './kubectl/run-walk.ts';

const real = await sharedRealCluster();

test('kubectl sees no difference between the two servers', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-kubectl-'));
  const ours = await startCluster({ dataDir: folder, inMemory: true, port: 0 });
  try {
    const [expected, actual] = await Promise.all([
      runWalk(real.kubeconfigPath),
      runWalk(ours.kubeconfigPath ?? ''),
    ]);
    const unexplained: string[] = [];
    for (const [index, { step, code, output }] of expected.entries()) {
      const mine = actual[index];
      if (mine?.code === code && mine.output === output) continue;
      const known = KNOWN_DIFFERENCES.find((difference) => step.startsWith(difference.step));
      if (known === undefined)
        unexplained.push(
          `$ kubectl ${step}\n--- real (exit ${code})\n${output}\n--- ours (exit ${mine?.code})\n${mine?.output}\n`,
        );
      else context.diagnostic(`known: ${step}: ${known.reason}`);
    }
    assert.equal(
      unexplained.length,
      0,
      `${unexplained.length} of ${expected.length} steps differ:\n\n${unexplained.join('\n')}`,
    );
  } finally {
    await ours.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
