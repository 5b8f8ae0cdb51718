// Ranges of service addresses and the addresses in them, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition } from '@windlass/apimachinery';
import { Service } from '@windlass/apimachinery/api/core/v1';
import { IPAddress, ServiceCIDR } from '@windlass/apimachinery/api/networking/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { all } from '@windlass/cluster/testing/objects';
import { startControllers } from '../testing/controlled-cluster.ts';

const ranges = (cluster: TestCluster) => cluster.client.resource(ServiceCIDR);
const services = (cluster: TestCluster) => cluster.client.resource(Service).namespace('default');
const service = (name: string, clusterIP?: string): Service => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...(clusterIP !== undefined && { clusterIP }) },
});
const ready = async (cluster: TestCluster, name: string): Promise<unknown[]> => {
  const { metadata, status } = await ranges(cluster).get(name);
  const found = findCondition(status?.conditions, 'Ready');
  return [found?.status, found?.reason, metadata.finalizers];
};
const addresses = async (cluster: TestCluster): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await all(cluster, IPAddress)).map(({ metadata, spec }) => [metadata?.name, spec.parentRef.name]),
  );
const FINALIZERS = ['networking.k8s.io/service-cidr-finalizer'];

describe('the default ServiceCIDR', () => {
  it('is there and ready without controllers, and gets its finalizer from them', async () => {
    await using alone = await startControllers(['ttl']);
    assert.deepEqual(await ready(alone.cluster, 'kubernetes'), ['True', '', undefined]);
    await using test = await startControllers(['service-cidr']);
    await test.cluster.settled();
    assert.deepEqual(await ready(test.cluster, 'kubernetes'), ['True', '', FINALIZERS]);
    assert.deepEqual((await ranges(test.cluster).get('kubernetes')).spec?.cidrs, ['10.0.0.0/24']);
  });

  it('comes back when it is deleted', async () => {
    await using test = await startControllers(['service-cidr']);
    const { cluster } = test;
    await cluster.settled();
    const { metadata } = await ranges(cluster).get('kubernetes');
    await ranges(cluster).delete('kubernetes');
    await cluster.advance(15_000);
    const again = await ranges(cluster).get('kubernetes');
    assert.notEqual(again.metadata.uid, metadata.uid);
    assert.deepEqual(await ready(cluster, 'kubernetes'), ['True', '', FINALIZERS]);
  });
});

describe('another ServiceCIDR', () => {
  it('gives addresses as soon as it is ready, and stays while a service has one of them', async () => {
    await using test = await startControllers(['service-cidr']);
    const { cluster } = test;
    const outside = services(cluster).create(service('early', '10.9.0.5'));
    await assert.rejects(outside, /the provided network does not match the current range/);
    await ranges(cluster).create({ metadata: { name: 'more' }, spec: { cidrs: ['10.9.0.0/28'] } });
    await cluster.settled();
    assert.deepEqual(await ready(cluster, 'more'), ['True', '', FINALIZERS]);
    await services(cluster).create(service('late', '10.9.0.5'));
    assert.deepEqual(await addresses(cluster), { '10.9.0.5': 'late' });

    await ranges(cluster).delete('more');
    await cluster.advance(20_000);
    assert.deepEqual(await ready(cluster, 'more'), ['False', 'Terminating', FINALIZERS]);
    await assert.rejects(
      services(cluster).create(service('later', '10.9.0.6')),
      /does not match the current range/,
    );

    await services(cluster).delete('late');
    await cluster.advance(20_000);
    assert.deepEqual(await addresses(cluster), {});
    assert.deepEqual(
      (await all(cluster, ServiceCIDR)).map(({ metadata }) => metadata?.name),
      ['kubernetes'],
    );
  });
});
