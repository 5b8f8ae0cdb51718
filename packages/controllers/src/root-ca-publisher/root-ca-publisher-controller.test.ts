// What every namespace has. The embedded server makes accounts and roles of roles by itself: those are
// shown on the real one.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { startTestCluster } from '@windlass/cluster/testing';
import { Manager } from '@windlass/runtime';
import { addControllers } from '../controllers.ts';

it('every namespace has the certificate of the authority; it comes back, and is set right', async () => {
  await using cluster = await startTestCluster({ namespaces: ['early'] });
  const { manager } = cluster.manager();
  addControllers(manager, { controllers: ['root-ca-cert-publisher'], rootCa: 'PEM' });
  await manager.start();
  await cluster.createNamespace('late');
  await cluster.settled();
  for (const namespace of ['early', 'late', 'default']) {
    const maps = cluster.client.resource(ConfigMap).namespace(namespace);
    const data = async (): Promise<unknown> => (await maps.get('kube-root-ca.crt')).data;
    assert.deepEqual(await data(), { 'ca.crt': 'PEM' });
    await maps.patch('kube-root-ca.crt', { data: { 'ca.crt': 'other', more: 'x' } });
    await cluster.settled();
    assert.deepEqual(await data(), { 'ca.crt': 'PEM' });
    await maps.delete('kube-root-ca.crt');
    await cluster.settled();
    assert.deepEqual(await data(), { 'ca.crt': 'PEM' });
  }
});

it('without a certificate none is published', async () => {
  await using cluster = await startTestCluster();
  await using manager = new Manager({ transport: cluster.transport() });
  addControllers(manager, { controllers: ['root-ca-cert-publisher'] });
  assert.equal(manager.controllers.size, 0);
});
