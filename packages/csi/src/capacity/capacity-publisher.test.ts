import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { CSINode, CSIStorageCapacity, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { silentLogger } from '@windlass/base';
import type { TestManager } from '@windlass/cluster/testing';
import { addNode, GIB, type StorageCluster, startStorage, storageClass } from '../testing/storage-cluster.ts';
import {
  addCapacityPublisher,
  type CapacityPublisher,
  type CapacityPublisherOptions,
} from './capacity-publisher.ts';

async function publish(
  { cluster, driver }: StorageCluster,
  options: Partial<CapacityPublisherOptions> = {},
): Promise<TestManager & { publisher: CapacityPublisher }> {
  const made = cluster.manager({ logger: silentLogger });
  const publisher = addCapacityPublisher(made.manager, { driver, namespace: 'default', ...options });
  await made.manager.start();
  await cluster.settled();
  return { ...made, publisher };
}

const objects = ({ cluster }: StorageCluster) =>
  cluster.client.resource(CSIStorageCapacity).namespace('default');

async function published(storage: StorageCluster): Promise<string[]> {
  const { items } = await objects(storage).list();
  return items
    .map(
      ({ storageClassName, nodeTopology, capacity, maximumVolumeSize }) =>
        `${storageClassName} ${Object.values(nodeTopology?.matchLabels ?? {}).join()} ${capacity} ${maximumVolumeSize}`,
    )
    .sort();
}

describe('the capacity publisher', () => {
  it('has an object for each class that waits and each segment, with labels and owner', async () => {
    await using storage = await startStorage({ 'node-1': GIB, 'node-2': 2 * GIB });
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'driver', uid: 'u-1' };
    await publish(storage, { owner });
    assert.deepEqual(await published(storage), ['fast node-1 1Gi 1Gi', 'fast node-2 2Gi 2Gi']);
    const { items } = await objects(storage).list();
    assert.deepEqual(items[0]?.metadata?.ownerReferences, [owner]);
    assert.deepEqual(items[0]?.metadata?.labels, {
      'csi.storage.k8s.io/drivername': storage.driver.name,
      'csi.storage.k8s.io/managed-by': 'windlass',
    });
  });

  it('follows classes and nodes as they come and go', async () => {
    await using storage = await startStorage({ 'node-1': GIB, 'node-2': GIB });
    const { cluster, driver } = storage;
    await publish(storage);
    await cluster.client.resource(StorageClass).create(storageClass(driver, 'slow'));
    await cluster.settled();
    assert.equal((await published(storage)).length, 4);
    await cluster.client.resource(StorageClass).delete('fast');
    await cluster.client.resource(CSINode).delete('node-2');
    await cluster.settled();
    assert.deepEqual(await published(storage), ['slow node-1 1Gi 1Gi']);
    await addNode(cluster, driver, 'node-3');
    await cluster.settled();
    assert.deepEqual(await published(storage), ['slow node-1 1Gi 1Gi', 'slow node-3 0 0']);
    const nodes = cluster.client.resource(Node);
    await nodes.patch('node-1', { metadata: { labels: { [driver.topologyKey]: 'moved' } } });
    await cluster.settled();
    assert.deepEqual(await published(storage), ['slow moved 0 0', 'slow node-3 0 0']);
  });

  it('asks again after a volume was made, when it is told to, and from time to time', async () => {
    await using storage = await startStorage({ 'node-1': 10 * GIB });
    const { cluster, driver, volumes } = storage;
    const { publisher } = await publish(storage, { pollMs: 60_000 });
    const take = (name: string) =>
      driver.volumes.create(name, { requiredBytes: GIB, limitBytes: 0 }, ['node-1'], {});
    const { id } = take('a');
    await volumes.create({
      metadata: { name: 'pv-a' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: driver.name, volumeHandle: id },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: driver.topologyKey, operator: 'In', values: ['node-1'] }] },
            ],
          },
        },
      },
    });
    await cluster.settled();
    assert.deepEqual(await published(storage), ['fast node-1 9Gi 9Gi']);
    take('b');
    publisher.refresh();
    await cluster.settled();
    assert.deepEqual(await published(storage), ['fast node-1 8Gi 8Gi']);
    take('c');
    await cluster.advance(60_000);
    assert.deepEqual(await published(storage), ['fast node-1 7Gi 7Gi']);
  });

  it('brings back what somebody deletes, and leaves others’ objects alone', async () => {
    await using storage = await startStorage({ 'node-1': GIB });
    const { cluster, driver } = storage;
    await objects(storage).create({
      metadata: { name: 'theirs', labels: { 'csi.storage.k8s.io/drivername': driver.name } },
      storageClassName: 'gone',
      nodeTopology: { matchLabels: { [driver.topologyKey]: 'node-1' } },
      capacity: '5Gi',
    });
    await publish(storage);
    const { items } = await objects(storage).list();
    const ours = items.find(({ metadata }) => metadata.name !== 'theirs');
    await objects(storage).delete(ours?.metadata?.name ?? '');
    await cluster.settled();
    assert.deepEqual(await published(storage), ['fast node-1 1Gi 1Gi', 'gone node-1 5Gi undefined']);
  });

  it('removes what a predecessor left, and makes nothing twice after a crash', async () => {
    await using storage = await startStorage({ 'node-1': GIB, 'node-2': GIB });
    const { cluster } = storage;
    const first = cluster.manager({ logger: silentLogger });
    addCapacityPublisher(first.manager, { driver: storage.driver, namespace: 'default' });
    first.faults.crashAfterWrites(1);
    await first.manager.start();
    await cluster.settled();
    await cluster.client.resource(CSINode).delete('node-2');
    await publish(storage);
    assert.deepEqual(await published(storage), ['fast node-1 1Gi 1Gi']);
  });
});
