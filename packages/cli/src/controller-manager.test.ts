import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { createClient } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { main } from './main.ts';
import { RecordingTerminal } from './testing/recording-terminal.ts';

const never = new AbortController().signal;

describe('windlass controller-manager', () => {
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['--controllers', 'nonsense'], /there is no controller "nonsense"; there are deployment-controller, /],
    [['--concurrent-gc-syncs', 'many'], /--concurrent-gc-syncs must be a number from 1 to 10000/],
    [['--metrics-port'], /--metrics-port needs a value/],
    [['--nonsense'], /--nonsense is no flag/],
    [['--cluster-signing-cert-file', 'ca.crt'], /-cert-file and --cluster-signing-key-file go together/],
    [['--cluster-signing-duration', 'soon'], /--cluster-signing-duration must be a time such as 8760h/],
  ];
  for (const [args, says] of wrong)
    it(`refuses ${args.join(' ')}`, async () => {
      await using cluster = await temporaryCluster();
      const terminal = new RecordingTerminal();
      const all = ['controller-manager', '--kubeconfig', cluster.kubeconfig, ...args];
      assert.equal(await main(all, terminal, never), 2);
      assert.match(terminal.errors, says);
    });

  it('runs the controllers that it is told to, until it is stopped', async () => {
    await using cluster = await temporaryCluster();
    const client = createClient({ transport: cluster.transport });
    const stop = new AbortController();
    const args = ['controller-manager', '--kubeconfig', cluster.kubeconfig];
    const running = main(
      [...args, '--controllers=replicaset', '--concurrent-replicaset-syncs', '2', '--log-level', 'error'],
      new RecordingTerminal(),
      stop.signal,
    );
    const seen = new AbortController();
    const pods = client.resource(Pod).namespace('default').watch({ signal: seen.signal });
    await client.resource(ReplicaSet).create({
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'web' }] },
        },
      },
    });
    for await (const { type } of pods) if (type === 'ADDED') break;
    stop.abort();
    assert.equal(await running, 0);
  });
});

async function temporaryCluster() {
  const dataDir = await mkdtemp(join(tmpdir(), 'windlass-'));
  const cluster = await startCluster({ dataDir, inMemory: true, port: 0 });
  return {
    kubeconfig: cluster.kubeconfigPath ?? '',
    transport: cluster.transport(),
    async [Symbol.asyncDispose]() {
      await cluster.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
