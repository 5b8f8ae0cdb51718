// The walk of a claim in one process: provisioner, scheduler, node agent and driver, to a file on a drive, and back to
// nothing. Time is real here: sockets and files are.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { DirectPVDrive, DirectPVVolume } from '@windlass/directpv';

const GIBIBYTE = 2 ** 30;

let dataDir: string;
let cluster: RunningCluster;
let client: Client;

async function start(): Promise<void> {
  cluster = await startCluster({
    dataDir,
    controllers: ['*'],
    nodes: 2,
    drives: { perNode: 2, size: 10 * GIBIBYTE, backend: 'directory' },
  });
  client = createClient({ transport: cluster.transport() });
}

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'windlass-storage-'));
  await start();
});
after(async () => {
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const claims = () => client.resource(PersistentVolumeClaim).namespace('default');
const pods = () => client.resource(Pod).namespace('default');

async function runningPod(): Promise<Pod> {
  return await until(
    'a running pod',
    () => pods().get('my-app'),
    ({ status }) => status?.phase === 'Running',
  );
}

/** The volume as its pod sees it. */
function mountOf({ metadata, spec }: Pod, volume: string): string {
  const root = join(dataDir, 'nodes', spec?.nodeName ?? '', 'pods', metadata?.uid ?? '');
  return join(root, 'volumes/kubernetes.io~csi', volume, 'mount');
}

async function drives(): Promise<readonly DirectPVDrive[]> {
  return (await client.resource(DirectPVDrive).list()).items;
}

test('a claim and a pod become a file on a drive', async () => {
  assert.equal((await drives()).length, 4);
  await claims().create({
    metadata: { name: 'my-app-pvc' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '10Gi' } },
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
  const pod = await runningPod();
  const claim = await claims().get('my-app-pvc');
  assert.equal(claim.status?.phase, 'Bound');
  const name = claim.spec?.volumeName ?? '';
  const volume = await client.resource(DirectPVVolume).get(name);
  assert.equal(volume.status.status, 'Ready');
  assert.equal(volume.status.totalCapacity, 10 * GIBIBYTE);
  const drive = (await drives()).find(({ metadata }) => metadata?.name === volume.status.fsuuid);
  assert.equal(drive?.status.allocatedCapacity, 10 * GIBIBYTE);
  assert.equal(drive.status.topology['directpv.min.io/node'], pod.spec?.nodeName);
  await writeFile(join(mountOf(pod, name), 'greeting'), 'good morning');
  const kept = join(dataDir, 'nodes', pod.spec?.nodeName ?? '', 'drives/devices');
  const holders = (await readdir(kept)).filter((device) =>
    existsSync(join(kept, device, 'data', name, 'greeting')),
  );
  assert.equal(holders.length, 1, 'the file is on one of its drives');
});

test('after a restart everything is there, and the pod sees its file', async () => {
  await cluster.stop();
  await start();
  const pod = await runningPod();
  const name = (await claims().get('my-app-pvc')).spec?.volumeName ?? '';
  assert.equal(await readFile(join(mountOf(pod, name), 'greeting'), 'utf8'), 'good morning');
  assert.equal((await drives()).filter(({ status }) => status.status === 'Ready').length, 4);
});

test('deleted, it leaves nothing: no volume, no directory, all of the drive free', async () => {
  const pod = await pods().get('my-app');
  const name = (await claims().get('my-app-pvc')).spec?.volumeName ?? '';
  const mount = mountOf(pod, name);
  await pods().delete('my-app');
  await claims().delete('my-app-pvc');
  // The provisioner lets the PersistentVolume go when the driver has none any more: in this order, and not at once.
  await until('the end of the volume', async () => {
    const { items: kept } = await client.resource(DirectPVVolume).list();
    const { items: known } = await client.resource(PersistentVolume).list();
    return kept.length === 0 && known.length === 0;
  });
  assert.equal(existsSync(mount), false);
  for (const { status } of await drives()) {
    assert.equal(status.allocatedCapacity, 0);
    assert.equal(status.freeCapacity, status.totalCapacity);
  }
  const left = await readdir(join(dataDir, 'nodes'), { recursive: true });
  assert.deepEqual(
    left.filter((path) => path.includes('pvc-')),
    [],
  );
});
