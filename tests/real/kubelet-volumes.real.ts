// Volumes and resources of pods on our nodes against the real kube-apiserver, on a cluster of its own: it must
// accept all that the node agent writes of drivers, claims, nodes and pods.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findCondition } from '@windlass/apimachinery';
import {
  ConfigMap,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  type PodSpec,
  ServiceAccount,
} from '@windlass/apimachinery/api/core/v1';
import { CSIDriver, CSINode, VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import { createLogger, memoryWriter } from '@windlass/base';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { addKubelet, type Kubelet } from '@windlass/kubelet';
import { DRIVER, FakeDriver } from '@windlass/kubelet/testing';
import { Manager } from '@windlass/runtime';
import { admissionCheck } from '@windlass/scheduler';
import { type RealCluster, startRealCluster } from './harness/index.ts';
import { untilWatched } from './support/until-watched.ts';

let cluster: RealCluster;
let client: Client;
let manager: Manager;
let root: string;
let kubelet: Kubelet;
const driver = new FakeDriver();
const logged = memoryWriter();

const pods = () => client.resource(Pod).namespace('default');
const claims = () => client.resource(PersistentVolumeClaim).namespace('default');

before(async () => {
  cluster = await startRealCluster({ log: (line) => console.error(line) });
  const config = await loadConfig({ path: cluster.kubeconfigPath });
  client = createClient({ config });
  // What controllers would do is not here.
  await client
    .resource(ServiceAccount)
    .namespace('default')
    .create({ metadata: { name: 'default' } });
  await client.resource(CSIDriver).create({
    metadata: { name: DRIVER },
    spec: { attachRequired: true, podInfoOnMount: true, tokenRequests: [{ audience: 'vault' }] },
  });
  root = await mkdtemp(join(tmpdir(), 'wl-'));
  manager = new Manager({ config, logger: createLogger(logged, 'warn') });
  kubelet = addKubelet(manager, {
    nodes: ['n1', 'n2'].map((name) => ({ name, root: join(root, name), capacity: { cpu: '2' } })),
    admit: admissionCheck,
    heartbeatMs: 1000,
  });
  driver.topology = { 'fake.windlass.dev/rack': 'r1' };
  driver.maxVolumesPerNode = 5;
  await manager.start();
  await kubelet.registered;
  kubelet.registerDriver('n1', DRIVER, driver);
});

after(async () => {
  await manager.stop();
  await client.close();
  await cluster.stop();
  await rm(root, { recursive: true, force: true });
});

async function run(name: string, spec: Partial<PodSpec>): Promise<void> {
  await pods().create({
    metadata: { name },
    spec: {
      nodeName: 'n1',
      serviceAccountName: 'default',
      automountServiceAccountToken: false,
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'main', image: 'nginx' }],
      ...spec,
    },
  });
}

test('a driver is written in the CSINode and the labels of its node', async () => {
  const csiNode = await untilWatched(
    client.resource(CSINode),
    'n1',
    (node) => (node?.spec.drivers ?? []).length > 0,
  );
  assert.deepEqual(csiNode?.spec.drivers, [
    { name: DRIVER, nodeID: 'node-id', topologyKeys: ['fake.windlass.dev/rack'], allocatable: { count: 5 } },
  ]);
  const { metadata } = await client.resource(Node).get('n1');
  assert.equal(metadata?.labels?.['fake.windlass.dev/rack'], 'r1');
});

test('a volume is attached, mounted, grown and taken down', async () => {
  const accessModes = ['ReadWriteOnce'];
  const { metadata } = await claims().create({
    metadata: { name: 'data' },
    spec: {
      accessModes,
      resources: { requests: { storage: '1Gi' } },
      volumeName: 'pv',
      storageClassName: '',
    },
  });
  await client.resource(PersistentVolume).create({
    metadata: { name: 'pv' },
    spec: {
      accessModes,
      capacity: { storage: '1Gi' },
      claimRef: {
        kind: 'PersistentVolumeClaim',
        namespace: 'default',
        name: 'data',
        uid: metadata.uid,
      },
      csi: { driver: DRIVER, volumeHandle: 'data' },
    },
  });
  await claims().status.patch('data', {
    status: { phase: 'Bound', accessModes, capacity: { storage: '1Gi' } },
  });
  await run('db', {
    containers: [{ name: 'main', image: 'db', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  });
  const inUse = `kubernetes.io/csi/${DRIVER}^data`;
  await untilWatched(
    client.resource(Node),
    'n1',
    (node) => node?.status?.volumesInUse?.includes(inUse) === true,
  );
  const attachments = client.resource(VolumeAttachment);
  // sha256 of the handle, the driver and the node, as attachers compute it.
  const name = 'csi-7754e6421e60491c5890834209f61c25b291841b4246e89e5ccf02163de9ff4c';
  await attachments.create({
    metadata: { name },
    spec: { attacher: DRIVER, nodeName: 'n1', source: { persistentVolumeName: 'pv' } },
  });
  await attachments.status.patch(name, { status: { attached: true } });
  await untilWatched(pods(), 'db', (pod) => pod?.status?.phase === 'Running');
  const tokens = driver.published[0]?.volumeContext['csi.storage.k8s.io/serviceAccount.tokens'];
  assert.match(tokens ?? '', /"vault":\{"token":"ey/);

  await client.resource(PersistentVolume).patch('pv', { spec: { capacity: { storage: '2Gi' } } });
  await claims().status.patch('data', {
    status: {
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
      conditions: [{ type: 'FileSystemResizePending', status: 'True' }],
    },
  });
  const grown = await untilWatched(
    claims(),
    'data',
    (claim) => claim?.status?.capacity?.['storage'] === '2Gi',
  );
  assert.deepEqual(grown?.status?.conditions ?? [], []);
  assert.equal(grown?.status?.allocatedResourceStatuses?.['storage'], undefined);

  await pods().delete('db');
  await untilWatched(pods(), 'db', (pod) => pod === undefined);
  await untilWatched(client.resource(Node), 'n1', (node) => (node?.status?.volumesInUse ?? []).length === 0);
  assert.ok(driver.isClean);
  assert.deepEqual(driver.violations, []);
  assert.deepEqual(await readdir(join(root, 'n1', 'pods')), []);
});

test('what a pod names is waited for', async () => {
  const configMapRef = { name: 'settings' };
  await run('web', { containers: [{ name: 'main', image: 'web', envFrom: [{ configMapRef }] }] });
  const waits = await untilWatched(
    pods(),
    'web',
    (pod) => pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerConfigError',
  );
  assert.equal(waits?.status?.phase, 'Pending');
  await client
    .resource(ConfigMap)
    .namespace('default')
    .create({ metadata: { name: 'settings' } });
  await untilWatched(pods(), 'web', (pod) => pod?.status?.phase === 'Running');
  await pods().delete('web', { gracePeriodSeconds: 0 });
});

test('resources are changed while a pod runs', async () => {
  const one = [{ name: 'main', image: 'x', resources: { requests: { cpu: '1' } } }];
  await run('big', { nodeName: 'n2', containers: one });
  await run('other', { nodeName: 'n2', containers: one });
  for (const name of ['big', 'other'])
    await untilWatched(pods(), name, (pod) => pod?.status?.phase === 'Running');
  await pods()
    .subresource('resize')
    .patch(
      'big',
      { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '2' } } }] } },
      { type: 'strategic' },
    );
  const pending = (pod: Pod | undefined) =>
    findCondition(pod?.status?.conditions, 'PodResizePending')?.reason;
  await untilWatched(pods(), 'big', (pod) => pending(pod) === 'Deferred');
  await pods().delete('other', { gracePeriodSeconds: 0 });
  const done = await untilWatched(
    pods(),
    'big',
    (pod) => pod?.status?.containerStatuses?.[0]?.resources?.requests?.['cpu'] === '2',
  );
  assert.equal(pending(done), undefined, 'the condition is gone with the same write');
});

test('the server has refused nothing', () => {
  const refused = logged.records.filter(({ message }) => message.startsWith('reconcile failed'));
  assert.deepEqual(refused, []);
});
