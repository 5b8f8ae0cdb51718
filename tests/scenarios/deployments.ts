// Deployments.
import { findCondition } from '@windlass/apimachinery';
import { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import {
  of,
  type Scenario,
  scenario,
  template,
  untilCondition,
  untilGone,
  untilIs,
  untilNone,
  untilPods,
  type World,
} from './scenario.ts';

const labels = { app: 'web' };

type Spec = NonNullable<Deployment['spec']>;

const web = (replicas: number, more: Partial<Spec> = {}): Deployment => ({
  metadata: { name: 'web', labels },
  spec: { replicas, selector: { matchLabels: labels }, template: template(labels), ...more },
});

const setImage = (world: World, image: string) =>
  of(world, Deployment).patch('web', { spec: { template: template(labels, image) } });

/** As `kubectl rollout status` sees it. */
const rolledOut = (world: World, replicas: number) =>
  untilIs(
    world,
    Deployment,
    'web',
    `${replicas} replicas rolled out`,
    ({ metadata, spec, status }) =>
      spec?.replicas === replicas &&
      status?.observedGeneration === metadata?.generation &&
      (status?.updatedReplicas ?? 0) === replicas &&
      (status?.replicas ?? 0) === replicas &&
      (status?.availableReplicas ?? 0) === replicas &&
      (spec.paused === true ||
        findCondition(status?.conditions, 'Progressing')?.reason === 'NewReplicaSetAvailable'),
  );

const imageOf = ({ spec }: Pod) => spec?.containers[0]?.image;

export const deployments: readonly Scenario[] = [
  scenario(
    'a deployment comes, is scaled, patched and deleted',
    async (world) => {
      await of(world, Deployment).create(web(2));
      await rolledOut(world, 2);
      await of(world, Deployment).scale.set('web', 4);
      await rolledOut(world, 4);
      await of(world, Deployment).patch('web', { metadata: { annotations: { note: 'patched' } } });
      await of(world, Deployment).scale.set('web', 1);
      await rolledOut(world, 1);
      await world.rest();
      await of(world, Deployment).delete('web', { propagationPolicy: 'Background' });
      await untilNone(world, ReplicaSet);
      await untilNone(world, Pod);
    },
    'Deployment should run the lifecycle of a Deployment',
    'Garbage collector should delete RS created by deployment when not orphaning',
  ),
  scenario(
    'a deployment is scaled',
    async (world) => {
      await of(world, Deployment).create(web(1));
      await rolledOut(world, 1);
      await of(world, Deployment).scale.set('web', 3);
      await rolledOut(world, 3);
      await of(world, Deployment).scale.set('web', 0);
      await rolledOut(world, 0);
    },
    'Deployment Deployment should have a working scale subresource',
  ),
  scenario(
    'a rolling update deletes old pods and creates new ones',
    async (world) => {
      await of(world, ReplicaSet).create({
        metadata: { name: 'by-hand', labels },
        spec: { replicas: 1, selector: { matchLabels: labels }, template: template(labels, 'web:0') },
      });
      await untilPods(world, 1);
      await of(world, Deployment).create(web(1));
      await rolledOut(world, 1);
    },
    'Deployment RollingUpdateDeployment should delete old pods and create new ones',
  ),
  scenario('a rolling update of several replicas', async (world) => {
    await of(world, Deployment).create(web(4));
    await rolledOut(world, 4);
    const ready = new Set<string | undefined>();
    world.podsDo((pod) => (imageOf(pod) === 'web:1' || ready.has(pod.metadata?.name) ? 'ready' : 'waits'));
    await setImage(world, 'web:2');
    // One after the other: how many are ready at a look decides on the next step, and would be chance.
    while (ready.size < 4) {
      await world.rest();
      const { items } = await of(world, Pod).list();
      const next = items.find((pod) => imageOf(pod) === 'web:2' && !ready.has(pod.metadata.name));
      if (next === undefined) throw new Error(`no new pod waits after ${ready.size} are ready`);
      ready.add(next.metadata.name);
    }
    await rolledOut(world, 4);
  }),
  scenario(
    'a deployment that recreates never has old and new pods at once',
    async (world) => {
      await of(world, Deployment).create(web(2, { strategy: { type: 'Recreate' } }));
      await rolledOut(world, 2);
      await setImage(world, 'web:2');
      let hadBoth = false;
      await world.until('only new pods run', async () => {
        const { items } = await of(world, Pod).list();
        const images = items.map(imageOf);
        hadBoth ||= new Set(images).size > 1;
        return (images.length === 2 && images.every((image) => image === 'web:2')) || images;
      });
      if (hadBoth) throw new Error('old and new pods were there at once');
      await rolledOut(world, 2);
    },
    'Deployment RecreateDeployment should delete old pods and create new ones',
  ),
  scenario(
    'a deployment deletes old replica sets',
    async (world) => {
      await of(world, Deployment).create(web(1, { revisionHistoryLimit: 0 }));
      await rolledOut(world, 1);
      await setImage(world, 'web:2');
      await rolledOut(world, 1);
      await world.until('one set is left', async () => {
        const { items } = await of(world, ReplicaSet).list();
        return items.length === 1 || items.length;
      });
    },
    'Deployment deployment should delete old replica sets',
  ),
  scenario(
    'a deployment is updated in the middle of an update',
    async (world) => {
      await of(world, Deployment).create(
        web(2, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } }),
      );
      await rolledOut(world, 2);
      world.podsDo((pod) => (imageOf(pod) === 'web:2' ? 'unready' : 'ready'));
      await setImage(world, 'web:2');
      await world.until('a new pod is there', async () =>
        (await of(world, Pod).list()).items.some((pod) => imageOf(pod) === 'web:2'),
      );
      await world.rest();
      await setImage(world, 'web:3');
      await rolledOut(world, 2);
    },
    'Deployment deployment should support rollover',
  ),
  scenario(
    'a deployment in the middle of an update is scaled in proportion',
    async (world) => {
      world.podsDo((pod) => (imageOf(pod) === 'web:2' ? 'unready' : 'ready'));
      await of(world, Deployment).create(
        web(10, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } }),
      );
      await rolledOut(world, 10);
      await setImage(world, 'web:2');
      await untilPods(world, 13);
      await world.rest();
      await of(world, Deployment).scale.set('web', 30);
      await untilPods(world, 33);
    },
    'Deployment deployment should support proportional scaling',
  ),
  scenario('a paused deployment is scaled but not rolled', async (world) => {
    await of(world, Deployment).create(web(1));
    await rolledOut(world, 1);
    await of(world, Deployment).patch('web', { spec: { paused: true } });
    await untilIs(
      world,
      Deployment,
      'web',
      'paused',
      ({ metadata, status }) =>
        status?.observedGeneration === metadata?.generation &&
        findCondition(status?.conditions, 'Progressing')?.reason === 'DeploymentPaused',
    );
    await of(world, Deployment).scale.set('web', 2);
    await untilPods(world, 2);
    await setImage(world, 'web:2');
    await world.rest();
    await of(world, Deployment).patch('web', { spec: { paused: false } });
    await rolledOut(world, 2);
  }),
  scenario('a deployment that makes no progress says so, and that it does again', async (world) => {
    world.podsDo(() => 'unready');
    await of(world, Deployment).create(web(1, { progressDeadlineSeconds: 2 }));
    await untilCondition(world, Deployment, 'web', 'Progressing', 'ProgressDeadlineExceeded');
    world.podsDo(() => 'ready');
    await rolledOut(world, 1);
  }),
  scenario('a deployment goes back to an earlier template', async (world) => {
    await of(world, Deployment).create(web(2));
    await rolledOut(world, 2);
    await setImage(world, 'web:2');
    await rolledOut(world, 2);
    await setImage(world, 'web:1');
    await rolledOut(world, 2);
  }),
  scenario('a deployment adopts a replica set with its template', async (world) => {
    await of(world, ReplicaSet).create({
      metadata: { name: 'by-hand', labels },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: template(labels) },
    });
    await untilPods(world, 1);
    await of(world, Deployment).create(web(2));
    await rolledOut(world, 2);
  }),
  scenario('a deployment lets a replica set go that does not match any more', async (world) => {
    await of(world, Deployment).create(web(1));
    await rolledOut(world, 1);
    const [set] = (await of(world, ReplicaSet).list()).items;
    const name = set?.metadata?.name ?? '';
    await of(world, ReplicaSet).patch(name, { metadata: { labels: { app: 'other' } } });
    await world.until('nobody owns it', async () => {
      const { metadata } = await of(world, ReplicaSet).get(name);
      return metadata?.ownerReferences === undefined || metadata.ownerReferences;
    });
    await world.rest();
    await of(world, ReplicaSet).patch(name, { metadata: { labels: { app: 'web' } } });
    await world.until('it is owned again', async () => {
      const { metadata } = await of(world, ReplicaSet).get(name);
      return metadata?.ownerReferences?.length === 1;
    });
    await rolledOut(world, 1);
  }),
  scenario(
    'a deployment keeps what others write into its status',
    async (world) => {
      await of(world, Deployment).create(web(1));
      await rolledOut(world, 1);
      await world.rest();
      await of(world, Deployment).status.patch(
        'web',
        {
          status: {
            conditions: [{ type: 'StatusUpdate', status: 'True', reason: 'Scenario', message: 'by hand' }],
          },
        },
        { type: 'strategic' },
      );
      await of(world, Deployment).scale.set('web', 2);
      await rolledOut(world, 2);
    },
    'Deployment should validate Deployment Status endpoints',
  ),
  scenario(
    'a deployment that is orphaned leaves its replica set',
    async (world) => {
      await of(world, Deployment).create(web(2));
      await rolledOut(world, 2);
      await of(world, Deployment).delete('web', { propagationPolicy: 'Orphan' });
      await untilGone(world, Deployment, 'web');
      await world.until('nobody owns the set', async () =>
        (await of(world, ReplicaSet).list()).items.every(
          ({ metadata }) => metadata?.ownerReferences === undefined,
        ),
      );
      await untilPods(world, 2);
    },
    'Garbage collector should orphan RS created by deployment when deleteOptions.PropagationPolicy is Orphan',
  ),
  scenario('a deployment with a minimum of ready seconds', async (world) => {
    await of(world, Deployment).create(web(2, { minReadySeconds: 1 }));
    await rolledOut(world, 2);
    await setImage(world, 'web:2');
    await rolledOut(world, 2);
  }),
  scenario('a deployment whose selector matches everything of another keeps to its own', async (world) => {
    await of(world, Deployment).create(web(1));
    await rolledOut(world, 1);
    await of(world, Deployment).create({
      metadata: { name: 'other' },
      spec: { replicas: 2, selector: { matchLabels: labels }, template: template(labels, 'other:1') },
    });
    await untilCondition(world, Deployment, 'other', 'Available');
    await untilPods(world, 3);
  }),
];
