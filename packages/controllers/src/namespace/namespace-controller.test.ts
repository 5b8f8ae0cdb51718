// The end of namespaces, as one sees it through the API.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findCondition, isNotFound } from '@windlass/apimachinery';
import { ConfigMap, Namespace, Pod, Secret, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import { startTestCluster } from '@windlass/cluster/testing';
import { addControllers } from '../controllers.ts';
import { startControllers } from '../testing/controlled-cluster.ts';

const ONLY = ['namespace'];

it('a namespace goes with everything in it, and nothing else', async () => {
  await using test = await startControllers(ONLY, { namespaces: ['doomed', 'other'] });
  const { cluster } = test;
  const namespaces = cluster.client.resource(Namespace);
  for (const namespace of ['doomed', 'other']) {
    await cluster.client
      .resource(ConfigMap)
      .namespace(namespace)
      .create({ metadata: { name: 'a' } });
    await cluster.client
      .resource(Secret)
      .namespace(namespace)
      .create({ metadata: { name: 's' } });
  }
  await namespaces.delete('doomed');
  assert.equal((await namespaces.get('doomed')).status?.phase, 'Terminating');
  await cluster.advance(4000);
  assert.equal(
    (await namespaces.get('doomed')).metadata.name,
    'doomed',
    'other servers must hear of it first',
  );
  await cluster.advance(2000);
  await assert.rejects(namespaces.get('doomed'), isNotFound);
  for (const type of [ConfigMap, Secret, ServiceAccount])
    assert.deepEqual((await cluster.client.resource(type).namespace('doomed').list()).items, []);
  assert.equal((await cluster.client.resource(Secret).namespace('other').list()).items.length, 1);
  assert.equal((await namespaces.get('other')).status?.phase, 'Active');
});

it('a controller whose clock is behind keeps a namespace no longer than another', async () => {
  await using cluster = await startTestCluster();
  const { clock } = cluster;
  const behind: Clock = {
    now: () => clock.now() - 3_600_000,
    monotonic: () => clock.monotonic(),
    setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
  };
  const { manager } = cluster.manager({ clock: behind });
  addControllers(manager, { controllers: ONLY });
  await manager.start();
  const namespaces = cluster.client.resource(Namespace);
  for (let round = 0; round < 2; round++) {
    await namespaces.create({ metadata: { name: 'doomed' } });
    await namespaces.delete('doomed');
    await cluster.advance(4000);
    assert.equal((await namespaces.get('doomed')).metadata.name, 'doomed', `round ${round}`);
    await cluster.advance(2000);
    await assert.rejects(namespaces.get('doomed'), isNotFound);
  }
});

it('a namespace that is gone when it is let go was no failure', async () => {
  await using test = await startControllers(ONLY, { namespaces: ['doomed'] });
  const { cluster, controllers } = test;
  controllers.faults.fail({
    method: 'PUT',
    path: '/api/v1/namespaces/doomed/finalize',
    answer: { code: 404, reason: 'NotFound', message: 'namespaces "doomed" not found' },
    afterwards: true,
  });
  await cluster.client.resource(Namespace).delete('doomed');
  await cluster.advance(6000);
  await assert.rejects(cluster.client.resource(Namespace).get('doomed'), isNotFound);
  const metrics = controllers.manager.metrics.expose();
  assert.match(metrics, /controller_runtime_reconcile_total\{controller="namespace-controller"/);
  assert.doesNotMatch(metrics, /reconcile_errors_total\{controller="namespace-controller"\} [1-9]/);
});

it('what has a finalizer holds its namespace, and the conditions say so', async () => {
  await using test = await startControllers(ONLY, { namespaces: ['doomed'] });
  const { cluster } = test;
  const namespaces = cluster.client.resource(Namespace);
  const maps = cluster.client.resource(ConfigMap).namespace('doomed');
  await maps.create({ metadata: { name: 'held', finalizers: ['example.com/wait'] } });
  await namespaces.delete('doomed');
  await cluster.advance(6000);
  const { status } = await namespaces.get('doomed');
  const said = (status?.conditions ?? []).map(({ type, status: is, reason, message }) => [
    type,
    is,
    reason,
    message,
  ]);
  assert.deepEqual(said, [
    [
      'NamespaceDeletionDiscoveryFailure',
      'False',
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ],
    [
      'NamespaceDeletionGroupVersionParsingFailure',
      'False',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ],
    [
      'NamespaceDeletionContentFailure',
      'False',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ],
    [
      'NamespaceContentRemaining',
      'True',
      'SomeResourcesRemain',
      'Some resources are remaining: configmaps. has 1 resource instances',
    ],
    [
      'NamespaceFinalizersRemaining',
      'True',
      'SomeFinalizersRemain',
      'Some content in the namespace has finalizers remaining: example.com/wait in 1 resource instances',
    ],
  ]);
  await maps.patch('held', { metadata: { finalizers: null } });
  await cluster.advance(10_000);
  await assert.rejects(namespaces.get('doomed'), isNotFound);
});

it('everything else stays until the last pod is gone', async () => {
  await using test = await startControllers(ONLY, { namespaces: ['doomed'] });
  const { cluster } = test;
  const namespaces = cluster.client.resource(Namespace);
  const maps = cluster.client.resource(ConfigMap).namespace('doomed');
  const pods = cluster.client.resource(Pod).namespace('doomed');
  await maps.create({ metadata: { name: 'needed' } });
  await pods.create({
    metadata: { name: 'slow', finalizers: ['example.com/wait'] },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await namespaces.delete('doomed');
  await cluster.advance(6000);
  assert.notEqual((await pods.get('slow')).metadata?.deletionTimestamp, undefined);
  assert.equal((await maps.get('needed')).metadata?.deletionTimestamp, undefined);
  const { status } = await namespaces.get('doomed');
  assert.equal(
    findCondition(status?.conditions, 'NamespaceContentRemaining')?.message,
    'Some resources are remaining: pods. has 1 resource instances',
  );
  await pods.patch('slow', { metadata: { finalizers: null } });
  await cluster.settled();
  await assert.rejects(namespaces.get('doomed'), isNotFound);
});

it('a kind that cannot be deleted now holds nobody else up, and is tried again', async () => {
  await using test = await startControllers(ONLY, { namespaces: ['doomed'] });
  const { cluster, controllers } = test;
  const namespaces = cluster.client.resource(Namespace);
  const maps = cluster.client.resource(ConfigMap).namespace('doomed');
  const secrets = cluster.client.resource(Secret).namespace('doomed');
  await maps.create({ metadata: { name: 'a' } });
  await secrets.create({ metadata: { name: 's' } });
  controllers.faults.fail({
    method: 'DELETE',
    path: '/api/v1/namespaces/doomed/configmaps',
    answer: { code: 500, reason: 'InternalError', message: 'out of order' },
    times: 2,
  });
  await namespaces.delete('doomed');
  await cluster.advance(5000);
  assert.deepEqual((await secrets.list()).items, []);
  const { status } = await namespaces.get('doomed');
  assert.equal(
    findCondition(status?.conditions, 'NamespaceDeletionContentFailure')?.message,
    'Failed to delete all resource types, 1 remaining: out of order',
  );
  await cluster.advance(10_000);
  await assert.rejects(namespaces.get('doomed'), isNotFound);
});
