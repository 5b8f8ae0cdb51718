// What is cleaned up after others, and what is kept from being cleaned up.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { podsOf, startControllers } from './testing/controlled-cluster.ts';

const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const spec = (more: Partial<NonNullable<Pod['spec']>> = {}): NonNullable<Pod['spec']> => ({
  containers: [{ name: 'main', image: 'i' }],
  ...more,
});

describe('a job that has ended', () => {
  const work = (ttlSecondsAfterFinished: number): Job => ({
    metadata: { name: 'work' },
    spec: { ttlSecondsAfterFinished, template: { spec: spec({ restartPolicy: 'Never' }) } },
  });

  it('goes with its pods when its time is over, and not before', async () => {
    await using test = await startControllers(['job', 'ttl-after-finished', 'garbagecollector']);
    const { cluster } = test;
    const jobs = cluster.client.resource(Job).namespace('default');
    await jobs.create(work(100));
    await cluster.advance(200_000);
    const [pod] = await podsOf(cluster);
    assert.ok(pod, 'a job that has not ended has no such time');
    await pods(cluster).status.patch(pod.metadata?.name ?? '', { status: { phase: 'Succeeded' } });
    await cluster.advance(99_000);
    assert.equal((await jobs.get('work')).metadata?.name, 'work');
    await cluster.advance(2000);
    await cluster.advance(1000);
    await assert.rejects(jobs.get('work'), isNotFound);
    assert.deepEqual(await podsOf(cluster), []);
  });

  it('is given the time that it was given since', async () => {
    await using test = await startControllers(['job', 'ttl-after-finished', 'garbagecollector']);
    const { cluster, controllers } = test;
    const jobs = cluster.client.resource(Job).namespace('default');
    await jobs.create(work(100));
    await cluster.settled();
    const [pod] = await podsOf(cluster);
    await pods(cluster).status.patch(pod?.metadata?.name ?? '', { status: { phase: 'Succeeded' } });
    await cluster.settled();
    // The cache does not hear of it.
    using _held = controllers.faults.holdWatches({ path: '/apis/batch/v1/jobs' });
    await jobs.patch('work', { spec: { ttlSecondsAfterFinished: 1000 } });
    await cluster.clock.advance(101_000);
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await jobs.get('work')).metadata?.deletionTimestamp, undefined);
  });
});

describe('pods that nobody would end', () => {
  it('go when their node has been gone for a while, as failed ones', async () => {
    await using test = await startControllers(['podgc']);
    const { cluster } = test;
    await cluster.client.resource(Node).create({ metadata: { name: 'here' } });
    await pods(cluster).create({ metadata: { name: 'kept' }, spec: spec({ nodeName: 'here' }) });
    await pods(cluster).create({
      metadata: { name: 'lost', finalizers: ['example.com/wait'] },
      spec: spec({ nodeName: 'gone' }),
    });
    await cluster.advance(21_000);
    await cluster.advance(21_000);
    assert.equal((await pods(cluster).get('lost')).status?.phase, 'Pending', 'the node may be about to come');
    await cluster.advance(21_000);
    const { status, metadata } = await pods(cluster).get('lost');
    assert.equal(status?.phase, 'Failed');
    assert.notEqual(metadata?.deletionTimestamp, undefined);
    const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
    assert.deepEqual([condition?.status, condition?.reason], ['True', 'DeletionByPodGC']);
    assert.equal((await pods(cluster).get('kept')).metadata?.deletionTimestamp, undefined);
  });
});

describe('storage that is in use', () => {
  it('stays until the last pod that uses it has ended', async () => {
    await using test = await startControllers(['pvc-protection']);
    const { cluster } = test;
    const claims = cluster.client.resource(PersistentVolumeClaim).namespace('default');
    await claims.create({
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await cluster.settled();
    assert.deepEqual((await claims.get('data')).metadata?.finalizers, ['kubernetes.io/pvc-protection']);
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    await pods(cluster).create({ metadata: { name: 'user' }, spec: spec({ nodeName: 'n1', volumes }) });
    await claims.delete('data');
    await cluster.settled();
    assert.notEqual((await claims.get('data')).metadata?.deletionTimestamp, undefined);
    await pods(cluster).status.patch('user', { status: { phase: 'Succeeded' } });
    await cluster.settled();
    await assert.rejects(claims.get('data'), isNotFound);
  });

  it('stays as long as it is bound', async () => {
    await using test = await startControllers(['pv-protection']);
    const { cluster } = test;
    const volumes = cluster.client.resource(PersistentVolume);
    await volumes.create({
      metadata: { name: 'disk' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        persistentVolumeReclaimPolicy: 'Retain',
      },
    });
    await volumes.status.patch('disk', { status: { phase: 'Bound' } });
    await cluster.settled();
    await volumes.delete('disk');
    await cluster.settled();
    assert.deepEqual((await volumes.get('disk')).metadata?.finalizers, ['kubernetes.io/pv-protection']);
    await volumes.status.patch('disk', { status: { phase: 'Released' } });
    await cluster.settled();
    await assert.rejects(volumes.get('disk'), isNotFound);
  });
});
