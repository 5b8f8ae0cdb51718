// Stateful sets and their revisions.
import { ControllerRevision, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import {
  livePods,
  of,
  type Scenario,
  scenario,
  template,
  untilGone,
  untilIs,
  untilNone,
  untilPods,
  type World,
} from './scenario.ts';

const labels = { app: 'db' };

type Spec = NonNullable<StatefulSet['spec']>;

const db = (replicas: number, more: Partial<Spec> = {}): StatefulSet => ({
  metadata: { name: 'db', labels },
  spec: {
    replicas,
    serviceName: 'db',
    selector: { matchLabels: labels },
    template: template(labels, 'db:1'),
    ...more,
  },
});

const setImage = (world: World, image: string) =>
  of(world, StatefulSet).patch('db', { spec: { template: template(labels, image) } });

const untilReady = (world: World, count: number) =>
  untilIs(
    world,
    StatefulSet,
    'db',
    `${count} ready`,
    ({ metadata, status }) =>
      status?.observedGeneration === metadata?.generation &&
      (status?.readyReplicas ?? 0) === count &&
      (status?.replicas ?? 0) === count,
  );

const untilUpdated = async (world: World, count: number): Promise<void> => {
  await untilReady(world, count);
  await untilIs(
    world,
    StatefulSet,
    'db',
    'all updated',
    ({ metadata, status }) =>
      status?.observedGeneration === metadata?.generation &&
      status?.updatedReplicas === count &&
      status.currentRevision === status.updateRevision,
  );
  await untilReady(world, count);
};

const ordinalOf = ({ metadata }: Pod) => Number(metadata?.name?.split('-').at(-1));

const data = (): PersistentVolumeClaim => ({
  metadata: { name: 'data' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'none',
  },
});

const untilClaims = (world: World, ...names: readonly string[]) =>
  world.until(`the claims are ${names.join(', ')}`, async () => {
    const { items } = await of(world, PersistentVolumeClaim).list();
    const seen = items.map(({ metadata }) => metadata.name).toSorted((a, b) => (a < b ? -1 : 1));
    return seen.join() === names.join() || seen;
  });

export const statefulSets: readonly Scenario[] = [
  scenario(
    'a stateful set is scaled in order, and waits for who is not healthy',
    async (world) => {
      world.podsDo((pod) => (ordinalOf(pod) === 1 ? 'unready' : 'ready'));
      await of(world, StatefulSet).create(db(3));
      await untilPods(world, 2);
      await world.rest();
      world.podsDo(() => 'ready');
      await untilReady(world, 3);
      world.podsDo((pod) => (ordinalOf(pod) === 0 ? 'unready' : 'ready'));
      await untilIs(world, StatefulSet, 'db', 'one is unready', ({ status }) => status?.readyReplicas === 2);
      await of(world, StatefulSet).scale.set('db', 1);
      await world.rest();
      world.podsDo(() => 'ready');
      await untilReady(world, 1);
      await of(world, StatefulSet).scale.set('db', 0);
      await untilReady(world, 0);
    },
    'StatefulSet Basic StatefulSet functionality [StatefulSetBasic] Scaling should happen in predictable order and halt if any stateful pod is unhealthy [Slow]',
  ),
  scenario(
    'a parallel stateful set is scaled at once, healthy or not',
    async (world) => {
      world.podsDo(() => 'unready');
      await of(world, StatefulSet).create(db(3, { podManagementPolicy: 'Parallel' }));
      await untilPods(world, 3);
      await of(world, StatefulSet).scale.set('db', 1);
      await untilPods(world, 1);
      world.podsDo(() => 'ready');
      await untilReady(world, 1);
      await of(world, StatefulSet).scale.set('db', 0);
      await untilReady(world, 0);
    },
    'StatefulSet Basic StatefulSet functionality [StatefulSetBasic] Burst scaling should run to completion even with unhealthy pods [Slow]',
  ),
  scenario(
    'a stateful set is scaled by its subresource',
    async (world) => {
      await of(world, StatefulSet).create(db(1));
      await untilReady(world, 1);
      await of(world, StatefulSet).scale.set('db', 2);
      await untilReady(world, 2);
    },
    'StatefulSet Basic StatefulSet functionality [StatefulSetBasic] should have a working scale subresource',
  ),
  scenario(
    'a stateful set is updated from the last to the first, and back',
    async (world) => {
      await of(world, StatefulSet).create(db(3));
      await untilUpdated(world, 3);
      await setImage(world, 'db:2');
      await untilUpdated(world, 3);
      await setImage(world, 'db:1');
      await untilUpdated(world, 3);
    },
    'StatefulSet Basic StatefulSet functionality [StatefulSetBasic] should perform rolling updates and roll backs of template modifications',
  ),
  scenario(
    'a partition makes a canary, and moves on by steps',
    async (world) => {
      const partition = (value: number) => ({ type: 'RollingUpdate', rollingUpdate: { partition: value } });
      await of(world, StatefulSet).create(db(3, { updateStrategy: partition(3) }));
      await untilReady(world, 3);
      await setImage(world, 'db:2');
      await world.rest();
      for (const step of [2, 1]) {
        await of(world, StatefulSet).patch('db', { spec: { updateStrategy: partition(step) } });
        await untilIs(
          world,
          StatefulSet,
          'db',
          'some are updated',
          ({ status }) => status?.updatedReplicas === 3 - step,
        );
        await untilReady(world, 3);
        await world.rest();
      }
      // One of the old that goes comes back as an old one.
      await of(world, Pod).delete('db-0');
      await world.until('it is back', async () => {
        const pods = await livePods(world);
        return pods.length === 3 && pods.every(({ status }) => status?.phase === 'Running');
      });
      await untilReady(world, 3);
      await world.rest();
      await of(world, StatefulSet).patch('db', { spec: { updateStrategy: partition(0) } });
      await untilUpdated(world, 3);
    },
    'StatefulSet Basic StatefulSet functionality [StatefulSetBasic] should perform canary updates and phased rolling updates of template modifications',
  ),
  scenario('a stateful set that updates on delete waits for that', async (world) => {
    await of(world, StatefulSet).create(db(2, { updateStrategy: { type: 'OnDelete' } }));
    await untilReady(world, 2);
    await setImage(world, 'db:2');
    await world.rest();
    const before = (await of(world, Pod).get('db-0')).metadata.uid;
    await of(world, Pod).delete('db-0');
    await world.until('it is back', async () => {
      const pods = await livePods(world);
      return pods.some(({ metadata }) => metadata?.name === 'db-0' && metadata.uid !== before);
    });
    await untilReady(world, 2);
  }),
  scenario(
    'a stateful set creates anew a pod that failed',
    async (world) => {
      await of(world, StatefulSet).create(db(2));
      await untilReady(world, 2);
      const uid = (await of(world, Pod).get('db-0')).metadata.uid;
      world.podsDo(({ metadata }) => (metadata?.uid === uid ? { exitCode: 1 } : 'ready'));
      await world.until('it is another one', async () => {
        const pods = await livePods(world);
        return pods.length === 2 && pods[0]?.metadata?.uid !== uid;
      });
      await untilReady(world, 2);
    },
    'StatefulSet Basic StatefulSet functionality [StatefulSetBasic] Should recreate evicted statefulset',
  ),
  scenario('claims of a stateful set outlive it, unless it says otherwise', async (world) => {
    await of(world, StatefulSet).create(db(2, { volumeClaimTemplates: [data()] }));
    await untilReady(world, 2);
    await of(world, StatefulSet).scale.set('db', 1);
    await untilReady(world, 1);
    await world.rest();
    await untilClaims(world, 'data-db-0', 'data-db-1');
    await of(world, StatefulSet).patch('db', {
      spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' } },
    });
    await of(world, StatefulSet).scale.set('db', 2);
    await untilReady(world, 2);
    await of(world, StatefulSet).scale.set('db', 1);
    await untilReady(world, 1);
    await untilClaims(world, 'data-db-0');
    await of(world, StatefulSet).delete('db', { propagationPolicy: 'Background' });
    await untilNone(world, Pod);
    await untilClaims(world);
  }),
  scenario('the ordinals of a stateful set start where it says', async (world) => {
    await of(world, StatefulSet).create(db(2, { ordinals: { start: 3 } }));
    await untilReady(world, 2);
    await of(world, StatefulSet).patch('db', { spec: { ordinals: { start: 2 } } });
    await world.until('the ordinals are others', async () => {
      const names = (await livePods(world)).map(({ metadata }) => metadata?.name);
      return names.join() === 'db-2,db-3' || names;
    });
    await untilReady(world, 2);
  }),
  scenario(
    'a stateful set keeps the revisions that it may',
    async (world) => {
      await of(world, StatefulSet).create(db(1, { revisionHistoryLimit: 1 }));
      await untilUpdated(world, 1);
      for (const image of ['db:2', 'db:3', 'db:4']) {
        await setImage(world, image);
        await untilUpdated(world, 1);
      }
      await world.until('two revisions are left', async () => {
        const { items } = await of(world, ControllerRevision).list();
        return items.length === 2 || items.map(({ revision }) => revision);
      });
    },
    'ControllerRevision [Serial] should manage the lifecycle of a ControllerRevision',
  ),
  scenario(
    'a stateful set keeps what others write into its status',
    async (world) => {
      await of(world, StatefulSet).create(db(1));
      await untilReady(world, 1);
      await world.rest();
      await of(world, StatefulSet).status.patch(
        'db',
        {
          status: {
            conditions: [{ type: 'StatusUpdate', status: 'True', reason: 'Scenario', message: 'by hand' }],
          },
        },
        { type: 'strategic' },
      );
      await of(world, StatefulSet).scale.set('db', 2);
      await untilReady(world, 2);
    },
    'StatefulSet Basic StatefulSet functionality [StatefulSetBasic] should validate Statefulset Status endpoints',
  ),
  scenario(
    'a collection of stateful sets goes',
    async (world) => {
      await of(world, StatefulSet).create(db(2));
      await untilReady(world, 2);
      await of(world, StatefulSet).deleteCollection({
        labelSelector: 'app=db',
        propagationPolicy: 'Foreground',
      });
      await untilGone(world, StatefulSet, 'db');
      await untilNone(world, ControllerRevision);
    },
    'StatefulSet Basic StatefulSet functionality [StatefulSetBasic] should list, patch and delete a collection of StatefulSets',
  ),
];
