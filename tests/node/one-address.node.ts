// Control plane and real node on one address, with simulated nodes beside it. What the kubelet serves with is left to
// people there, because the address is the API server's, too.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isConditionTrue } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { busyboxImage } from './harness/image.ts';
import { JoinedNode } from './harness/joined-node.ts';
import { NodeMachine } from './harness/node-machine.ts';
import { BUSYBOX, BUSYBOX_IMAGE, PAUSE_IMAGE } from './harness/runtime-config.ts';
import { type RunningUp, startUp, windlass } from './harness/windlass.ts';

const PATIENCE = { timeoutMs: 180_000 };
let machine: NodeMachine;
let up: RunningUp;
let joined: JoinedNode;
let folder: string;

before(async () => {
  folder = await mkdtemp('/tmp/wnt-');
  machine = await NodeMachine.make({ name: 'one', net: 197 }, [
    await busyboxImage(BUSYBOX_IMAGE, BUSYBOX, ['sh', 'sleep', 'echo']),
    await busyboxImage(PAUSE_IMAGE, BUSYBOX, ['sleep']),
  ]);
  const flags = ['--host', '0.0.0.0', '--advertise-address', machine.address];
  up = await startUp({
    dataDir: join(folder, 'up'),
    flags: [...flags, '--port', '0', '--nodes', '2', '--drives', '0'],
    within: (...command) => machine.inside(...command),
  });
  joined = new JoinedNode({ machine, nodeName: 'real-1', logFile: join(folder, 'kubelet.log') });
  await joined.join(await windlass('token', 'create', '--print-join-command', '--data-dir', up.dataDir));
});

after(async () => {
  await joined?.stop();
  // It runs on the machine.
  await up?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const POD = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'real' },
  spec: {
    nodeName: 'real-1',
    containers: [
      {
        name: 'main',
        image: BUSYBOX_IMAGE,
        imagePullPolicy: 'Never',
        command: ['sh', '-c', 'echo here; exec sleep 1000'],
      },
    ],
    terminationGracePeriodSeconds: 1,
  },
});

describe('a real node at the address of the API server', () => {
  it('is ready, beside simulated ones', async () => {
    const nodes = await until(
      'all are ready',
      async () => (await up.client.resource(Node).list()).items,
      (items) =>
        items.length === 3 && items.every(({ status }) => isConditionTrue(status?.conditions, 'Ready')),
      PATIENCE,
    );
    assert.deepEqual(nodes.map(({ metadata }) => metadata.name).toSorted(), ['node-1', 'node-2', 'real-1']);
  });

  it('shows nothing of its pods until a person approves its serving certificate', async () => {
    await writeFile(join(folder, 'pod.json'), POD);
    await up.kubectl('apply', '-f', join(folder, 'pod.json'));
    await up.kubectl('wait', '--for=condition=Ready', 'pod/real', '--timeout=100s');
    await assert.rejects(up.kubectl('logs', 'real'), /certificate|tls|TLS/);
    const lines = (await up.kubectl('get', 'csr', '--no-headers')).trim().split('\n');
    const open = lines.filter((line) => line.includes('kubelet-serving') && line.includes('Pending'));
    assert.ok(open.length > 0, lines.join('\n'));
    await up.kubectl('certificate', 'approve', ...open.map((line) => line.split(' ')[0] ?? ''));
    const said = await until(
      'its log is shown',
      () => up.kubectl('logs', 'real'),
      (text) => text !== '',
    );
    assert.equal(said, 'here\n');
  });

  it('is one of those that the scheduler knows', async () => {
    await up.kubectl('create', 'deployment', 'many', '--image', BUSYBOX_IMAGE, '--replicas', '6');
    await up.kubectl('rollout', 'status', 'deployment/many', '--timeout=100s');
    const places = (
      await up.kubectl('get', 'pods', '-l', 'app=many', '-o', 'jsonpath={.items[*].spec.nodeName}')
    )
      .split(' ')
      .toSorted();
    assert.deepEqual([...new Set(places)], ['node-1', 'node-2', 'real-1']);
  });
});
