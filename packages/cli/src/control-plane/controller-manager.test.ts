import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { ConfigMap, Namespace, Pod } from '@windlass/apimachinery/api/core/v1';
import { createClient } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';

const never = new AbortController().signal;

describe('windlass controller-manager', () => {
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['--controllers', 'nonsense'], /there is no controller "nonsense"; there are deployment-controller, /],
    [['--concurrent-gc-syncs', 'many'], /--concurrent-gc-syncs must be a number from 1 to 10000/],
    [['--metrics-port'], /--metrics-port needs a value/],
    [['--nonsense'], /--nonsense is no flag/],
    [['--cluster-signing-cert-file', 'ca.crt'], /-cert-file and --cluster-signing-key-file go together/],
    [['--cluster-signing-duration', 'soon'], /--cluster-signing-duration must be a time such as 50s/],
    [['--node-monitor-grace-period', 'soon'], /--node-monitor-grace-period must be a time such as 50s/],
    [['--unhealthy-zone-threshold=2'], /--unhealthy-zone-threshold must be a number from 0 to 1/],
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
      [
        ...args,
        '--controllers=replicaset',
        '--concurrent-replicaset-syncs',
        '2',
        '--node-eviction-rate=1',
        '--log-level',
        'error',
      ],
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

  it('leads alone, tells what it measures, and publishes the authority', async () => {
    await using cluster = await temporaryCluster();
    const client = createClient({ transport: cluster.transport });
    const port = await freePort();
    const authority = join(dirname(cluster.kubeconfig), 'authority.crt');
    await writeFile(authority, 'PEM');
    const start = (signal: AbortSignal, ...more: readonly string[]): Promise<number> =>
      main(
        [
          'controller-manager',
          '--kubeconfig',
          cluster.kubeconfig,
          '--controllers=root-ca-cert-publisher',
          '--leader-elect',
          '--log-level=error',
          ...more,
        ],
        new RecordingTerminal(),
        signal,
      );
    const [first, second] = [new AbortController(), new AbortController()];
    const leading = start(first.signal, '--root-ca-file', authority, `--metrics-port=${port}`);
    const leases = client.resource(Lease).namespace('kube-system');
    const isHeld = { fieldSelector: 'metadata.name=kube-controller-manager' };
    const holder = async (): Promise<string> => {
      for await (const { type, object } of leases.watch(isHeld))
        if (type !== 'BOOKMARK' && object.spec?.holderIdentity) return object.spec.holderIdentity;
      throw new Error('the watch has ended');
    };
    const leader = await holder();
    await client.resource(Namespace).create({ metadata: { name: 'late' } });
    const maps = client.resource(ConfigMap).namespace('late');
    for await (const { type, object } of maps.watch({ fieldSelector: 'metadata.name=kube-root-ca.crt' }))
      if (type !== 'BOOKMARK' && object.data?.['ca.crt'] === 'PEM') break;
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(metrics, /controller="root-ca-certificate-publisher-controller"/);
    // Another replica waits while the first one leads, and takes over when that one stops.
    const waiting = start(second.signal);
    first.abort();
    assert.equal(await leading, 0);
    for await (const { type, object } of leases.watch(isHeld))
      if (type !== 'BOOKMARK' && ![undefined, '', leader].includes(object.spec?.holderIdentity)) break;
    second.abort();
    assert.equal(await waiting, 0);
    await client.close();
  });
});

/** One that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

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
