// Deployments, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerOf, findCondition } from '@windlass/apimachinery';
import { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { all, eventsOf } from '@windlass/cluster/testing/objects';
import {
  addManager,
  deployment,
  labels,
  podsOf,
  replicaSet,
  runPods,
  setReady,
  startControllers,
  template,
} from '../testing/controlled-cluster.ts';

const BOTH = ['deployment', 'replicaset'];
const REVISION = 'deployment.kubernetes.io/revision';

const client = (cluster: TestCluster) => cluster.client.resource(Deployment).namespace('default');
const setImage = (cluster: TestCluster, image: string): Promise<Deployment> =>
  client(cluster).patch('web', { spec: { template: template(labels, image) } });
const imageOf = (object: ReplicaSet | Pod): string | undefined =>
  ('template' in (object.spec ?? {}) ? (object as ReplicaSet).spec?.template?.spec : (object as Pod).spec)
    ?.containers[0]?.image;
/** By image: revision, wanted replicas. */
async function sets(cluster: TestCluster): Promise<Record<string, string>> {
  const found = await all(cluster, ReplicaSet);
  return Object.fromEntries(
    found.map((set) => [imageOf(set), `${set.metadata?.annotations?.[REVISION]}: ${set.spec?.replicas}`]),
  );
}
const condition = async (cluster: TestCluster, type: string): Promise<unknown[]> => {
  const { status } = await client(cluster).get('web');
  const found = findCondition(status?.conditions, type);
  return [found?.status, found?.reason, found?.message];
};

describe('a new deployment', () => {
  it('has one replica set, and tells of it once, although the answer to its creation was lost', async () => {
    await using test = await startControllers(BOTH);
    const { cluster, controllers } = test;
    const held = controllers.faults.holdWatches({ path: '/apis/apps/v1/replicasets' });
    const path = '/apis/apps/v1/namespaces/default/replicasets';
    controllers.faults.fail({ method: 'POST', path, answer: 'lost', afterwards: true });
    await client(cluster).create(deployment('web', 2));
    await cluster.advance(5000);
    held[Symbol.dispose]();
    await cluster.advance(1000);
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 2' });
    // The set was there already when it was made again: it was not scaled then, and nothing new was created.
    assert.deepEqual(
      (await eventsOf(cluster, 'web')).filter((text) => text.startsWith('ScalingReplicaSet')),
      [],
    );
    assert.notEqual((await condition(cluster, 'Progressing'))[1], 'NewReplicaSetCreated');
  });

  it('makes a replica set with a hash in name, labels, selector and template, and tells how it goes', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    const made = await client(cluster).create({
      ...deployment('web', 3),
      metadata: { name: 'web', annotations: { team: 'a' } },
    });
    await cluster.settled();
    const [set] = await all(cluster, ReplicaSet);
    const hash = set?.metadata?.labels?.['pod-template-hash'];
    assert.match(hash ?? '', /^[bcdfghjklmnpqrstvwxz2456789]+$/);
    assert.equal(set?.metadata?.name, `web-${hash}`);
    assert.deepEqual(set?.metadata?.labels, { ...labels, 'pod-template-hash': hash });
    assert.deepEqual(set?.spec?.selector, { matchLabels: { ...labels, 'pod-template-hash': hash } });
    assert.deepEqual(set?.spec?.template?.metadata?.labels, { ...labels, 'pod-template-hash': hash });
    assert.deepEqual(set?.metadata?.annotations, {
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
      [REVISION]: '1',
      team: 'a',
    });
    assert.equal(controllerOf(set ?? {})?.uid, made.metadata.uid);
    assert.deepEqual(await condition(cluster, 'Available'), [
      'False',
      'MinimumReplicasUnavailable',
      'Deployment does not have minimum availability.',
    ]);
    await runPods(cluster);
    const { status, metadata } = await client(cluster).get('web');
    assert.equal(metadata?.annotations?.[REVISION], '1');
    const { conditions: _, ...counts } = status ?? {};
    assert.deepEqual(counts, {
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
    });
    assert.deepEqual(await condition(cluster, 'Progressing'), [
      'True',
      'NewReplicaSetAvailable',
      `ReplicaSet "web-${hash}" has successfully progressed.`,
    ]);
    assert.deepEqual(await condition(cluster, 'Available'), [
      'True',
      'MinimumReplicasAvailable',
      'Deployment has minimum availability.',
    ]);
    assert.deepEqual(await eventsOf(cluster, 'web'), [
      `ScalingReplicaSet: Scaled up replica set web-${hash} from 0 to 3`,
    ]);
  });

  it('adopts a replica set with its template', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    const set = await cluster.client
      .resource(ReplicaSet)
      .create({ ...replicaSet('before', 2), metadata: { name: 'before', namespace: 'default', labels } });
    await cluster.settled();
    const made = await client(cluster).create(deployment('web', 2));
    await cluster.settled();
    const found = await all(cluster, ReplicaSet);
    assert.deepEqual(
      found.map(({ metadata }) => [metadata?.name, metadata?.uid]),
      [['before', set.metadata?.uid]],
    );
    assert.equal(controllerOf(found[0] ?? {})?.uid, made.metadata.uid);
    assert.deepEqual(await condition(cluster, 'Progressing'), [
      'True',
      'ReplicaSetUpdated',
      'ReplicaSet "before" is progressing.',
    ]);
  });

  it('takes another name when the hash is taken by a stranger', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await client(cluster).create(deployment('web', 1));
    await cluster.settled();
    const [first] = await all(cluster, ReplicaSet);
    await client(cluster).delete('web', { propagationPolicy: 'Background' });
    const name = first?.metadata?.name ?? '';
    const replicaSets = cluster.client.resource(ReplicaSet).namespace('default');
    await replicaSets.delete(name);
    await replicaSets.create({
      ...replicaSet(name, 0),
      spec: { replicas: 0, selector: { matchLabels: { app: 'x' } }, template: template({ app: 'x' }) },
    });
    await client(cluster).create(deployment('web', 1));
    await cluster.advance(1000);
    const { status } = await client(cluster).get('web');
    assert.equal(status?.collisionCount, 1);
    const owned = (await all(cluster, ReplicaSet)).filter((set) => controllerOf(set) !== undefined);
    assert.equal(owned.length, 1);
    assert.notEqual(owned[0]?.metadata?.name, name);
  });
});

describe('a rolling update', () => {
  it('never has more or fewer pods than surge and unavailability allow', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } as const;
    await client(cluster).create(deployment('web', 10, { strategy }));
    await runPods(cluster);
    await setImage(cluster, 'web:2');
    await cluster.settled();
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 8', 'web:2': '2: 5' }, 'ten, three more, two fewer');
    for (let step = 0; step < 30; step++) {
      await cluster.settled();
      const pods = await podsOf(cluster);
      const ready = pods.filter(({ status }) => status?.phase === 'Running');
      assert.ok(pods.length <= 13, `${pods.length} pods`);
      assert.ok(ready.length >= 8, `${ready.length} ready pods`);
      const next = pods.find(({ status }) => status?.phase !== 'Running');
      if (next === undefined) break;
      await setReady(cluster, [next]);
    }
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 0', 'web:2': '2: 10' });
    const pods = await podsOf(cluster);
    assert.ok(pods.every((pod) => imageOf(pod) === 'web:2') && pods.length === 10);
    const { status } = await client(cluster).get('web');
    assert.deepEqual([status?.updatedReplicas, status?.replicas, status?.availableReplicas], [10, 10, 10]);
  });

  it('goes back to an earlier template with its set, under a new revision', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await client(cluster).create(deployment('web', 2));
    await runPods(cluster);
    await setImage(cluster, 'web:2');
    await runPods(cluster);
    await setImage(cluster, 'web:1');
    await runPods(cluster);
    assert.deepEqual(await sets(cluster), { 'web:1': '3: 2', 'web:2': '2: 0' });
    const first = (await all(cluster, ReplicaSet)).find((set) => imageOf(set) === 'web:1');
    assert.equal(first?.metadata?.annotations?.['deployment.kubernetes.io/revision-history'], '1');
    assert.equal((await client(cluster).get('web')).metadata?.annotations?.[REVISION], '3');
  });

  it('goes back by the annotation of old clients', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await client(cluster).create(deployment('web', 1));
    await runPods(cluster);
    await setImage(cluster, 'web:2');
    await runPods(cluster);
    await client(cluster).patch('web', {
      metadata: { annotations: { 'deprecated.deployment.rollback.to': '1' } },
    });
    await runPods(cluster);
    assert.deepEqual(await sets(cluster), { 'web:1': '3: 1', 'web:2': '2: 0' });
    const { metadata } = await client(cluster).get('web');
    assert.equal(metadata?.annotations?.['deprecated.deployment.rollback.to'], undefined);
    assert.ok(
      (await eventsOf(cluster, 'web')).includes(
        'DeploymentRollback: Rolled back deployment "web" to revision 1',
      ),
    );
  });

  it('keeps as many old sets as it is told to', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await client(cluster).create(deployment('web', 1, { revisionHistoryLimit: 1 }));
    for (const image of ['web:1', 'web:2', 'web:3', 'web:4']) {
      await setImage(cluster, image);
      await runPods(cluster);
    }
    assert.deepEqual(await sets(cluster), { 'web:3': '3: 0', 'web:4': '4: 1' });
  });

  it('is resized in proportion while it goes on', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } as const;
    await client(cluster).create(deployment('web', 10, { strategy }));
    await runPods(cluster);
    await setImage(cluster, 'web:broken');
    await cluster.settled();
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 8', 'web:broken': '2: 5' });
    await client(cluster).scale.patch('web', { spec: { replicas: 30 } });
    await cluster.settled();
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 20', 'web:broken': '2: 13' });
  });

  it('is told to have stood still for too long, and to go on when it does', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await client(cluster).create(deployment('web', 1, { progressDeadlineSeconds: 60 }));
    await cluster.settled();
    await cluster.advance(59_000);
    assert.equal((await condition(cluster, 'Progressing'))[0], 'True');
    await cluster.advance(3000);
    const [set] = await all(cluster, ReplicaSet);
    assert.deepEqual(await condition(cluster, 'Progressing'), [
      'False',
      'ProgressDeadlineExceeded',
      `ReplicaSet "${set?.metadata?.name}" has timed out progressing.`,
    ]);
    await runPods(cluster);
    assert.equal((await condition(cluster, 'Progressing'))[1], 'NewReplicaSetAvailable');
  });

  it('waits while it is paused, and is still resized', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await client(cluster).create(deployment('web', 2));
    await runPods(cluster);
    await client(cluster).patch('web', { spec: { paused: true } });
    await cluster.settled();
    assert.deepEqual(await condition(cluster, 'Progressing'), [
      'Unknown',
      'DeploymentPaused',
      'Deployment is paused',
    ]);
    await setImage(cluster, 'web:2');
    await client(cluster).scale.patch('web', { spec: { replicas: 4 } });
    await cluster.settled();
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 4' });
    await client(cluster).patch('web', { spec: { paused: false } });
    await runPods(cluster);
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 0', 'web:2': '2: 4' });
  });

  it('tells why pods cannot be made', async () => {
    await using test = await startControllers(BOTH);
    const { cluster, controllers } = test;
    const answer = { code: 403, reason: 'Forbidden', message: 'exceeded quota: small' };
    controllers.faults.fail({ method: 'POST', path: '/api/v1/namespaces/default/pods', answer, times: 100 });
    await client(cluster).create(deployment('web', 1));
    await cluster.settled();
    assert.deepEqual(await condition(cluster, 'ReplicaFailure'), [
      'True',
      'FailedCreate',
      'exceeded quota: small',
    ]);
  });
});

describe('a deployment that recreates', () => {
  it('starts the new pods when the last old one is gone', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    const pods = cluster.client.resource<Pod>({ group: '', kind: 'Pod' }).namespace('default');
    await client(cluster).create(deployment('web', 2, { strategy: { type: 'Recreate' } }));
    await runPods(cluster);
    // A pod that takes its time to go.
    const [slow] = await podsOf(cluster);
    await pods.patch(slow?.metadata?.name ?? '', { metadata: { finalizers: ['example.com/wait'] } });
    await setImage(cluster, 'web:2');
    await cluster.settled();
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 0' });
    await pods.patch(slow?.metadata?.name ?? '', { metadata: { finalizers: null } });
    await runPods(cluster);
    assert.deepEqual(await sets(cluster), { 'web:1': '1: 0', 'web:2': '2: 2' });
    assert.ok((await podsOf(cluster)).every((pod) => imageOf(pod) === 'web:2'));
  });
});

it('a rollout is carried on by another process, wherever the first one dies', async () => {
  for (const writes of [1, 2, 3, 5, 7, 9]) {
    await using test = await startControllers(BOTH);
    const { cluster, controllers } = test;
    await client(cluster).create(deployment('web', 3));
    await runPods(cluster);
    controllers.faults.crashAfterWrites(writes);
    await setImage(cluster, 'web:2');
    await cluster.settled();
    await addManager(cluster, BOTH);
    await runPods(cluster);
    assert.deepEqual(
      await sets(cluster),
      { 'web:1': '1: 0', 'web:2': '2: 3' },
      `died after ${writes} writes`,
    );
    assert.equal((await podsOf(cluster)).length, 3);
  }
});

it('a deployment that is sized and told to recreate in the middle of a roll-out comes to an end', async () => {
  await using test = await startControllers(BOTH);
  const { cluster } = test;
  await client(cluster).create(deployment('web', 1));
  await cluster.settled();
  await runPods(cluster);
  await cluster.settled();
  await setImage(cluster, 'web:2');
  await cluster.settled();
  assert.deepEqual(
    Object.values(await sets(cluster)).map((text) => text.slice(-1)),
    ['1', '1'],
    'it waits for the new pod',
  );
  await client(cluster).patch('web', {
    spec: { replicas: 0, strategy: { type: 'Recreate', rollingUpdate: null } },
  });
  await cluster.settled();
  assert.deepEqual(
    Object.values(await sets(cluster)).map((text) => text.slice(-1)),
    ['0', '0'],
  );
});
