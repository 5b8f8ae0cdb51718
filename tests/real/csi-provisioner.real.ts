// Our sidecars between a real kube-apiserver, the real volume binder, and a driver behind a socket.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { Namespace, Node, PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { CSIDriver, CSINode, CSIStorageCapacity, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, loadConfig } from '@windlass/client';
import {
  addCapacityPublisher,
  addProvisioner,
  addResizer,
  CsiClient,
  type RunningServer,
  serveCsi,
} from '@windlass/csi';
import { MemoryVolumes, memoryDriver } from '@windlass/csi/testing';
import { Manager } from '@windlass/runtime';
import {
  type ControlPlaneProgram,
  type RealCluster,
  startRealCluster,
  startRealControllerManager,
} from './harness/index.ts';

const GIB = 2 ** 30;
const NAMESPACE = 'storage';

const driver = memoryDriver({ volumes: new MemoryVolumes({ 'node-1': 10 * GIB }) });
let folder: string;
let cluster: RealCluster;
let controllers: ControlPlaneProgram;
let server: RunningServer;
let driverClient: CsiClient;
let client: Client;
let manager: Manager;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cp-'));
  cluster = await startRealCluster();
  controllers = await startRealControllerManager(cluster, {
    controllers: [
      'persistentvolume-binder-controller',
      'persistentvolume-expander-controller',
      'persistentvolumeclaim-protection-controller',
      'persistentvolume-protection-controller',
    ],
  });
  server = await serveCsi({ ...driver, socketPath: path.join(folder, 'csi.sock') });
  driverClient = new CsiClient({ socketPath: server.socketPath });
  const config = await loadConfig({ path: cluster.kubeconfigPath });
  client = createClient({ config });
  await client.resource(Namespace).create({ metadata: { name: NAMESPACE } });
  await client.resource(CSIDriver).create({
    metadata: { name: driver.name },
    spec: { attachRequired: false, storageCapacity: true },
  });
  await client.resource(Node).create({
    metadata: { name: 'node-1', labels: { [driver.topologyKey]: 'node-1' } },
  });
  await client.resource(CSINode).create({
    metadata: { name: 'node-1' },
    spec: { drivers: [{ name: driver.name, nodeID: 'node-1', topologyKeys: [driver.topologyKey] }] },
  });
  await client.resource(StorageClass).create({
    metadata: { name: 'fast' },
    provisioner: driver.name,
    parameters: { 'csi.storage.k8s.io/fstype': 'xfs' },
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  });
  manager = new Manager({ config });
  addProvisioner(manager, { driver: driverClient, strictTopology: true });
  addResizer(manager, { driver: driverClient });
  addCapacityPublisher(manager, { driver: driverClient, namespace: NAMESPACE, pollMs: 1000 });
  await manager.start();
});

after(async () => {
  await manager.stop();
  await client.close();
  await driverClient.close();
  await server.stop();
  await controllers.stop();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

const gone = async (look: () => Promise<unknown>): Promise<unknown> =>
  look().catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });

test('a claim gets its volume, grows, and leaves nothing behind', { timeout: 300_000 }, async () => {
  const claims = client.resource(PersistentVolumeClaim).namespace(NAMESPACE);
  const volumes = client.resource(PersistentVolume);
  const capacities = client.resource(CSIStorageCapacity).namespace(NAMESPACE);
  const firstCapacity = async (): Promise<string | undefined> => (await capacities.list()).items[0]?.capacity;
  await until('the capacity is told', firstCapacity, (seen) => seen === '10Gi');
  await claims.create({
    metadata: { name: 'data' },
    spec: {
      storageClassName: 'fast',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  });
  // What the scheduler does when it has found a node for the first pod.
  await claims.patch('data', {
    metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'node-1' } },
  });
  const get = (): Promise<PersistentVolumeClaim> => claims.get('data');
  const bound = await until('the claim is bound', get, ({ status }) => status?.phase === 'Bound');
  const name = bound.spec?.volumeName ?? '';
  assert.equal(name, `pvc-${bound.metadata?.uid}`);
  await until(
    'nothing holds the claim',
    get,
    ({ metadata }) => metadata?.finalizers?.join() === 'kubernetes.io/pvc-protection',
  );
  assert.deepEqual((await volumes.get(name)).metadata?.finalizers?.toSorted(), [
    'external-provisioner.volume.kubernetes.io/finalizer',
    'kubernetes.io/pv-protection',
  ]);
  await until('the capacity is less', firstCapacity, (seen) => seen === '9Gi');
  await claims.patch('data', { spec: { resources: { requests: { storage: '2Gi' } } } });
  const grown = await until(
    'the node is to grow the file system',
    get,
    ({ status }) => status?.allocatedResourceStatuses?.['storage'] === 'NodeResizePending',
  );
  assert.deepEqual(grown.status?.allocatedResources, { storage: '2Gi' });
  assert.equal((await volumes.get(name)).spec?.capacity?.['storage'], '2Gi');
  assert.equal(driver.volumes.all()[0]?.bytes, 2 * GIB);
  await claims.delete('data');
  await until(
    'the claim is gone',
    () => gone(get),
    (seen) => seen === undefined,
  );
  await until(
    'the volume is gone',
    () => gone(() => volumes.get(name)),
    (seen) => seen === undefined,
  );
  assert.deepEqual(driver.volumes.all(), []);
  await until('the capacity is back', firstCapacity, (seen) => seen === '10Gi');
});
