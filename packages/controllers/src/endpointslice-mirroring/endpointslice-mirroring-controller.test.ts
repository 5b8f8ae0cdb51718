// Endpoints that people write, mirrored to slices; and what nodes are told about keeping what they read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Endpoints, Node, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { startControllers } from '../testing/controlled-cluster.ts';

const MIRRORING = ['endpointslicemirroring', 'endpointslice', 'garbagecollector'];

const services = (cluster: TestCluster) => cluster.client.resource(Service).namespace('default');
const endpoints = (cluster: TestCluster) => cluster.client.resource(Endpoints).namespace('default');
const ports = [{ name: 'main', port: 5432, protocol: 'TCP' as const }];
const db = (...ips: readonly string[]): Endpoints => ({
  metadata: { name: 'db', labels: { team: 'x' } },
  subsets: [{ addresses: ips.map((ip) => ({ ip })), ports }],
});
const service: Service = { metadata: { name: 'db' }, spec: { ports: [{ name: 'main', port: 5432 }] } };
const slices = async (cluster: TestCluster): Promise<EndpointSlice[]> => {
  await cluster.settled();
  const { items } = await cluster.client.resource(EndpointSlice).namespace('default').list({
    labelSelector:
      'kubernetes.io/service-name=db,endpointslice.kubernetes.io/managed-by=endpointslicemirroring-controller.k8s.io',
  });
  return items;
};
const addresses = async (cluster: TestCluster): Promise<string[]> =>
  (await slices(cluster))
    .flatMap((slice) => (slice.endpoints ?? []).flatMap((one) => one.addresses))
    .toSorted();

describe('custom Endpoints', () => {
  it('are mirrored through create, update and delete', async () => {
    await using test = await startControllers(MIRRORING);
    const { cluster } = test;
    await services(cluster).create(service);
    await endpoints(cluster).create(db('10.1.2.3'));
    const [slice] = await slices(cluster);
    assert.equal(slice?.addressType, 'IPv4');
    assert.deepEqual(slice.ports, [{ name: 'main', port: 5432, protocol: 'TCP' }]);
    assert.deepEqual(slice.endpoints, [{ addresses: ['10.1.2.3'], conditions: { ready: true } }]);
    assert.equal(slice.metadata?.labels?.['team'], 'x');
    await endpoints(cluster).replace({ ...db('10.2.3.4', '10.2.3.5') });
    assert.deepEqual(await addresses(cluster), ['10.2.3.4', '10.2.3.5']);
    assert.equal((await slices(cluster))[0]?.metadata?.uid, slice.metadata?.uid, 'it is the same slice');
    await endpoints(cluster).delete('db');
    assert.deepEqual(await slices(cluster), []);
  });

  it('wait for their service, and are let go when it has a selector', async () => {
    await using test = await startControllers(MIRRORING);
    const { cluster } = test;
    await endpoints(cluster).create(db('10.1.2.3'));
    assert.deepEqual(await slices(cluster), []);
    await services(cluster).create(service);
    assert.deepEqual(await addresses(cluster), ['10.1.2.3']);
    await services(cluster).patch('db', { spec: { selector: { app: 'db' } } });
    assert.deepEqual(await slices(cluster), []);
    await services(cluster).patch('db', { spec: { selector: null } });
    assert.deepEqual(await addresses(cluster), ['10.1.2.3']);
    await services(cluster).delete('db');
    assert.deepEqual(await slices(cluster), []);
  });

  it('are not mirrored when they say so, nor when leaders are elected on them', async () => {
    await using test = await startControllers(MIRRORING);
    const { cluster } = test;
    await services(cluster).create(service);
    await endpoints(cluster).create(db('10.1.2.3'));
    const label = 'endpointslice.kubernetes.io/skip-mirror';
    await endpoints(cluster).patch('db', { metadata: { labels: { [label]: 'true' } } });
    assert.deepEqual(await slices(cluster), []);
    const annotation = 'control-plane.alpha.kubernetes.io/leader';
    await endpoints(cluster).patch('db', {
      metadata: { labels: { [label]: null }, annotations: { [annotation]: '{}' } },
    });
    assert.deepEqual(await slices(cluster), []);
    await endpoints(cluster).patch('db', { metadata: { annotations: { [annotation]: null } } });
    assert.deepEqual(await addresses(cluster), ['10.1.2.3']);
  });

  it('have their slices set right when somebody changes or deletes one', async () => {
    await using test = await startControllers(MIRRORING);
    const { cluster } = test;
    await services(cluster).create(service);
    await endpoints(cluster).create(db('10.1.2.3'));
    const all = cluster.client.resource(EndpointSlice).namespace('default');
    const [slice] = await slices(cluster);
    await all.patch(
      slice?.metadata?.name ?? '',
      { endpoints: [{ addresses: ['9.9.9.9'] }] },
      { type: 'merge' },
    );
    assert.deepEqual(await addresses(cluster), ['10.1.2.3']);
    await all.delete(slice?.metadata?.name ?? '');
    assert.deepEqual(await addresses(cluster), ['10.1.2.3']);
  });
});

it('every node is told how long it may keep what it reads', async () => {
  await using test = await startControllers(['ttl']);
  const { cluster } = test;
  const nodes = cluster.client.resource(Node);
  for (let index = 0; index <= 100; index++) await nodes.create({ metadata: { name: `n${index}` } });
  await cluster.settled();
  const ttl = async (name: string): Promise<string | undefined> =>
    (await nodes.get(name)).metadata?.annotations?.['node.alpha.kubernetes.io/ttl'];
  assert.equal(await ttl('n100'), '15', 'the one that made them many');
  await nodes.patch('n0', { metadata: { labels: { look: 'again' } } });
  await cluster.settled();
  assert.equal(await ttl('n0'), '15', 'an old one when it next says something');
});
