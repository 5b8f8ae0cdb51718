// Everything that is ours, each a process of its own, on a real kube-apiserver: controllers, scheduler, a simulated node,
// and DirectPV's two processes. The walk: a deployment, and a claim that becomes a file on a drive, and nothing again.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Namespace, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { realClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, loadConfig } from '@windlass/client';
import {
  DirectPVDrive,
  DirectPVVolume,
  discoverDevices,
  ensureStorage,
  initConfigOf,
  initDrives,
} from '@windlass/directpv';
import { type RealCluster, startRealCluster } from './harness/index.ts';

const PROGRAM = new URL('../../packages/cli/src/windlass.ts', import.meta.url).pathname;
const NODE = 'walker';

let folder: string;
let cluster: RealCluster;
let client: Client;
const processes: ChildProcess[] = [];

/** One of our commands against the real server. */
function windlass(...args: readonly string[]): void {
  const flags = ['--kubeconfig', cluster.kubeconfigPath, '--log-level', 'error'];
  processes.push(
    spawn(process.execPath, [PROGRAM, ...args, ...flags], { stdio: ['ignore', 'inherit', 'inherit'] }),
  );
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wl-'));
  cluster = await startRealCluster();
  client = createClient({ config: await loadConfig({ path: cluster.kubeconfigPath }), fieldManager: 'walk' });
  await ensureStorage(client, realClock);
  await client.resource(Namespace).create({ metadata: { name: 'directpv' } });
  const kubelet = join(folder, 'kubelet');
  const registry = join(kubelet, 'plugins_registry');
  mkdirSync(registry, { recursive: true });
  const ports = ['--readiness-port', '0', '--metrics-port', '0', '--bind-address', '127.0.0.1'];
  windlass('controller-manager', '--root-ca-file', cluster.caFile);
  windlass('scheduler');
  windlass('kubelet', '--node-name', NODE, '--root-dir', kubelet);
  windlass('directpv', 'controller', '--csi-endpoint', `unix://${join(folder, 'c.sock')}`, ...ports);
  windlass(
    'directpv',
    'node',
    '--kube-node-name',
    NODE,
    '--registration-dir',
    registry,
    '--csi-endpoint',
    `unix://${join(folder, 'n.sock')}`,
    '--root',
    join(folder, 'directpv'),
    '--directory',
    join(folder, 'drives'),
    '--drives',
    'sda=2Gi,sdb=2Gi',
    ...ports,
  );
});
after(async () => {
  for (const child of processes) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await client.close();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

const pods = () => client.resource(Pod).namespace('default');
const claims = () => client.resource(PersistentVolumeClaim).namespace('default');

test('a deployment becomes pods that run', async () => {
  const labels = { app: 'hello' };
  const deployments = client.resource(Deployment).namespace('default');
  await deployments.create({
    metadata: { name: 'hello' },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
    },
  });
  await until(
    'three available replicas',
    async () => (await deployments.get('hello')).status?.availableReplicas === 3,
  );
});

test('drives are found and formatted by the commands that administer them', async () => {
  const discovery = await until(
    'the drives of the node',
    () => discoverDevices(client),
    ({ devices }) => devices.length === 2,
  );
  const results = await initDrives(client, initConfigOf(discovery.devices));
  assert.deepEqual(
    results.map(({ drive, error }) => [drive, error]),
    [
      ['sda', undefined],
      ['sdb', undefined],
    ],
  );
});

test('a claim and a pod become a directory on a drive', async () => {
  await claims().create({
    metadata: { name: 'my-app-pvc' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'directpv-min-io',
    },
  });
  await pods().create({
    metadata: { name: 'my-app' },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'app', image: 'nginx', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'my-app-pvc' } }],
    },
  });
  const pod = await until(
    'a running pod',
    () => pods().get('my-app'),
    ({ status }) => status?.phase === 'Running',
  );
  const { spec, status } = await claims().get('my-app-pvc');
  assert.equal(status?.phase, 'Bound');
  const mount = join(folder, 'kubelet/pods', pod.metadata.uid, 'volumes/kubernetes.io~csi');
  assert.ok(existsSync(join(mount, spec?.volumeName ?? '', 'mount')));
  assert.ok((await readdir(folder, { recursive: true })).some((path) => /devices\/.*\/pvc-/.test(path)));
});

test('deleted, nothing is left of it', async () => {
  await pods().delete('my-app');
  await claims().delete('my-app-pvc');
  await until(
    'the end of the volume',
    async () => (await client.resource(DirectPVVolume).list()).items.length === 0,
  );
  await until(
    'the end of the persistent volume',
    async () => (await client.resource(PersistentVolume).list()).items.length === 0,
  );
  for (const { status } of (await client.resource(DirectPVDrive).list()).items)
    assert.equal(status.freeCapacity, status.totalCapacity);
  const left = await readdir(folder, { recursive: true });
  assert.deepEqual(
    left.filter((path) => path.includes('pvc-')),
    [],
  );
});
