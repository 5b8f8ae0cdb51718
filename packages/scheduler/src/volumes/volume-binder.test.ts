// Pods and their volumes: the scheduler and the binder together, with a provisioner that the test plays.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, isNotFound } from '@windlass/apimachinery';
import {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeSpec,
  Pod,
  type PodSpec,
} from '@windlass/apimachinery/api/core/v1';
import { CSIDriver, CSINode, CSIStorageCapacity, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { startTestCluster, type TestCluster, type TestManager } from '@windlass/cluster/testing';
import { addControllers } from '@windlass/controllers';
import { Scheduler, type SchedulerOptions } from '../scheduler.ts';

const ZONE = 'topology.kubernetes.io/zone';
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const claims = (cluster: TestCluster) => cluster.client.resource(PersistentVolumeClaim).namespace('default');
const volumes = (cluster: TestCluster) => cluster.client.resource(PersistentVolume);

async function addScheduler(cluster: TestCluster, options: SchedulerOptions = {}): Promise<TestManager> {
  const made = cluster.manager();
  await made.manager.add(new Scheduler(made.manager, options));
  await made.manager.start();
  return made;
}

/** Two nodes in two zones, a class of local disks and one whose volumes are made; both wait for a pod. */
async function startScheduling(options: SchedulerOptions = {}) {
  const cluster = await startTestCluster();
  for (const [name, zone] of [
    ['n1', 'a'],
    ['n2', 'b'],
  ] as const)
    await addNode(cluster, name, zone);
  const classes = cluster.client.resource(StorageClass);
  for (const [name, provisioner] of [
    ['local', 'kubernetes.io/no-provisioner'],
    ['made', 'csi.example.com'],
  ] as const)
    await classes.create({ metadata: { name }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
  const binder = cluster.manager();
  addControllers(binder.manager, { controllers: ['persistentvolume-binder'] });
  await binder.manager.start();
  const scheduler = await addScheduler(cluster, options);
  return { cluster, scheduler, [Symbol.asyncDispose]: () => cluster.stop() };
}

async function addNode(cluster: TestCluster, name: string, zone: string): Promise<void> {
  const nodes = cluster.client.resource(Node);
  await nodes.create({ metadata: { name, labels: { [ZONE]: zone } } });
  const allocatable = { cpu: '4', memory: '16Gi', pods: '10' };
  await nodes.status.patch(name, { status: { allocatable, capacity: allocatable } });
  await nodes.patch(name, { spec: { taints: [] } }, { type: 'merge' });
}

const inZone = (zone: string): PersistentVolumeSpec => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }],
    },
  },
});

async function addDisk(cluster: TestCluster, name: string, spec: PersistentVolumeSpec = {}): Promise<void> {
  await volumes(cluster).create({
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName: 'local',
      csi: { driver: 'csi.example.com', volumeHandle: name },
      ...spec,
    },
  });
  await cluster.settled();
}

async function addClaim(
  cluster: TestCluster,
  name: string,
  storageClassName = 'local',
  accessModes = ['ReadWriteOnce'],
): Promise<void> {
  await claims(cluster).create({
    metadata: { name },
    spec: { accessModes, storageClassName, resources: { requests: { storage: '1Gi' } } },
  });
  await cluster.settled();
}

async function addPod(
  cluster: TestCluster,
  name: string,
  claimNames: readonly string[],
  more: Partial<PodSpec> = {},
): Promise<void> {
  await pods(cluster).create({
    metadata: { name },
    spec: {
      containers: [{ name: 'main', image: 'i' }],
      volumes: claimNames.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
      ...more,
    },
  });
  await cluster.settled();
}

/** What an external provisioner does with claims that have a node. */
async function provision(cluster: TestCluster): Promise<void> {
  const { items } = await claims(cluster).list();
  for (const { metadata, spec, status } of items) {
    const node = metadata?.annotations?.['volume.kubernetes.io/selected-node'];
    if (node === undefined || status?.phase === 'Bound') continue;
    const zone = node === 'n1' ? 'a' : 'b';
    await addDisk(cluster, `pvc-${metadata.name}`, {
      storageClassName: spec?.storageClassName ?? '',
      claimRef: { namespace: 'default', name: metadata.name, uid: metadata.uid },
      ...inZone(zone),
    });
  }
  await cluster.settled();
}

const nodeOf = async (cluster: TestCluster, name: string): Promise<string | undefined> =>
  (await pods(cluster).get(name)).spec?.nodeName;
const whyNot = async (cluster: TestCluster, name: string): Promise<string> =>
  findCondition((await pods(cluster).get(name)).status?.conditions, 'PodScheduled')?.message ?? '';
const volumeOf = async (cluster: TestCluster, claim: string): Promise<string> => {
  const { spec, status } = await claims(cluster).get(claim);
  return `${status?.phase} ${spec?.volumeName ?? ''}`.trim();
};

describe('a pod with a volume that waits for it', () => {
  it('goes to the node that has a free one, and the two are bound before the pod is', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addDisk(cluster, 'disk-b', inZone('b'));
    await addClaim(cluster, 'data');
    assert.equal(await volumeOf(cluster, 'data'), 'Pending');
    await addPod(cluster, 'web', ['data']);
    assert.equal(await nodeOf(cluster, 'web'), 'n2');
    assert.equal(await volumeOf(cluster, 'data'), 'Bound disk-b');
  });

  it('waits while there is none, and runs as soon as one comes', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addPod(cluster, 'web', ['data']);
    assert.match(
      await whyNot(cluster, 'web'),
      /^0\/2 nodes are available: persistentvolumeclaim "data" not found\./,
    );
    await addClaim(cluster, 'data');
    await cluster.advance(10_000);
    assert.match(
      await whyNot(cluster, 'web'),
      /^0\/2 nodes are available: 2 node\(s\) didn't find available persistent volumes to bind\./,
    );
    await addDisk(cluster, 'disk', inZone('a'));
    await cluster.advance(10_000);
    assert.equal(await nodeOf(cluster, 'web'), 'n1');
  });

  it('of two that want one volume gets it, and the other waits', async () => {
    await using test = await startScheduling();
    const { cluster, scheduler } = test;
    await addDisk(cluster, 'only', inZone('a'));
    await addClaim(cluster, 'one');
    await addClaim(cluster, 'two');
    // Both are decided on before anything of the first is heard.
    const held = scheduler.faults.holdWatches({ path: '/api/v1/persistentvolumes' });
    for (const name of ['one', 'two'])
      await pods(cluster).create({
        metadata: { name },
        spec: {
          containers: [{ name: 'main', image: 'i' }],
          volumes: [{ name: 'd', persistentVolumeClaim: { claimName: name } }],
        },
      });
    for (let turn = 0; turn < 300; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.match(await whyNot(cluster, 'two'), /didn't find available persistent volumes/);
    held[Symbol.dispose]();
    await cluster.settled();
    assert.equal(await nodeOf(cluster, 'one'), 'n1');
    assert.equal(await nodeOf(cluster, 'two'), undefined);
    assert.equal(await volumeOf(cluster, 'one'), 'Bound only');
  });

  it('gets one made on the node that was chosen, and is bound only then', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClaim(cluster, 'data', 'made');
    await addPod(cluster, 'web', ['data'], { nodeSelector: { [ZONE]: 'b' } });
    const { metadata } = await claims(cluster).get('data');
    assert.equal(metadata?.annotations?.['volume.kubernetes.io/selected-node'], 'n2');
    assert.equal(metadata?.annotations?.['volume.kubernetes.io/storage-provisioner'], 'csi.example.com');
    assert.equal(await nodeOf(cluster, 'web'), undefined);
    await provision(cluster);
    assert.equal(await volumeOf(cluster, 'data'), 'Bound pvc-data');
    assert.equal(await nodeOf(cluster, 'web'), 'n2');
  });

  it('has its node chosen although somebody wrote to the claim meanwhile', async () => {
    await using test = await startScheduling();
    const { cluster, scheduler } = test;
    await addClaim(cluster, 'data', 'made');
    // The binder writes to new claims too. That is no reason to give the node up and to begin anew.
    scheduler.faults.conflict({ method: 'PUT', path: /persistentvolumeclaims\/data$/ });
    await addPod(cluster, 'web', ['data'], { nodeSelector: { [ZONE]: 'b' } });
    const { metadata } = await claims(cluster).get('data');
    assert.equal(metadata?.annotations?.['volume.kubernetes.io/selected-node'], 'n2');
    assert.equal(await whyNot(cluster, 'web'), '');
  });

  it('is tried elsewhere when it cannot be made there', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClaim(cluster, 'data', 'made');
    await addPod(cluster, 'web', ['data']);
    const selected = async (): Promise<string | undefined> =>
      (await claims(cluster).get('data')).metadata?.annotations?.['volume.kubernetes.io/selected-node'];
    const first = await selected();
    assert.ok(first);
    // There is no room: the provisioner takes the choice back, and the node is closed to others.
    await cluster.client.resource(Node).patch(first, { spec: { unschedulable: true } });
    await claims(cluster).patch(
      'data',
      { metadata: { annotations: { 'volume.kubernetes.io/selected-node': null } } },
      { type: 'merge' },
    );
    await cluster.settled();
    assert.match(await whyNot(cluster, 'web'), /provisioning failed for PVC "data"/);
    await cluster.advance(11_000);
    const second = await selected();
    assert.ok(second !== undefined && second !== first);
    await provision(cluster);
    assert.equal(await nodeOf(cluster, 'web'), second);
  });

  it('is tried again when that takes too long', async () => {
    await using test = await startScheduling({ volumeTimeoutMs: 30_000 });
    const { cluster } = test;
    await addClaim(cluster, 'data', 'made');
    await addPod(cluster, 'web', ['data']);
    await cluster.advance(31_000);
    assert.match(await whyNot(cluster, 'web'), /took longer than 30000 ms/);
    await cluster.advance(11_000);
    await provision(cluster);
    assert.notEqual(await nodeOf(cluster, 'web'), undefined);
  });

  it('lets go when it is deleted meanwhile, and another one finds the same node', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClaim(cluster, 'data', 'made');
    await addPod(cluster, 'web', ['data'], { nodeSelector: { [ZONE]: 'b' } });
    await pods(cluster).delete('web', { gracePeriodSeconds: 0 });
    await cluster.settled();
    await assert.rejects(pods(cluster).get('web'), isNotFound);
    await addPod(cluster, 'next', ['data']);
    await provision(cluster);
    assert.equal(await nodeOf(cluster, 'next'), 'n2');
  });

  it('gives up when one of its claims goes meanwhile', async () => {
    for (const gone of ['ready', 'data']) {
      await using test = await startScheduling();
      const { cluster } = test;
      await addDisk(cluster, 'disk', { storageClassName: 'old' });
      await addClaim(cluster, 'ready', 'old');
      await addClaim(cluster, 'data', 'made');
      await addPod(cluster, 'web', ['ready', 'data']);
      // Its finalizer keeps it for a while.
      await claims(cluster).delete(gone);
      await cluster.settled();
      const why = `persistentvolumeclaim "${gone}" is being deleted`;
      assert.ok((await whyNot(cluster, 'web')).includes(why), await whyNot(cluster, 'web'));
      await provision(cluster);
      await cluster.advance(20_000);
      assert.equal(await nodeOf(cluster, 'web'), undefined);
    }
  });

  it('is not bound because of a claim that the server no longer has', async () => {
    await using test = await startScheduling();
    const { cluster, scheduler } = test;
    await addClaim(cluster, 'data', 'made');
    await addPod(cluster, 'web', ['data']);
    const volumesHeld = scheduler.faults.holdWatches({ path: '/api/v1/persistentvolumes' });
    await provision(cluster);
    assert.equal(await volumeOf(cluster, 'data'), 'Bound pvc-data');
    const claimsHeld = scheduler.faults.holdWatches({ path: '/api/v1/persistentvolumeclaims' });
    await claims(cluster).delete('data');
    await claims(cluster).patch('data', { metadata: { finalizers: null } }, { type: 'merge' });
    await addClaim(cluster, 'data', 'made');
    volumesHeld[Symbol.dispose]();
    await cluster.settled();
    assert.equal(await nodeOf(cluster, 'web'), undefined);
    assert.match(await whyNot(cluster, 'web'), /persistentvolumeclaim "data" is another one by now/);
    claimsHeld[Symbol.dispose]();
  });

  it('names no claim in a volume that the server no longer has', async () => {
    await using test = await startScheduling();
    const { cluster, scheduler } = test;
    await addDisk(cluster, 'disk');
    await addClaim(cluster, 'data');
    const held = scheduler.faults.holdWatches({ path: '/api/v1/persistentvolumeclaims' });
    await claims(cluster).delete('data');
    await claims(cluster).patch('data', { metadata: { finalizers: null } }, { type: 'merge' });
    await addPod(cluster, 'web', ['data']);
    assert.match(await whyNot(cluster, 'web'), /persistentvolumeclaim "data" is gone/);
    assert.equal((await volumes(cluster).get('disk')).spec?.claimRef, undefined);
    held[Symbol.dispose]();
    await addClaim(cluster, 'data');
    await cluster.advance(20_000);
    assert.notEqual(await nodeOf(cluster, 'web'), undefined);
  });

  it('goes on where a scheduler that ended has left off', async () => {
    for (let writes = 0; writes < 4; writes++) {
      await using test = await startScheduling();
      const { cluster, scheduler } = test;
      await addDisk(cluster, 'disk', inZone('a'));
      await addClaim(cluster, 'static');
      await addClaim(cluster, 'dynamic', 'made');
      scheduler.faults.crashAfterWrites(writes);
      await addPod(cluster, 'web', ['static', 'dynamic']);
      await addScheduler(cluster);
      await cluster.settled();
      await provision(cluster);
      assert.equal(await nodeOf(cluster, 'web'), 'n1', `after ${writes} writes`);
      assert.equal(await volumeOf(cluster, 'static'), 'Bound disk');
      assert.equal(await volumeOf(cluster, 'dynamic'), 'Bound pvc-dynamic');
    }
  });
});

describe('a pod with a volume', () => {
  it('that is bound goes where the volume is, or waits', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addDisk(cluster, 'disk', { storageClassName: 'old', ...inZone('b') });
    await addClaim(cluster, 'data', 'old');
    assert.equal(await volumeOf(cluster, 'data'), 'Bound disk');
    await addPod(cluster, 'web', ['data']);
    assert.equal(await nodeOf(cluster, 'web'), 'n2');
    await addPod(cluster, 'lost', ['data'], { nodeSelector: { [ZONE]: 'a' } });
    assert.match(
      await whyNot(cluster, 'lost'),
      /1 node\(s\) didn't match PersistentVolume's node affinity, 1 node\(s\) didn't match Pod's node affinity\/selector/,
    );
  });

  it('that is not what it was goes nowhere before the scheduler knows', async () => {
    const changes: readonly (readonly [string, (cluster: TestCluster) => Promise<unknown>])[] = [
      ['is gone', async () => {}],
      ['is another one by now', (cluster) => addClaim(cluster, 'data', 'made')],
    ];
    for (const [why, change] of changes) {
      await using test = await startScheduling();
      const { cluster, scheduler } = test;
      await addDisk(cluster, 'disk', { storageClassName: 'old' });
      await addClaim(cluster, 'data', 'old');
      const held = scheduler.faults.holdWatches({ path: '/api/v1/persistentvolumeclaims' });
      await claims(cluster).delete('data');
      await claims(cluster).patch('data', { metadata: { finalizers: null } }, { type: 'merge' });
      await change(cluster);
      await addPod(cluster, 'web', ['data']);
      assert.equal(await nodeOf(cluster, 'web'), undefined);
      assert.equal(await whyNot(cluster, 'web'), `binding volumes: persistentvolumeclaim "data" ${why}`);
      held[Symbol.dispose]();
      if (why === 'is gone') await addClaim(cluster, 'data', 'made');
      await cluster.advance(20_000);
      await provision(cluster);
      assert.notEqual(await nodeOf(cluster, 'web'), undefined);
      assert.equal(await volumeOf(cluster, 'data'), 'Bound pvc-data');
    }
  });

  it('that only one pod may use waits for the other to go', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addDisk(cluster, 'disk', { accessModes: ['ReadWriteOncePod'] });
    await addClaim(cluster, 'data', 'local', ['ReadWriteOncePod']);
    await addPod(cluster, 'first', ['data']);
    assert.notEqual(await nodeOf(cluster, 'first'), undefined);
    await addPod(cluster, 'second', ['data']);
    assert.match(
      await whyNot(cluster, 'second'),
      /2 node\(s\) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use/,
    );
    await pods(cluster).delete('first', { gracePeriodSeconds: 0 });
    await cluster.advance(10_000);
    assert.notEqual(await nodeOf(cluster, 'second'), undefined);
  });

  it('waits for room that the driver tells of', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await cluster.client
      .resource(CSIDriver)
      .create({ metadata: { name: 'csi.example.com' }, spec: { storageCapacity: true } });
    await addClaim(cluster, 'data', 'made');
    await addPod(cluster, 'web', ['data']);
    assert.match(await whyNot(cluster, 'web'), /2 node\(s\) did not have enough free storage/);
    await cluster.client
      .resource(CSIStorageCapacity)
      .namespace('default')
      .create({
        metadata: { name: 'zone-b' },
        storageClassName: 'made',
        capacity: '10Gi',
        nodeTopology: { matchLabels: { [ZONE]: 'b' } },
      });
    await cluster.advance(10_000);
    await provision(cluster);
    assert.equal(await nodeOf(cluster, 'web'), 'n2');
  });

  it('waits when its node has as many as it can', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    const csiNodes = cluster.client.resource(CSINode);
    for (const name of ['n1', 'n2'])
      await csiNodes.create({
        metadata: { name },
        spec: { drivers: [{ name: 'csi.example.com', nodeID: name, allocatable: { count: 1 } }] },
      });
    for (const name of ['x', 'y', 'z']) {
      await addDisk(cluster, name, { storageClassName: 'old' });
      await addClaim(cluster, name, 'old');
      await addPod(cluster, name, [name]);
    }
    assert.deepEqual(
      new Set([await nodeOf(cluster, 'x'), await nodeOf(cluster, 'y')]),
      new Set(['n1', 'n2']),
    );
    assert.match(await whyNot(cluster, 'z'), /2 node\(s\) exceed max volume count/);
    await pods(cluster).delete('y', { gracePeriodSeconds: 0 });
    await cluster.advance(10_000);
    assert.notEqual(await nodeOf(cluster, 'z'), undefined);
  });
});
