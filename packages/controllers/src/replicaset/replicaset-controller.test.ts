// ReplicaSets and ReplicationControllers, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerReferenceTo, type Transport } from '@windlass/apimachinery';
import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Namespace, Pod, ReplicationController } from '@windlass/apimachinery/api/core/v1';
import { startTestCluster } from '@windlass/cluster/testing';
import { all, eventsOf } from '@windlass/cluster/testing/objects';
import { addControllers } from '../controllers.ts';
import {
  addManager,
  labels,
  podsOf,
  replicaSet,
  setReady,
  startControllers,
  template,
} from '../testing/controlled-cluster.ts';

const SETS = ['replicaset', 'replicationcontroller'];

describe('a replica set', () => {
  it('gets its pods, from its template and under its name, and says so', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const client = cluster.client.resource(ReplicaSet).namespace('default');
    const made = await client.create(
      replicaSet('web', 3, {
        template: {
          metadata: { labels: { ...labels, tier: 'front' }, annotations: { note: 'yes' } },
          spec: { containers: [{ name: 'main', image: 'web:1' }] },
        },
      }),
    );
    await cluster.settled();
    const pods = await podsOf(cluster, made);
    assert.equal(pods.length, 3);
    for (const { metadata, spec } of pods) {
      assert.match(metadata?.name ?? '', /^web-[a-z0-9]{5}$/);
      assert.deepEqual(metadata?.labels, { ...labels, tier: 'front' });
      assert.deepEqual(metadata?.annotations, { note: 'yes' });
      assert.deepEqual(metadata?.ownerReferences, [controllerReferenceTo(made, ReplicaSet)]);
      assert.equal(spec?.containers[0]?.image, 'web:1');
    }
    const { status } = await client.get('web');
    assert.deepEqual(status, {
      replicas: 3,
      fullyLabeledReplicas: 3,
      observedGeneration: 1,
      terminatingReplicas: 0,
    });
    const events = await eventsOf(cluster, 'web');
    assert.deepEqual(
      events.toSorted(),
      pods.map(({ metadata }) => `SuccessfulCreate: Created pod: ${metadata?.name}`).toSorted(),
    );
  });

  it('asks once for pods in a namespace that goes, however many end', async () => {
    await using cluster = await startTestCluster();
    let asked = 0;
    const counting = (inner: Transport): Transport => ({
      request(request) {
        if (request.method === 'POST' && request.path.endsWith('/going/pods')) asked++;
        return inner.request(request);
      },
      watch: (request) => inner.watch(request),
      [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
    });
    const { manager } = cluster.manager({ through: counting });
    addControllers(manager, { controllers: SETS });
    await manager.start();
    await cluster.createNamespace('going');
    const pods = cluster.client.resource(Pod).namespace('going');
    const set = replicaSet('web', 20);
    await cluster.client
      .resource(ReplicaSet)
      .create({ ...set, metadata: { name: 'web', namespace: 'going' } });
    await cluster.settled();
    assert.equal(asked, 20);
    await cluster.client.resource(Namespace).delete('going');
    for (const { metadata } of (await pods.list()).items) {
      await pods.delete(metadata.name, { gracePeriodSeconds: 0 });
      await cluster.settled();
    }
    assert.deepEqual([asked, (await pods.list()).items.length], [21, 0]);
  });

  it('replaces pods that are deleted and pods that have failed', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const made = await cluster.client.resource(ReplicaSet).create(replicaSet('web', 2));
    await cluster.settled();
    const [first, second] = await podsOf(cluster, made);
    const pods = cluster.client.resource(Pod).namespace('default');
    await pods.delete(first?.metadata?.name ?? '');
    await pods.status.patch(second?.metadata?.name ?? '', { status: { phase: 'Failed' } });
    await cluster.settled();
    const now = await podsOf(cluster, made);
    assert.equal(now.length, 3, 'the failed one is kept for people to look at');
    assert.equal(now.filter(({ status }) => status?.phase !== 'Failed').length, 2);
  });

  it('scales down by what is lost least', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const client = cluster.client.resource(ReplicaSet).namespace('default');
    const made = await client.create(replicaSet('web', 4));
    await cluster.settled();
    const pods = await podsOf(cluster, made);
    const [keep, cheap] = pods;
    assert.ok(keep !== undefined && cheap !== undefined);
    await setReady(cluster, pods);
    const annotate = (pod: Pod, cost: string): Promise<Pod> =>
      cluster.client
        .resource(Pod)
        .namespace('default')
        .patch(pod.metadata?.name ?? '', {
          metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } },
        });
    await annotate(keep, '100');
    await annotate(cheap, '-100');
    await client.scale.patch('web', { spec: { replicas: 3 } });
    await cluster.settled();
    const names = (await podsOf(cluster, made)).map(({ metadata }) => metadata?.name);
    assert.ok(!names.includes(cheap.metadata?.name), 'the cheapest goes first');
    await client.scale.patch('web', { spec: { replicas: 1 } });
    await cluster.settled();
    assert.deepEqual(
      (await podsOf(cluster, made)).map(({ metadata }) => metadata?.name),
      [keep.metadata?.name],
    );
    const { status } = await client.get('web');
    assert.deepEqual(
      [status?.replicas, status?.readyReplicas, status?.availableReplicas, status?.observedGeneration],
      [1, 1, 1, 3],
    );
  });

  it('counts a pod as available when it has been ready for long enough', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const client = cluster.client.resource(ReplicaSet).namespace('default');
    const made = await client.create(replicaSet('web', 1, { minReadySeconds: 30 }));
    await cluster.settled();
    await setReady(cluster, await podsOf(cluster, made));
    await cluster.settled();
    const counts = async (): Promise<unknown[]> => {
      const { status } = await client.get('web');
      return [status?.readyReplicas, status?.availableReplicas];
    };
    assert.deepEqual(await counts(), [1, undefined]);
    await cluster.advance(29_000);
    assert.deepEqual(await counts(), [1, undefined]);
    await cluster.advance(2000);
    assert.deepEqual(await counts(), [1, 1]);
  });

  it('stops at the first batch that is refused, says why, and forgets it when it works', async () => {
    await using test = await startControllers(SETS);
    const { cluster, controllers } = test;
    const path = '/api/v1/namespaces/default/pods';
    const answer = { code: 403, reason: 'Forbidden', message: 'exceeded quota: small' };
    const client = cluster.client.resource(ReplicaSet).namespace('default');
    await client.create(replicaSet('web', 1));
    await cluster.settled();
    // Twice: the status that tells of the first refusal brings the second attempt at once.
    controllers.faults.fail({ method: 'POST', path, answer, times: 2 });
    await client.scale.patch('web', { spec: { replicas: 20 } });
    await cluster.settled();
    const { status } = await client.get('web');
    const [condition] = status?.conditions ?? [];
    assert.deepEqual(
      [condition?.type, condition?.status, condition?.reason, condition?.message],
      ['ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota: small'],
    );
    assert.equal((await podsOf(cluster)).length, 1, 'nothing was tried after the refusal');
    await cluster.advance(10_000);
    assert.equal((await podsOf(cluster)).length, 20);
    assert.equal((await client.get('web')).status?.conditions, undefined);
    const events = await eventsOf(cluster, 'web');
    assert.ok(events.includes('FailedCreate: Error creating: exceeded quota: small'), events.join('\n'));
  });

  it('adopts what matches, and lets go of what no longer does', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const pods = cluster.client.resource(Pod).namespace('default');
    await pods.create({
      metadata: { name: 'stray', labels },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    const made = await cluster.client.resource(ReplicaSet).create(replicaSet('web', 2));
    await cluster.settled();
    const owned = await podsOf(cluster, made);
    assert.equal(owned.length, 2);
    assert.ok(owned.some(({ metadata }) => metadata?.name === 'stray'));
    await pods.patch('stray', { metadata: { labels: { app: 'other' } } });
    await cluster.settled();
    assert.deepEqual((await pods.get('stray')).metadata?.ownerReferences, undefined);
    assert.equal((await podsOf(cluster, made)).length, 2, 'another one takes its place');
    await pods.patch('stray', { metadata: { labels } });
    await cluster.settled();
    assert.equal((await podsOf(cluster, made)).length, 2, 'it comes back, and one is too much');
  });

  it('neither creates nor adopts while it is being deleted, even if the cache does not know', async () => {
    await using test = await startControllers(SETS);
    const { cluster, controllers } = test;
    const client = cluster.client.resource(ReplicaSet).namespace('default');
    const set = replicaSet('web', 0);
    const made = await client.create({
      ...set,
      metadata: { ...set.metadata, finalizers: ['example.com/wait'] },
    });
    await cluster.settled();
    {
      using _held = controllers.faults.holdWatches({ path: '/apis/apps/v1/replicasets' });
      await client.delete('web');
      await cluster.client
        .resource(Pod)
        .namespace('default')
        .create({ metadata: { name: 'stray', labels }, spec: { containers: [{ name: 'c', image: 'i' }] } });
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.equal((await podsOf(cluster, made)).length, 0, 'the live read shows that the set goes');
    }
    await cluster.advance(60_000);
    assert.equal((await podsOf(cluster, made)).length, 0);
  });

  it('does not create twice when the cache is behind', async () => {
    await using test = await startControllers(SETS);
    const { cluster, controllers } = test;
    const client = cluster.client.resource(ReplicaSet).namespace('default');
    // The cache of pods sees nothing from here on.
    const held = controllers.faults.holdWatches({ path: '/api/v1/pods' });
    await client.create(replicaSet('web', 5));
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    await turns();
    assert.equal((await podsOf(cluster)).length, 5);
    for (const note of ['1', '2', '3']) {
      await client.patch('web', { metadata: { annotations: { note } } });
      await turns();
      await cluster.clock.advance(6000);
      await turns();
      assert.equal((await podsOf(cluster)).length, 5, `after run ${note}`);
    }
    await client.scale.patch('web', { spec: { replicas: 2 } });
    for (let wait = 0; wait < 3; wait++) {
      await turns();
      await cluster.clock.advance(6000);
    }
    await turns();
    assert.equal((await podsOf(cluster)).length, 2);
    held[Symbol.dispose]();
    await cluster.advance(60_000);
    assert.equal((await podsOf(cluster)).length, 2);
    assert.equal((await client.get('web')).status?.replicas, 2);
  });

  it('is carried on by another process, wherever the first one dies', async () => {
    for (let writes = 0; writes < 9; writes++) {
      await using test = await startControllers(SETS);
      const { cluster, controllers } = test;
      controllers.faults.crashAfterWrites(writes);
      const made = await cluster.client.resource(ReplicaSet).create(replicaSet('web', 4));
      await cluster.settled();
      await addManager(cluster, SETS);
      assert.equal((await podsOf(cluster, made)).length, 4, `died after ${writes} writes`);
      assert.equal((await all(cluster, ReplicaSet))[0]?.status?.replicas, 4);
    }
  });

  it('leaves the pods of another set alone, though its selector matches them', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const client = cluster.client.resource(ReplicaSet).namespace('default');
    const [one, two] = [await client.create(replicaSet('one', 2)), await client.create(replicaSet('two', 3))];
    await cluster.settled();
    assert.deepEqual([(await podsOf(cluster, one)).length, (await podsOf(cluster, two)).length], [2, 3]);
    await client.delete('one', { propagationPolicy: 'Orphan' });
    await cluster.settled();
    assert.equal((await podsOf(cluster, two)).length, 3);
  });
});

describe('a replication controller', () => {
  it('does the same, by its own kind of selector', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const client = cluster.client.resource(ReplicationController).namespace('default');
    const made = await client.create({
      metadata: { name: 'old' },
      spec: { replicas: 2, selector: labels, template: template(labels) },
    });
    await cluster.settled();
    const pods = await podsOf(cluster, made);
    assert.equal(pods.length, 2);
    assert.equal(pods[0]?.metadata?.ownerReferences?.[0]?.kind, 'ReplicationController');
    await client.scale.patch('old', { spec: { replicas: 0 } });
    await cluster.settled();
    assert.equal((await podsOf(cluster, made)).length, 0);
    const { status } = await client.get('old');
    assert.deepEqual(status, { replicas: 0, observedGeneration: 2 });
  });
});
