// Volumes that come to nodes and leave them; the test is the attacher of their driver, and the nodes.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { CSIDriver, VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { startControllers } from '../testing/controlled-cluster.ts';

const NAME = 'kubernetes.io/csi/d.example.com^disk';
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const nodes = (cluster: TestCluster) => cluster.client.resource(Node);
const attachments = (cluster: TestCluster) => cluster.client.resource(VolumeAttachment);

async function addNode(cluster: TestCluster, name: string): Promise<void> {
  const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
  await nodes(cluster).create({ metadata: { name, annotations } });
  await nodes(cluster).status.patch(name, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
}

async function addDisk(cluster: TestCluster): Promise<void> {
  await cluster.client.resource(PersistentVolume).create({
    metadata: { name: 'pv' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'x',
      csi: { driver: 'd.example.com', volumeHandle: 'disk' },
    },
  });
  await cluster.client
    .resource(PersistentVolumeClaim)
    .namespace('default')
    .create({
      metadata: { name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'x',
        resources: { requests: { storage: '1Gi' } },
      },
    });
  await cluster.settled();
}

async function addPod(cluster: TestCluster, name: string, nodeName: string): Promise<void> {
  await pods(cluster).create({
    metadata: { name },
    spec: {
      nodeName,
      containers: [{ name: 'main', image: 'i' }],
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });
  await cluster.settled();
}

const where = async (cluster: TestCluster): Promise<string[]> =>
  (await attachments(cluster).list()).items.map(({ spec }) => spec.nodeName).toSorted();
const reported = async (cluster: TestCluster, name: string): Promise<(string | undefined)[]> =>
  ((await nodes(cluster).get(name)).status?.volumesAttached ?? []).map((each) => each.name);

it('a volume comes to the node of its pod, and goes on to the next when the first has let go', async () => {
  await using test = await startControllers(['persistentvolume-binder', 'attachdetach']);
  const { cluster } = test;
  await addNode(cluster, 'a');
  await addNode(cluster, 'b');
  await addDisk(cluster);
  await addPod(cluster, 'first', 'a');
  assert.deepEqual(await where(cluster), ['a']);
  const [made] = (await attachments(cluster).list()).items;
  assert.equal(made?.spec.attacher, 'd.example.com');
  assert.deepEqual(await reported(cluster, 'a'), [], 'not before the driver says so');
  await attachments(cluster).status.patch(made.metadata.name, { status: { attached: true } });
  await nodes(cluster).status.patch('a', { status: { volumesInUse: [NAME] } });
  await cluster.settled();
  assert.deepEqual(await reported(cluster, 'a'), [NAME]);
  assert.deepEqual(await eventsOf(cluster, 'first'), [
    'SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "pv" ',
  ]);
  await addPod(cluster, 'second', 'b');
  assert.deepEqual(await where(cluster), ['a']);
  assert.deepEqual(await eventsOf(cluster, 'second'), [
    'FailedAttachVolume: Multi-Attach error for volume "pv" Volume is already used by pod(s) first',
  ]);
  await pods(cluster).delete('first', { gracePeriodSeconds: 0 });
  await cluster.settled();
  assert.deepEqual(await where(cluster), ['a'], 'the node has it mounted still');
  await nodes(cluster).status.patch('a', { status: { volumesInUse: [] } }, { type: 'merge' });
  await cluster.settled();
  assert.deepEqual(await where(cluster), ['b']);
  assert.deepEqual(await reported(cluster, 'a'), []);
});

it('volumes of drivers that need no attachment get none', async () => {
  await using test = await startControllers(['persistentvolume-binder', 'attachdetach']);
  const { cluster } = test;
  await cluster.client
    .resource(CSIDriver)
    .create({ metadata: { name: 'd.example.com' }, spec: { attachRequired: false } });
  await addNode(cluster, 'a');
  await addDisk(cluster);
  await addPod(cluster, 'first', 'a');
  assert.deepEqual(await where(cluster), []);
});

it('a volume comes and goes, although the first try was refused', async () => {
  await using test = await startControllers(['persistentvolume-binder', 'attachdetach']);
  const { cluster, controllers } = test;
  const path = /\/volumeattachments/;
  await addNode(cluster, 'a');
  await addDisk(cluster);
  // It was there and is gone, and the cache never heard of it.
  controllers.faults.fail({ method: 'POST', path, answer: { code: 409, reason: 'AlreadyExists' } });
  await addPod(cluster, 'first', 'a');
  await cluster.advance(1000);
  assert.deepEqual(await where(cluster), ['a']);
  controllers.faults.fail({ method: 'DELETE', path, answer: { code: 409, reason: 'Conflict' } });
  await pods(cluster).delete('first', { gracePeriodSeconds: 0 });
  await cluster.advance(1000);
  assert.deepEqual(await where(cluster), []);
});

it('a node that is not well keeps a volume for six minutes at most', async () => {
  await using test = await startControllers(['persistentvolume-binder', 'attachdetach']);
  const { cluster } = test;
  await addNode(cluster, 'a');
  await addDisk(cluster);
  await addPod(cluster, 'first', 'a');
  await nodes(cluster).status.patch('a', {
    status: { volumesInUse: [NAME], conditions: [{ type: 'Ready', status: 'Unknown' }] },
  });
  await pods(cluster).delete('first', { gracePeriodSeconds: 0 });
  await cluster.advance(359_000);
  assert.deepEqual(await where(cluster), ['a']);
  await cluster.advance(2000);
  assert.deepEqual(await where(cluster), []);
});
