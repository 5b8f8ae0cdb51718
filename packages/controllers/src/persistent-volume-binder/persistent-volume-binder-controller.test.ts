// Claims and volumes that find each other, and what becomes of them when one of them goes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeSpec,
  Pod,
} from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { addManager, startControllers } from '../testing/controlled-cluster.ts';

const BINDER = ['persistentvolume-binder', 'pvc-protection'];
const claims = (cluster: TestCluster) => cluster.client.resource(PersistentVolumeClaim).namespace('default');
const volumes = (cluster: TestCluster) => cluster.client.resource(PersistentVolume);
const classes = (cluster: TestCluster) => cluster.client.resource(StorageClass);

const disk = (name: string, spec: PersistentVolumeSpec = {}, more: PersistentVolume['metadata'] = {}) => ({
  metadata: { name, ...more },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: '/x' },
    persistentVolumeReclaimPolicy: 'Retain',
    ...spec,
  },
});
const data = (
  name: string,
  spec: Partial<NonNullable<PersistentVolumeClaim['spec']>> = {},
): PersistentVolumeClaim => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const fast = (more: Partial<StorageClass> = {}): StorageClass => ({
  metadata: { name: 'fast' },
  provisioner: 'example.com/disks',
  ...more,
});

const phaseOf = async (cluster: TestCluster, volume: string): Promise<string | undefined> =>
  (await volumes(cluster).get(volume)).status?.phase;
const boundTo = async (cluster: TestCluster, claim: string): Promise<string> => {
  const { spec, status } = await claims(cluster).get(claim);
  return `${status?.phase} ${spec?.volumeName ?? ''}`.trim();
};

it('a volume whose claim goes before it has named the volume is released', async () => {
  await using test = await startControllers(['persistentvolume-binder']);
  const { cluster, controllers } = test;
  await classes(cluster).create(fast());
  const { metadata } = await claims(cluster).create(data('a', { storageClassName: 'fast' }));
  await cluster.settled();
  controllers.faults.fail({
    method: 'PUT',
    path: '/api/v1/namespaces/default/persistentvolumeclaims/a',
    answer: { code: 500, reason: 'InternalError' },
    times: 100,
  });
  const claimRef = { namespace: 'default', name: 'a', uid: metadata.uid };
  await volumes(cluster).create(disk('made', { claimRef, storageClassName: 'fast' }));
  await cluster.settled();
  assert.equal(await phaseOf(cluster, 'made'), 'Bound');
  await claims(cluster).delete('a');
  await claims(cluster).patch('a', { metadata: { finalizers: null } }, { type: 'merge' });
  controllers.faults.heal();
  await cluster.settled();
  assert.deepEqual((await claims(cluster).list()).items, []);
  assert.equal(await phaseOf(cluster, 'made'), 'Released');
});

describe('a claim', () => {
  it('gets the smallest volume that is big enough, whoever comes first', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    await volumes(cluster).create(disk('big', { capacity: { storage: '9Gi' } }));
    await volumes(cluster).create(disk('small', { capacity: { storage: '1Mi' } }));
    await cluster.settled();
    assert.equal(await phaseOf(cluster, 'big'), 'Available');
    await claims(cluster).create(data('a'));
    await claims(cluster).create(data('b'));
    await cluster.settled();
    assert.equal(await boundTo(cluster, 'a'), 'Bound big');
    const a = await claims(cluster).get('a');
    assert.deepEqual(a.status?.capacity, { storage: '9Gi' });
    assert.deepEqual(a.status?.accessModes, ['ReadWriteOnce']);
    assert.deepEqual(a.metadata?.annotations, {
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
    });
    const { spec, status, metadata } = await volumes(cluster).get('big');
    assert.equal(spec?.claimRef?.uid, a.metadata.uid);
    assert.equal(metadata?.annotations?.['pv.kubernetes.io/bound-by-controller'], 'yes');
    assert.equal(status?.phase, 'Bound');
    assert.equal(await boundTo(cluster, 'b'), 'Pending');
    assert.deepEqual(await eventsOf(cluster, 'b'), [
      'FailedBinding: no persistent volumes available for this claim and no storage class is set',
    ]);
    // Not at the next round: at once.
    await volumes(cluster).create(disk('late'));
    await cluster.settled();
    assert.equal(await boundTo(cluster, 'b'), 'Bound late');
  });

  it('gets a volume that its selector takes', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    await volumes(cluster).create(disk('plain'));
    await volumes(cluster).create(disk('ssd', {}, { labels: { kind: 'ssd' } }));
    await claims(cluster).create(
      data('a', { selector: { matchExpressions: [{ key: 'kind', operator: 'In', values: ['ssd'] }] } }),
    );
    await cluster.settled();
    assert.equal(await boundTo(cluster, 'a'), 'Bound ssd');
    assert.equal(await phaseOf(cluster, 'plain'), 'Available');
  });

  it('and a volume that were bound by hand find each other', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    await volumes(cluster).create(disk('a-free'));
    await volumes(cluster).create(
      disk('meant', { capacity: { storage: '8Gi' }, claimRef: { namespace: 'default', name: 'guest' } }),
    );
    await volumes(cluster).create(disk('wanted', { capacity: { storage: '8Gi' } }));
    await cluster.settled();
    assert.equal(await phaseOf(cluster, 'meant'), 'Available');
    await claims(cluster).create(data('picky', { volumeName: 'wanted' }));
    await claims(cluster).create(data('guest'));
    await claims(cluster).create(data('tight', { volumeName: 'meant' }));
    await cluster.settled();
    assert.equal(await boundTo(cluster, 'picky'), 'Bound wanted');
    assert.equal(await boundTo(cluster, 'guest'), 'Bound meant');
    // What people have chosen is not ours to take back.
    assert.equal(
      (await claims(cluster).get('picky')).metadata?.annotations?.['pv.kubernetes.io/bound-by-controller'],
      undefined,
    );
    assert.equal((await volumes(cluster).get('meant')).metadata?.annotations, undefined);
    assert.equal(await boundTo(cluster, 'tight'), 'Pending meant');
    assert.deepEqual(await eventsOf(cluster, 'tight'), [
      'FailedBinding: volume "meant" already bound to a different claim.',
    ]);
    await claims(cluster).create(data('greedy', { volumeName: 'a-free', accessModes: ['ReadWriteMany'] }));
    await cluster.settled();
    assert.deepEqual(await eventsOf(cluster, 'greedy'), [
      'VolumeMismatch: Cannot bind to requested volume "a-free": incompatible accessMode',
    ]);
  });

  it('gets the default class that comes after it, and is provisioned', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    await claims(cluster).create(data('says-nothing'));
    await claims(cluster).create(data('wants-none', { storageClassName: '' }));
    await cluster.settled();
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await classes(cluster).create(fast({ metadata: { name: 'fast', annotations } }));
    await cluster.settled();
    const { spec, metadata } = await claims(cluster).get('says-nothing');
    assert.equal(spec?.storageClassName, 'fast');
    assert.equal(metadata?.annotations?.['volume.kubernetes.io/storage-provisioner'], 'example.com/disks');
    assert.equal(
      metadata?.annotations?.['volume.beta.kubernetes.io/storage-provisioner'],
      'example.com/disks',
    );
    assert.equal((await claims(cluster).get('wants-none')).spec?.storageClassName, '');
    // As an external provisioner does it.
    const uid = metadata.uid;
    await volumes(cluster).create(
      disk(
        `pvc-${uid}`,
        {
          storageClassName: 'fast',
          persistentVolumeReclaimPolicy: 'Delete',
          claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'says-nothing', uid },
        },
        { annotations: { 'pv.kubernetes.io/provisioned-by': 'example.com/disks' } },
      ),
    );
    await cluster.settled();
    assert.equal(await boundTo(cluster, 'says-nothing'), `Bound pvc-${uid}`);
    await claims(cluster).delete('says-nothing');
    await cluster.settled();
    // The rest is the provisioner's.
    assert.equal(await phaseOf(cluster, `pvc-${uid}`), 'Released');
  });

  it('of a class that waits is left alone until a pod has a node', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    await classes(cluster).create(fast({ volumeBindingMode: 'WaitForFirstConsumer' }));
    await volumes(cluster).create(disk('free', { storageClassName: 'fast' }));
    await claims(cluster).create(data('a', { storageClassName: 'fast' }));
    await cluster.settled();
    assert.equal(await boundTo(cluster, 'a'), 'Pending');
    await cluster.client
      .resource(Pod)
      .namespace('default')
      .create({
        metadata: { name: 'web' },
        spec: {
          containers: [{ name: 'main', image: 'i' }],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'a' } }],
        },
      });
    await cluster.settled();
    assert.deepEqual(await eventsOf(cluster, 'a'), [
      'WaitForFirstConsumer: waiting for first consumer to be created before binding',
      'WaitForPodScheduled: waiting for pod web to be scheduled',
    ]);
    assert.equal(await boundTo(cluster, 'a'), 'Pending', 'no volume before that');
    await claims(cluster).patch('a', {
      metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n1' } },
    });
    await cluster.settled();
    const { metadata } = await claims(cluster).get('a');
    assert.equal(metadata?.annotations?.['volume.kubernetes.io/storage-provisioner'], 'example.com/disks');
  });

  it('of a class that is not there is told so', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    await claims(cluster).create(data('a', { storageClassName: 'nope' }));
    await cluster.settled();
    assert.deepEqual(await eventsOf(cluster, 'a'), [
      'ProvisioningFailed: storageclass.storage.k8s.io "nope" not found',
    ]);
  });

  it('is lost when its volume goes', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    await volumes(cluster).create(disk('v'));
    await claims(cluster).create(data('a'));
    await cluster.settled();
    await volumes(cluster).delete('v');
    // Somebody forces it.
    await volumes(cluster).patch('v', { metadata: { finalizers: null } }, { type: 'merge' });
    await cluster.settled();
    const { status } = await claims(cluster).get('a');
    assert.deepEqual(status, { phase: 'Lost' });
    assert.deepEqual(await eventsOf(cluster, 'a'), [
      'ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    ]);
  });
});

describe('a volume', () => {
  it("is released when its claim goes, and is nobody else's until somebody frees it", async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    await volumes(cluster).create(disk('v'));
    await claims(cluster).create(data('a'));
    await cluster.settled();
    await claims(cluster).delete('a');
    await cluster.settled();
    assert.equal(await phaseOf(cluster, 'v'), 'Released');
    await cluster.advance(120_000);
    assert.deepEqual(await eventsOf(cluster, 'v'), [], 'a volume that is kept has nothing to say');
    await claims(cluster).create(data('a'));
    await cluster.settled();
    assert.equal(await boundTo(cluster, 'a'), 'Pending', 'another claim of the same name is another claim');
    await volumes(cluster).patch('v', { spec: { claimRef: null } }, { type: 'merge' });
    await cluster.settled();
    assert.equal(await boundTo(cluster, 'a'), 'Bound v');
    assert.equal(await phaseOf(cluster, 'v'), 'Bound');
  });

  it('that nobody can delete or recycle fails, with the reason', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    for (const policy of ['Delete', 'Recycle']) {
      const name = policy.toLowerCase();
      await volumes(cluster).create(disk(name, { persistentVolumeReclaimPolicy: policy }));
      await claims(cluster).create(data(name));
      await cluster.settled();
      await claims(cluster).delete(name);
      await cluster.settled();
      assert.equal(await phaseOf(cluster, name), 'Failed');
    }
    assert.deepEqual(await eventsOf(cluster, 'delete'), [
      'VolumeFailedDelete: error getting deleter volume plugin for volume "delete": no deletable volume plugin matched',
    ]);
    assert.deepEqual(await eventsOf(cluster, 'recycle'), [
      'VolumeFailedRecycle: No recycler plugin found for the volume!',
    ]);
  });

  it('is free again when its claim was given another', async () => {
    await using cluster = await startTestCluster();
    await claims(cluster).create(data('a', { volumeName: 'one' }));
    const { metadata } = await claims(cluster).get('a');
    const claimRef = { namespace: 'default', name: 'a', uid: metadata.uid };
    const annotations = { 'pv.kubernetes.io/bound-by-controller': 'yes' };
    await volumes(cluster).create(disk('one'));
    await volumes(cluster).create(disk('two', { claimRef }, { annotations }));
    await addManager(cluster, BINDER);
    assert.equal(await boundTo(cluster, 'a'), 'Bound one');
    assert.equal(await phaseOf(cluster, 'two'), 'Available');
    assert.equal((await volumes(cluster).get('two')).spec?.claimRef, undefined);
  });
});

describe('many at once', () => {
  it('each claim gets a volume of its own', async () => {
    await using test = await startControllers(BINDER);
    const { cluster } = test;
    const count = 30;
    for (let index = 0; index < count; index++) {
      await claims(cluster).create(data(`c${index}`));
      await volumes(cluster).create(disk(`v${index}`));
    }
    await cluster.settled();
    const { items } = await claims(cluster).list();
    assert.deepEqual(new Set(items.map(({ status }) => status?.phase)), new Set(['Bound']));
    assert.equal(new Set(items.map(({ spec }) => spec?.volumeName)).size, count);
  });

  it('a binder that ends between any two writes leaves nothing that the next one cannot finish', async () => {
    for (let writes = 0; writes < 5; writes++) {
      await using test = await startControllers(BINDER);
      const { cluster, controllers } = test;
      await volumes(cluster).create(disk('v'));
      await volumes(cluster).create(disk('w'));
      await cluster.settled();
      controllers.faults.crashAfterWrites(writes);
      await claims(cluster).create(data('a'));
      await cluster.settled();
      await claims(cluster).create(data('b'));
      await addManager(cluster, BINDER);
      const bound = [await boundTo(cluster, 'a'), await boundTo(cluster, 'b')].toSorted();
      assert.deepEqual(bound, ['Bound v', 'Bound w'], `after ${writes} writes`);
      assert.equal(await phaseOf(cluster, 'v'), 'Bound');
      assert.equal(await phaseOf(cluster, 'w'), 'Bound');
    }
  });

  it('a volume that somebody takes meanwhile is left to them', async () => {
    await using test = await startControllers(BINDER);
    const { cluster, controllers } = test;
    await volumes(cluster).create(disk('v'));
    await cluster.settled();
    // The binder does not hear of it before it writes.
    const held = controllers.faults.holdWatches({ path: '/api/v1/persistentvolumes' });
    await volumes(cluster).patch('v', { spec: { claimRef: { namespace: 'default', name: 'other' } } });
    await claims(cluster).create(data('a'));
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await boundTo(cluster, 'a'), 'Pending');
    held[Symbol.dispose]();
    await cluster.advance(60_000);
    assert.equal(await boundTo(cluster, 'a'), 'Pending');
    assert.equal((await volumes(cluster).get('v')).spec?.claimRef?.name, 'other');
  });
});
