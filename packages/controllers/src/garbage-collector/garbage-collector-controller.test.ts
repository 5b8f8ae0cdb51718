// The garbage collector, as one sees it through the API: what is deleted, when, and what is left alone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNotFound, type KubeObject, type OwnerReference } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Namespace, Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { all, eventsOf } from '@windlass/cluster/testing/objects';
import {
  addManager,
  deployment,
  podsOf,
  replicaSet,
  startControllers,
} from '../testing/controlled-cluster.ts';

const GC = ['garbagecollector'];

interface Widget extends KubeObject {
  spec?: { size?: number };
}

const widgets: CustomResourceDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const maps = (cluster: TestCluster, namespace = 'default') =>
  cluster.client.resource(ConfigMap).namespace(namespace);

const ref = (owner: ConfigMap | KubeObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: owner.apiVersion ?? 'v1',
  kind: owner.kind ?? 'ConfigMap',
  name: owner.metadata?.name ?? '',
  uid: owner.metadata?.uid ?? '',
  ...more,
});

const own = (
  cluster: TestCluster,
  name: string,
  ownerReferences: OwnerReference[] = [],
  finalizers?: string[],
): Promise<ConfigMap> =>
  maps(cluster).create({
    metadata: { name, ownerReferences, ...(finalizers !== undefined && { finalizers }) },
  });

async function names(cluster: TestCluster): Promise<string[]> {
  const { items } = await maps(cluster).list();
  return items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== 'kube-root-ca.crt')
    .toSorted();
}

describe('in the background', () => {
  it('what is owned goes after its owner, down to the last', async () => {
    await using test = await startControllers(['deployment', 'replicaset', 'garbagecollector']);
    const { cluster } = test;
    const deployments = cluster.client.resource(Deployment).namespace('default');
    await deployments.create(deployment('web', 3));
    await cluster.settled();
    assert.equal((await podsOf(cluster)).length, 3);
    await deployments.delete('web', { propagationPolicy: 'Background' });
    await assert.rejects(deployments.get('web'), isNotFound, 'the owner goes at once');
    await cluster.settled();
    assert.deepEqual([(await all(cluster, ReplicaSet)).length, (await all(cluster, Pod)).length], [0, 0]);
  });

  it('an object with another owner that stays is kept, and loses the reference', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    const [one, two] = [await own(cluster, 'one'), await own(cluster, 'two')];
    await own(cluster, 'shared', [ref(one), ref(two)]);
    await cluster.settled();
    await maps(cluster).delete('one');
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['shared', 'two']);
    assert.deepEqual((await maps(cluster).get('shared')).metadata?.ownerReferences, [ref(two)]);
    await maps(cluster).delete('two');
    await cluster.settled();
    assert.deepEqual(await names(cluster), []);
  });

  it('what names an owner that never was, or another one of its name, goes', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    const owner = await own(cluster, 'owner');
    await own(cluster, 'ghostly', [
      ref(owner, { name: 'never', uid: 'f3b1b4a5-0000-4000-8000-000000000000' }),
    ]);
    await own(cluster, 'outdated', [ref(owner, { uid: 'f3b1b4a5-0000-4000-8000-000000000001' })]);
    await own(cluster, 'good', [ref(owner)]);
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['good', 'owner']);
  });

  it('what was orphaned while nobody looked goes at the next start', async () => {
    await using test = await startControllers([]);
    const { cluster } = test;
    const owner = await own(cluster, 'owner');
    await own(cluster, 'child', [ref(owner)]);
    await own(cluster, 'alone');
    await maps(cluster).delete('owner');
    await addManager(cluster, GC);
    assert.deepEqual(await names(cluster), ['alone']);
  });

  it('an owner of a kind that nobody serves proves nothing', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    await own(cluster, 'kept', [
      {
        apiVersion: 'example.com/v1',
        kind: 'Unknown',
        name: 'x',
        uid: 'f3b1b4a5-0000-4000-8000-000000000002',
      },
    ]);
    await cluster.advance(60_000);
    assert.deepEqual(await names(cluster), ['kept']);
  });
});

describe('in the foreground', () => {
  it('the owner waits for what blocks it', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    const owner = await own(cluster, 'owner');
    const child = await own(
      cluster,
      'child',
      [ref(owner, { blockOwnerDeletion: true })],
      ['example.com/wait'],
    );
    await own(cluster, 'grandchild', [ref(child, { blockOwnerDeletion: true })]);
    await own(cluster, 'loose', [ref(owner)]);
    await cluster.settled();
    await maps(cluster).delete('owner', { propagationPolicy: 'Foreground' });
    await cluster.settled();
    assert.deepEqual(
      await names(cluster),
      ['child', 'owner'],
      'the child is held by somebody, so the owner waits',
    );
    const { metadata } = await maps(cluster).get('owner');
    assert.deepEqual(metadata?.finalizers, ['foregroundDeletion']);
    await maps(cluster).patch('child', { metadata: { finalizers: null } });
    await cluster.settled();
    assert.deepEqual(await names(cluster), []);
  });

  it('what does not block is not waited for', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    const owner = await own(cluster, 'owner');
    await own(cluster, 'child', [ref(owner, { blockOwnerDeletion: false })], ['example.com/wait']);
    await cluster.settled();
    await maps(cluster).delete('owner', { propagationPolicy: 'Foreground' });
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['child']);
    assert.notEqual((await maps(cluster).get('child')).metadata?.deletionTimestamp, undefined);
  });

  it('a dependent with another owner that stays is let go', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    const [one, two] = [await own(cluster, 'one'), await own(cluster, 'two')];
    await own(cluster, 'shared', [ref(one, { blockOwnerDeletion: true }), ref(two)]);
    await cluster.settled();
    await maps(cluster).delete('one', { propagationPolicy: 'Foreground' });
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['shared', 'two']);
  });

  it('a circle of objects that block each other goes', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    const [one, two] = [await own(cluster, 'one'), await own(cluster, 'two')];
    await maps(cluster).patch('one', {
      metadata: { ownerReferences: [ref(two, { blockOwnerDeletion: true })] },
    });
    await maps(cluster).patch('two', {
      metadata: { ownerReferences: [ref(one, { blockOwnerDeletion: true })] },
    });
    await cluster.settled();
    await maps(cluster).delete('one', { propagationPolicy: 'Foreground' });
    await cluster.advance(5000);
    assert.deepEqual(await names(cluster), []);
  });
});

it('orphaned dependents stay, without their owner', async () => {
  await using test = await startControllers(['replicaset', 'garbagecollector']);
  const { cluster } = test;
  const sets = cluster.client.resource(ReplicaSet).namespace('default');
  await sets.create(replicaSet('web', 2));
  await cluster.settled();
  await sets.delete('web', { propagationPolicy: 'Orphan' });
  // Both controllers write; who comes second tries again.
  await cluster.advance(1000);
  await assert.rejects(sets.get('web'), isNotFound);
  const pods = await podsOf(cluster);
  assert.equal(pods.length, 2);
  assert.ok(pods.every(({ metadata }) => metadata?.ownerReferences === undefined));
});

describe('where owners are', () => {
  it('an owner at the cluster scope owns everywhere', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    const nodes = cluster.client.resource(Node);
    const node = await nodes.create({ metadata: { name: 'n1' } });
    await own(cluster, 'child', [ref(node, { apiVersion: 'v1', kind: 'Node' })]);
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['child']);
    await nodes.delete('n1');
    await cluster.settled();
    assert.deepEqual(await names(cluster), []);
  });

  it('one with a namespace owns nothing elsewhere: there it is absent, and an event says so', async () => {
    await using test = await startControllers(GC, { namespaces: ['other'] });
    const { cluster } = test;
    const owner = await maps(cluster, 'other').create({ metadata: { name: 'owner' } });
    await cluster.settled();
    await own(cluster, 'child', [ref(owner)]);
    await cluster.settled();
    assert.deepEqual(await names(cluster), []);
    const events = await eventsOf(cluster, 'child');
    assert.match(
      events.join('\n'),
      /OwnerRefInvalidNamespace: ownerRef \[v1\/ConfigMap, namespace: default, name: owner, uid: .*\] does not exist in namespace "default"/,
    );
    assert.equal((await maps(cluster, 'other').get('owner')).metadata.name, 'owner');
  });

  it('what has no namespace is never collected for an owner that would have one', async () => {
    await using test = await startControllers(GC);
    const { cluster } = test;
    const owner = await own(cluster, 'owner');
    await cluster.client
      .resource(Namespace)
      .create({ metadata: { name: 'odd', ownerReferences: [ref(owner)] } });
    await cluster.settled();
    await maps(cluster).delete('owner');
    await cluster.advance(60_000);
    assert.equal(
      (await cluster.client.resource(Namespace).get('odd')).metadata?.deletionTimestamp,
      undefined,
    );
  });
});

it('custom resources own and are owned, as soon as they are served', async () => {
  await using test = await startControllers(GC);
  const { cluster } = test;
  await cluster.install(widgets);
  await cluster.advance(31_000);
  const client = cluster.client
    .resource<Widget>({ group: 'example.com', version: 'v1', plural: 'widgets' })
    .namespace('default');
  const widget = await client.create({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
  });
  await own(cluster, 'child', [ref(widget)]);
  const map = await own(cluster, 'owner');
  await client.create({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'owned', ownerReferences: [ref(map)] },
  });
  await cluster.settled();
  await client.delete('w', { propagationPolicy: 'Background' });
  await maps(cluster).delete('owner');
  await cluster.settled();
  assert.deepEqual(await names(cluster), []);
  await assert.rejects(client.get('owned'), isNotFound);
});

it('what has found another owner when it is about to be deleted is kept', async () => {
  await using test = await startControllers(GC);
  const { cluster, controllers } = test;
  const [owner, other] = [await own(cluster, 'owner'), await own(cluster, 'other')];
  await own(cluster, 'child', [ref(owner)]);
  await cluster.settled();
  // The delete meets a child that has changed: it has found another owner.
  controllers.faults.fail({
    method: 'DELETE',
    path: '/api/v1/namespaces/default/configmaps/child',
    answer: { code: 409, reason: 'Conflict' },
  });
  await maps(cluster).delete('owner');
  await maps(cluster).patch('child', { metadata: { ownerReferences: [ref(owner), ref(other)] } });
  await cluster.advance(5000);
  assert.deepEqual(await names(cluster), ['child', 'other']);
});
