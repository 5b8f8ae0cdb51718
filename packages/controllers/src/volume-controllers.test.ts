// Claims that live with their pod, and claims that grow.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { startControllers } from './testing/controlled-cluster.ts';

const claims = (cluster: TestCluster) => cluster.client.resource(PersistentVolumeClaim).namespace('default');
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');

const size = (storage: string) => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage } },
});
const scratchPod = (name: string): Pod => ({
  metadata: { name },
  spec: {
    containers: [{ name: 'main', image: 'i' }],
    volumes: [
      {
        name: 'scratch',
        ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: 'b' } }, spec: size('1Gi') } },
      },
    ],
  },
});

describe('a claim that lives with its pod', () => {
  it('is made for it, made again, and goes with it', async () => {
    await using test = await startControllers(['ephemeral-volume', 'garbagecollector', 'pvc-protection']);
    const { cluster } = test;
    const pod = await pods(cluster).create(scratchPod('web'));
    await cluster.settled();
    const claim = await claims(cluster).get('web-scratch');
    assert.equal(claim.metadata?.labels?.['a'], 'b');
    assert.deepEqual(
      claim.metadata?.ownerReferences?.map(({ kind, uid, controller }) => [kind, uid, controller]),
      [['Pod', pod.metadata.uid, true]],
    );
    await claims(cluster).delete('web-scratch');
    await cluster.settled();
    assert.notEqual((await claims(cluster).get('web-scratch')).metadata.uid, claim.metadata.uid);
    await pods(cluster).delete('web', { gracePeriodSeconds: 0 });
    await cluster.advance(1000);
    await assert.rejects(claims(cluster).get('web-scratch'), isNotFound);
  });

  it('is not taken from somebody else', async () => {
    await using test = await startControllers(['ephemeral-volume']);
    const { cluster } = test;
    await claims(cluster).create({ metadata: { name: 'web-scratch' }, spec: size('1Gi') });
    await pods(cluster).create(scratchPod('web'));
    await cluster.settled();
    assert.match(
      (await eventsOf(cluster, 'web'))[0] ?? '',
      /^FailedBinding: ephemeral volume scratch: PVC default\/web-scratch was not created for pod default\/web/,
    );
  });
});

it('a claim that shall grow is handed over to who can do it', async () => {
  await using test = await startControllers(['persistentvolume-binder', 'persistentvolume-expander']);
  const { cluster } = test;
  await cluster.client.resource(StorageClass).create({
    metadata: { name: 'fast' },
    provisioner: 'example.com',
    allowVolumeExpansion: true,
  });
  await cluster.client.resource(PersistentVolume).create({
    metadata: { name: 'disk' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      csi: { driver: 'example.com', volumeHandle: 'disk' },
    },
  });
  await claims(cluster).create({
    metadata: { name: 'data' },
    spec: { ...size('1Gi'), storageClassName: 'fast' },
  });
  await cluster.settled();
  const before = await eventsOf(cluster, 'data');
  await claims(cluster).patch('data', { spec: { resources: { requests: { storage: '2Gi' } } } });
  await cluster.settled();
  assert.deepEqual((await eventsOf(cluster, 'data')).slice(before.length), [
    'ExternalExpanding: waiting for an external controller to expand this PVC',
  ]);
});

it('a claim of a volume whose driver took over from a plugin of Kubernetes names that driver', async () => {
  await using test = await startControllers(['persistentvolume-binder', 'persistentvolume-expander']);
  const { cluster, controllers } = test;
  await cluster.client.resource(StorageClass).create({
    metadata: { name: 'fast' },
    provisioner: 'example.com',
    allowVolumeExpansion: true,
  });
  await cluster.client.resource(PersistentVolume).create({
    metadata: { name: 'disk' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      awsElasticBlockStore: { volumeID: 'disk' },
    },
  });
  await claims(cluster).create({
    metadata: { name: 'data' },
    spec: { ...size('1Gi'), storageClassName: 'fast' },
  });
  await cluster.settled();
  controllers.faults.conflict({ method: 'PUT', path: /persistentvolumeclaims\/data$/ });
  await claims(cluster).patch('data', { spec: { resources: { requests: { storage: '2Gi' } } } });
  await cluster.advance(1000);
  const { metadata } = await claims(cluster).get('data');
  assert.equal(metadata?.annotations?.['volume.kubernetes.io/storage-resizer'], 'ebs.csi.aws.com');
});
