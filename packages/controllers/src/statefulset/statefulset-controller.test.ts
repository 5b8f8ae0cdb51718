// Stateful sets, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerOf } from '@windlass/apimachinery';
import { ControllerRevision, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { all, eventsOf } from '@windlass/cluster/testing/objects';
import {
  addManager,
  labels,
  podsOf,
  runPods,
  setReady,
  startControllers,
  template,
} from '../testing/controlled-cluster.ts';

const SETS = ['statefulset', 'garbagecollector'];

type Spec = Partial<NonNullable<StatefulSet['spec']>>;

const sets = (cluster: TestCluster) => cluster.client.resource(StatefulSet).namespace('default');
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const statefulSet = (replicas: number, more: Spec = {}): StatefulSet => ({
  metadata: { name: 'db' },
  spec: {
    replicas,
    serviceName: 'db',
    selector: { matchLabels: labels },
    template: template(labels),
    ...more,
  },
});
const names = async (cluster: TestCluster): Promise<string[]> =>
  (await podsOf(cluster)).map(({ metadata }) => metadata?.name ?? '');
const images = async (cluster: TestCluster): Promise<unknown> =>
  Object.fromEntries(
    (await podsOf(cluster)).map(({ metadata, spec }) => [metadata?.name, spec?.containers[0]?.image]),
  );
const setImage = (cluster: TestCluster, image: string): Promise<StatefulSet> =>
  sets(cluster).patch('db', { spec: { template: template(labels, image) } });
const ready = async (cluster: TestCluster, ...which: readonly string[]): Promise<void> => {
  await setReady(
    cluster,
    (await podsOf(cluster)).filter(({ metadata }) => which.includes(metadata?.name ?? '')),
  );
  await cluster.settled();
};

describe('the history of a stateful set', () => {
  const revisions = (cluster: TestCluster) =>
    cluster.client.resource(ControllerRevision).namespace('default');
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';

  it('has a revision once, although the answer to its creation was lost', async () => {
    await using test = await startControllers(SETS);
    const { cluster, controllers } = test;
    // The cache does not have it either when the next run makes it again.
    const held = controllers.faults.holdWatches({ path: '/apis/apps/v1/controllerrevisions' });
    controllers.faults.fail({ method: 'POST', path, answer: 'lost', afterwards: true });
    await sets(cluster).create(statefulSet(1));
    await cluster.advance(5000);
    held[Symbol.dispose]();
    await cluster.advance(1000);
    assert.equal((await revisions(cluster).list()).items.length, 1);
    assert.deepEqual(await names(cluster), ['db-0']);
    assert.equal((await sets(cluster).get('db')).status?.collisionCount ?? 0, 0);
  });

  it('makes its revision under another name when somebody else has that name', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    await sets(cluster).create(statefulSet(1));
    await cluster.settled();
    const [made] = (await revisions(cluster).list()).items;
    await sets(cluster).delete('db');
    await cluster.advance(1000);
    await revisions(cluster).create({
      metadata: { name: made?.metadata?.name ?? '' },
      revision: 1,
      data: {},
    });
    await cluster.settled();
    await sets(cluster).create(statefulSet(1));
    await cluster.advance(1000);
    assert.equal((await revisions(cluster).list()).items.length, 2);
    assert.equal((await sets(cluster).get('db')).status?.collisionCount, 1);
    assert.deepEqual(await names(cluster), ['db-0']);
  });
});

describe('an ordered set', () => {
  it('waits for a name that somebody else still has, whose events do not lead to it', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    await pods(cluster).create({
      metadata: { name: 'db-0', finalizers: ['example.com/slow'] },
      spec: { containers: [{ name: 'main', image: 'a' }] },
    });
    await sets(cluster).create(statefulSet(1));
    await cluster.settled();
    const owner = async (): Promise<string | undefined> =>
      controllerOf(await pods(cluster).get('db-0'))?.name;
    assert.equal(await owner(), undefined);
    await pods(cluster).delete('db-0', { gracePeriodSeconds: 0 });
    await pods(cluster).patch('db-0', { metadata: { finalizers: null } }, { type: 'merge' });
    await cluster.advance(60_000);
    assert.equal(await owner(), 'db');
  });

  it('starts pod after pod, each when the one before is ready, and ends them in reverse', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const made = await sets(cluster).create(statefulSet(3));
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['db-0']);
    await ready(cluster, 'db-0');
    assert.deepEqual(await names(cluster), ['db-0', 'db-1']);
    await ready(cluster, 'db-1');
    await ready(cluster, 'db-2');
    const [first] = await podsOf(cluster);
    assert.equal(controllerOf(first ?? {})?.uid, made.metadata.uid);
    assert.deepEqual([first?.spec?.hostname, first?.spec?.subdomain], ['db-0', 'db']);
    const { status } = await sets(cluster).get('db');
    assert.deepEqual(first?.metadata?.labels, {
      ...labels,
      'apps.kubernetes.io/pod-index': '0',
      'controller-revision-hash': status?.updateRevision,
      'statefulset.kubernetes.io/pod-name': 'db-0',
    });
    assert.deepEqual(
      [
        status?.replicas,
        status?.readyReplicas,
        status?.availableReplicas,
        status?.currentReplicas,
        status?.updatedReplicas,
      ],
      [3, 3, 3, 3, 3],
    );
    assert.equal(status?.currentRevision, status?.updateRevision);
    assert.match(status?.updateRevision ?? '', /^db-[^-]+$/);
    // A pod in the middle takes its time to go.
    await pods(cluster).patch('db-2', { metadata: { finalizers: ['example.com/wait'] } });
    await sets(cluster).scale.patch('db', { spec: { replicas: 1 } });
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['db-0', 'db-1'], 'the last one goes first, and is waited for');
    await pods(cluster).patch('db-2', { metadata: { finalizers: null } });
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['db-0']);
    const events = await eventsOf(cluster, 'db');
    assert.ok(
      events.includes('SuccessfulCreate: Create Pod db-0 in StatefulSet db successful'),
      events.join('\n'),
    );
    assert.ok(events.includes('SuccessfulDelete: Delete Pod db-2 in StatefulSet db successful'));
  });

  it('makes a lost pod anew, under its name and before all others', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    await sets(cluster).create(statefulSet(2, { ordinals: { start: 5 } }));
    await runPods(cluster);
    assert.deepEqual(await names(cluster), ['db-5', 'db-6']);
    const before = await pods(cluster).get('db-5');
    await pods(cluster).delete('db-5');
    await sets(cluster).scale.patch('db', { spec: { replicas: 3 } });
    await cluster.settled();
    assert.deepEqual(await names(cluster), ['db-5', 'db-6'], 'the third waits for the first');
    assert.notEqual((await pods(cluster).get('db-5')).metadata.uid, before.metadata.uid);
    await ready(cluster, 'db-5');
    assert.deepEqual(await names(cluster), ['db-5', 'db-6', 'db-7']);
    const failed = await pods(cluster).get('db-6');
    await pods(cluster).status.patch('db-6', { status: { phase: 'Failed' } });
    await cluster.settled();
    const { metadata, status } = await pods(cluster).get('db-6');
    assert.notEqual(metadata.uid, failed.metadata.uid, 'one that has failed is replaced');
    assert.equal(status?.phase, 'Pending');
  });

  it('waits until a pod has been ready for long enough', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    await sets(cluster).create(statefulSet(2, { minReadySeconds: 30 }));
    await cluster.settled();
    await ready(cluster, 'db-0');
    await cluster.advance(29_000);
    assert.deepEqual(await names(cluster), ['db-0']);
    await cluster.advance(2000);
    assert.deepEqual(await names(cluster), ['db-0', 'db-1']);
  });
});

it('a parallel set starts and ends all pods at once', async () => {
  await using test = await startControllers(SETS);
  const { cluster } = test;
  await sets(cluster).create(statefulSet(3, { podManagementPolicy: 'Parallel' }));
  await cluster.settled();
  assert.deepEqual(await names(cluster), ['db-0', 'db-1', 'db-2']);
  await sets(cluster).scale.patch('db', { spec: { replicas: 0 } });
  await cluster.settled();
  assert.deepEqual(await names(cluster), []);
});

describe('an update', () => {
  it('replaces pods from the last to the first, each when the one before is ready', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    await sets(cluster).create(statefulSet(2));
    await runPods(cluster);
    await setImage(cluster, 'web:2');
    await cluster.settled();
    assert.deepEqual(await images(cluster), { 'db-0': 'web:1', 'db-1': 'web:2' });
    const middle = (await sets(cluster).get('db')).status;
    assert.deepEqual([middle?.currentReplicas, middle?.updatedReplicas], [1, 1]);
    assert.notEqual(middle?.currentRevision, middle?.updateRevision);
    await runPods(cluster);
    assert.deepEqual(await images(cluster), { 'db-0': 'web:2', 'db-1': 'web:2' });
    const { status } = await sets(cluster).get('db');
    assert.equal(status?.currentRevision, status?.updateRevision);
    assert.equal((await all(cluster, ControllerRevision)).length, 2);
  });

  it('stops at its partition, also for pods that are made anew', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } as const;
    await sets(cluster).create(statefulSet(3, { updateStrategy }));
    await runPods(cluster);
    await setImage(cluster, 'web:2');
    await runPods(cluster);
    assert.deepEqual(await images(cluster), { 'db-0': 'web:1', 'db-1': 'web:2', 'db-2': 'web:2' });
    await pods(cluster).delete('db-0');
    await pods(cluster).delete('db-1');
    await runPods(cluster);
    assert.deepEqual(await images(cluster), { 'db-0': 'web:1', 'db-1': 'web:2', 'db-2': 'web:2' });
  });

  it('is left to people when they say so', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    await sets(cluster).create(statefulSet(2, { updateStrategy: { type: 'OnDelete' } }));
    await runPods(cluster);
    await setImage(cluster, 'web:2');
    await runPods(cluster);
    assert.deepEqual(await images(cluster), { 'db-0': 'web:1', 'db-1': 'web:1' });
    await pods(cluster).delete('db-0');
    await runPods(cluster);
    assert.deepEqual(await images(cluster), { 'db-0': 'web:2', 'db-1': 'web:1' });
  });

  it('back to an earlier template uses its revision again, and old ones go', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    await sets(cluster).create(statefulSet(1, { revisionHistoryLimit: 1 }));
    await runPods(cluster);
    const first = (await sets(cluster).get('db')).status?.updateRevision;
    await setImage(cluster, 'web:2');
    await runPods(cluster);
    await setImage(cluster, 'web:1');
    await runPods(cluster);
    const { status } = await sets(cluster).get('db');
    assert.equal(status?.updateRevision, first);
    const again = (await all(cluster, ControllerRevision)).find(({ metadata }) => metadata?.name === first);
    assert.equal(again?.revision, 3);
    for (const image of ['web:3', 'web:4', 'web:5']) {
      await setImage(cluster, image);
      await runPods(cluster);
    }
    await cluster.settled();
    assert.equal((await all(cluster, ControllerRevision)).length, 2, 'the one in use, and one more');
  });
});

describe('claims', () => {
  const volumeClaimTemplates: NonNullable<Spec['volumeClaimTemplates']> = [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ];
  const claims = async (cluster: TestCluster): Promise<string[]> =>
    (await all(cluster, PersistentVolumeClaim)).map(({ metadata }) => metadata?.name ?? '');

  it('come before their pods, stay when those go, and are found again', async () => {
    await using test = await startControllers(SETS);
    const { cluster } = test;
    await sets(cluster).create(statefulSet(2, { volumeClaimTemplates }));
    await runPods(cluster);
    assert.deepEqual(await claims(cluster), ['data-db-0', 'data-db-1']);
    const { spec } = await pods(cluster).get('db-1');
    assert.equal(spec?.volumes?.[0]?.persistentVolumeClaim?.claimName, 'data-db-1');
    const [claim] = await all(cluster, PersistentVolumeClaim);
    assert.deepEqual(claim?.metadata?.labels, labels);
    await sets(cluster).scale.patch('db', { spec: { replicas: 1 } });
    await cluster.settled();
    await sets(cluster).delete('db', { propagationPolicy: 'Background' });
    await cluster.settled();
    assert.deepEqual(await names(cluster), []);
    assert.deepEqual(await claims(cluster), ['data-db-0', 'data-db-1']);
  });

  it('that are gone before their pod has started come back', async () => {
    await using test = await startControllers([...SETS, 'pvc-protection']);
    const { cluster } = test;
    await sets(cluster).create(statefulSet(1, { volumeClaimTemplates }));
    await cluster.settled();
    const [before] = await all(cluster, PersistentVolumeClaim);
    await cluster.client.resource(PersistentVolumeClaim).namespace('default').delete('data-db-0');
    await cluster.settled();
    await pods(cluster).patch('db-0', { metadata: { annotations: { note: 'look again' } } });
    await cluster.settled();
    const [after] = await all(cluster, PersistentVolumeClaim);
    assert.ok(after !== undefined && after.metadata?.uid !== before?.metadata?.uid);
  });

  it('that are on their way out, which the cache does not know, are waited for', async () => {
    await using test = await startControllers([...SETS, 'pvc-protection']);
    const { cluster, controllers } = test;
    const objects = cluster.client.resource(PersistentVolumeClaim).namespace('default');
    const [{ spec } = {}] = volumeClaimTemplates;
    const held = controllers.faults.holdWatches({ path: '/api/v1/persistentvolumeclaims' });
    await objects.create({
      metadata: { name: 'data-db-0', finalizers: ['example.com/wait'] },
      ...(spec && { spec }),
    });
    await objects.delete('data-db-0');
    await sets(cluster).create(statefulSet(1, { volumeClaimTemplates }));
    await cluster.settled();
    assert.deepEqual(await names(cluster), [], 'its pod would wait for a claim that goes');
    held[Symbol.dispose]();
    await objects.patch('data-db-0', { metadata: { finalizers: null } }, { type: 'merge' });
    await cluster.advance(60_000);
    assert.deepEqual(await names(cluster), ['db-0']);
    const [after] = await all(cluster, PersistentVolumeClaim);
    assert.equal(after?.metadata?.deletionTimestamp, undefined);
  });

  it('go with those whom their policy names', async () => {
    await using test = await startControllers([...SETS, 'pvc-protection']);
    const { cluster } = test;
    await sets(cluster).create(
      statefulSet(2, {
        volumeClaimTemplates,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
      }),
    );
    await runPods(cluster);
    await sets(cluster).scale.patch('db', { spec: { replicas: 1 } });
    await cluster.advance(1000);
    assert.deepEqual(await claims(cluster), ['data-db-0']);
    await sets(cluster).delete('db', { propagationPolicy: 'Background' });
    await cluster.advance(1000);
    assert.deepEqual(await claims(cluster), []);
  });
});

it('a set is carried on by another process, wherever the first one dies', async () => {
  for (const writes of [1, 2, 3, 4, 5]) {
    await using test = await startControllers(SETS);
    const { cluster, controllers } = test;
    controllers.faults.crashAfterWrites(writes);
    await sets(cluster).create(statefulSet(2));
    await runPods(cluster);
    await addManager(cluster, SETS);
    await runPods(cluster);
    assert.deepEqual(await names(cluster), ['db-0', 'db-1'], `died after ${writes} writes`);
    assert.equal((await all(cluster, ControllerRevision)).length, 1);
  }
});
