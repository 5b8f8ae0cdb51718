import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { Event, Service } from '@windlass/apimachinery/api/core/v1';
import { startTestCluster } from '@windlass/cluster/testing';
import { all } from '@windlass/cluster/testing/objects';
import { addManager } from '../testing/controlled-cluster.ts';
import { CLEANUP_FINALIZER } from './plan-load-balancer.ts';

const web = (name: string, spec: Service['spec'] = {}): Service & { metadata: { namespace: string } } => ({
  metadata: { name, namespace: 'default' },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...spec },
});

test('services of type LoadBalancer get an address each, keep it, and give it back', async () => {
  await using cluster = await startTestCluster();
  await addManager(cluster, ['service'], { loadBalancerCidr: '192.0.2.0/29' });
  const services = cluster.client.resource(Service).namespace('default');
  for (const name of ['a', 'b']) await services.create(web(name));
  await services.create(web('elsewhere', { loadBalancerClass: 'example.com/lb' }));
  await services.create(
    web('chosen', { loadBalancerIP: '198.51.100.7', allocateLoadBalancerNodePorts: false }),
  );
  await cluster.settled();
  const addressOf = async (name: string): Promise<string | undefined> =>
    (await services.get(name)).status?.loadBalancer?.ingress?.[0]?.ip;
  assert.deepEqual(await Promise.all(['a', 'b', 'elsewhere', 'chosen'].map(addressOf)), [
    '192.0.2.1',
    '192.0.2.2',
    undefined,
    '198.51.100.7',
  ]);
  assert.deepEqual((await services.get('a')).metadata.finalizers, [CLEANUP_FINALIZER]);
  assert.equal((await services.get('chosen')).spec?.ports?.[0]?.nodePort, undefined);
  assert.equal((await services.get('elsewhere')).metadata.finalizers, undefined);
  // Another type needs no load balancer.
  const a = await services.get('a');
  await services.replace({ ...a, spec: { ...a.spec, type: 'ClusterIP' } });
  await cluster.settled();
  const plain = await services.get('a');
  assert.deepEqual([plain.metadata.finalizers, plain.status?.loadBalancer], [undefined, {}]);
  await services.delete('b');
  await cluster.settled();
  await assert.rejects(services.get('b'), isNotFound);
  // What was given back is given again.
  await services.create(web('c'));
  await cluster.settled();
  assert.equal(await addressOf('c'), '192.0.2.1');
  const reasons = new Set((await all(cluster, Event)).map(({ reason }) => reason));
  for (const reason of [
    'EnsuringLoadBalancer',
    'EnsuredLoadBalancer',
    'DeletingLoadBalancer',
    'DeletedLoadBalancer',
  ])
    assert.ok(reasons.has(reason), reason);
});

test('without addresses to give nothing is given', async () => {
  await using cluster = await startTestCluster();
  await addManager(cluster, ['service']);
  const services = cluster.client.resource(Service).namespace('default');
  await services.create(web('a'));
  await cluster.settled();
  const { metadata, status } = await services.get('a');
  assert.deepEqual([metadata.finalizers, status?.loadBalancer], [undefined, {}]);
});
