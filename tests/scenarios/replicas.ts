// Replica sets and replication controllers.
import { isForbidden } from '@windlass/apimachinery';
import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Pod, ReplicationController, ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import {
  livePods,
  of,
  type Scenario,
  scenario,
  template,
  untilCondition,
  untilGone,
  untilIs,
  untilNone,
  untilPods,
  untilSeen,
  type World,
} from './scenario.ts';

const labels = { app: 'web' };

const set = (replicas: number, more: Partial<NonNullable<ReplicaSet['spec']>> = {}): ReplicaSet => ({
  metadata: { name: 'web', labels },
  spec: { replicas, selector: { matchLabels: labels }, template: template(labels), ...more },
});

const controller = (replicas: number): ReplicationController => ({
  metadata: { name: 'web' },
  spec: { replicas, selector: labels, template: template(labels) },
});

const untilReady = (world: World, count: number) =>
  untilIs(world, ReplicaSet, 'web', `${count} ready`, ({ status }) => status?.readyReplicas === count);

const stray = (): Pod => ({
  metadata: { name: 'stray', labels },
  spec: template(labels).spec ?? { containers: [] },
});

const ownersOf = async (world: World, name: string) =>
  (await of(world, Pod).get(name)).metadata?.ownerReferences;

export const replicas: readonly Scenario[] = [
  scenario(
    'a replica set is scaled up and down',
    async (world) => {
      await of(world, ReplicaSet).create(set(1));
      await untilReady(world, 1);
      await of(world, ReplicaSet).scale.set('web', 3);
      await untilReady(world, 3);
      await of(world, ReplicaSet).scale.set('web', 2);
      await untilReady(world, 2);
      await untilPods(world, 2);
    },
    'ReplicaSet Replicaset should have a working scale subresource',
    'ReplicaSet should serve a basic image on each replica with a public image',
  ),
  scenario(
    'a replica set is replaced and patched',
    async (world) => {
      await of(world, ReplicaSet).create(set(1));
      await untilReady(world, 1);
      await of(world, ReplicaSet).patch('web', {
        metadata: { labels: { app: 'patched' } },
        spec: { replicas: 2, template: { metadata: { labels: { more: 'yes' } } } },
      });
      await untilReady(world, 2);
    },
    'ReplicaSet Replace and Patch tests',
  ),
  scenario(
    'a replica set adopts a pod that matches, and lets go one that does not any more',
    async (world) => {
      await untilSeen(world, await of(world, Pod).create(stray()));
      await of(world, ReplicaSet).create(set(1));
      await world.until('the pod is adopted', async () => (await ownersOf(world, 'stray'))?.length === 1);
      await untilReady(world, 1);
      await of(world, Pod).patch('stray', { metadata: { labels: { app: 'other' } } });
      await world.until('the pod is let go', async () => (await ownersOf(world, 'stray')) === undefined);
      await untilPods(world, 2);
      await untilReady(world, 1);
    },
    'ReplicaSet should adopt matching pods on creation and release no longer matching pods',
  ),
  scenario(
    'a collection of replica sets goes, and their pods with them',
    async (world) => {
      await of(world, ReplicaSet).create(set(2));
      await untilReady(world, 2);
      await of(world, ReplicaSet).deleteCollection({
        labelSelector: 'app=web',
        propagationPolicy: 'Background',
      });
      await untilNone(world, Pod);
    },
    'ReplicaSet should list and delete a collection of ReplicaSets',
  ),
  scenario(
    'a replica set keeps what others write into its status',
    async (world) => {
      await of(world, ReplicaSet).create(set(1));
      await untilReady(world, 1);
      await world.rest();
      await of(world, ReplicaSet).status.patch('web', {
        status: {
          conditions: [{ type: 'StatusUpdate', status: 'True', reason: 'Scenario', message: 'set by hand' }],
        },
      });
      await of(world, ReplicaSet).scale.set('web', 2);
      await untilReady(world, 2);
    },
    'ReplicaSet should validate Replicaset Status endpoints',
  ),
  scenario('a replica set takes away first what costs least', async (world) => {
    world.podsDo(({ metadata }) => (metadata?.labels?.['mark'] === 'unready' ? 'unready' : 'ready'));
    await of(world, ReplicaSet).create(set(4));
    await untilReady(world, 4);
    const marks = ['cheap', 'dear', 'unready', 'plain'];
    for (const [index, pod] of (await livePods(world)).entries())
      await of(world, Pod).patch(pod.metadata?.name ?? '', {
        metadata: {
          labels: { mark: marks[index] ?? '' },
          annotations: {
            'controller.kubernetes.io/pod-deletion-cost':
              { cheap: '-5', dear: '10' }[marks[index] ?? ''] ?? '0',
          },
        },
      });
    await untilReady(world, 3);
    await of(world, ReplicaSet).scale.set('web', 1);
    await untilPods(world, 1);
  }),
  scenario('a replica set replaces pods that failed', async (world) => {
    await of(world, ReplicaSet).create(set(2));
    await untilReady(world, 2);
    const [victim] = await livePods(world);
    const uid = victim?.metadata?.uid;
    world.podsDo(({ metadata }) => (metadata?.uid === uid ? { exitCode: 3 } : 'ready'));
    await world.until('another pod is there', async () => {
      const pods = await livePods(world);
      return (pods.length === 2 && pods.every(({ metadata }) => metadata?.uid !== uid)) || pods.length;
    });
    await untilReady(world, 2);
  }),
  scenario('pods of a replica set are available after they were ready for some time', async (world) => {
    await of(world, ReplicaSet).create(set(2, { minReadySeconds: 2 }));
    await untilReady(world, 2);
    await untilIs(world, ReplicaSet, 'web', 'available', ({ status }) => status?.availableReplicas === 2);
  }),
  scenario('a replica set does not take the pods of another', async (world) => {
    await of(world, ReplicaSet).create(set(1));
    await untilReady(world, 1);
    const other = set(2);
    await of(world, ReplicaSet).create({ ...other, metadata: { name: 'other' } });
    await untilIs(world, ReplicaSet, 'other', '2 ready', ({ status }) => status?.readyReplicas === 2);
    await untilPods(world, 3);
  }),
  scenario('a replica set whose pods are all gone at once has them again', async (world) => {
    await of(world, ReplicaSet).create(set(3));
    await untilReady(world, 3);
    const before = await livePods(world);
    await of(world, Pod).deleteCollection({ labelSelector: 'app=web' });
    await world.until('all are new', async () => {
      const pods = await livePods(world);
      const old = new Set(before.map(({ metadata }) => metadata?.uid));
      return (pods.length === 3 && pods.every(({ metadata }) => !old.has(metadata?.uid))) || pods.length;
    });
    await untilReady(world, 3);
  }),
  scenario(
    'a replication controller is scaled, adopts and lets go',
    async (world) => {
      await untilSeen(world, await of(world, Pod).create(stray()));
      await of(world, ReplicationController).create(controller(1));
      await world.until('the pod is adopted', async () => (await ownersOf(world, 'stray'))?.length === 1);
      await of(world, ReplicationController).scale.set('web', 2);
      await untilPods(world, 2);
      await of(world, Pod).patch('stray', { metadata: { labels: { app: 'other' } } });
      await world.until('the pod is let go', async () => (await ownersOf(world, 'stray')) === undefined);
      await untilPods(world, 3);
      await untilIs(
        world,
        ReplicationController,
        'web',
        '2 ready',
        ({ status }) => status?.readyReplicas === 2,
      );
    },
    'ReplicationController should adopt matching pods on creation',
    'ReplicationController should release no longer matching pods',
    'ReplicationController should get and update a ReplicationController scale',
    'ReplicationController should test the lifecycle of a ReplicationController',
  ),
  scenario(
    'a replication controller says that a quota is in its way, until it is not',
    async (world) => {
      await of(world, ResourceQuota).create({ metadata: { name: 'two' }, spec: { hard: { pods: '2' } } });
      // The server lets nothing in before the quota controller has counted.
      await world.until('the quota holds', async () => {
        try {
          await of(world, Pod).create({ ...stray(), metadata: { name: 'probe' } }, { dryRun: true });
          return true;
        } catch (error) {
          if (isForbidden(error)) return String(error);
          throw error;
        }
      });
      await of(world, ReplicationController).create(controller(3));
      await untilCondition(world, ReplicationController, 'web', 'ReplicaFailure');
      await of(world, ReplicationController).scale.set('web', 2);
      await untilIs(
        world,
        ReplicationController,
        'web',
        'no failure',
        ({ status }) => status?.readyReplicas === 2 && (status.conditions ?? []).length === 0,
      );
    },
    'ReplicationController should surface a failure condition on a common issue like exceeded quota',
  ),
  scenario('a replica set that is deleted and orphaned leaves its pods', async (world) => {
    await of(world, ReplicaSet).create(set(2));
    await untilReady(world, 2);
    await of(world, ReplicaSet).delete('web', { propagationPolicy: 'Orphan' });
    await untilGone(world, ReplicaSet, 'web');
    await world.until('nobody owns them', async () =>
      (await livePods(world)).every(({ metadata }) => metadata?.ownerReferences === undefined),
    );
    // A set of the same selector takes them over.
    await of(world, ReplicaSet).create(set(2));
    await untilReady(world, 2);
    await untilPods(world, 2);
  }),
];
