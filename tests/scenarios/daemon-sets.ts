// Daemon sets, each on nodes of its own.
import { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import {
  livePods,
  of,
  type Scenario,
  scenario,
  template,
  untilGone,
  untilIs,
  untilNone,
  type World,
} from './scenario.ts';

const labels = { app: 'agent' };
const LABEL = 'example.com/scenario';

type Spec = NonNullable<DaemonSet['spec']>;

const agent = ({ namespace }: World, more: Partial<Spec> = {}, image = 'agent:1'): DaemonSet => ({
  metadata: { name: 'agent', labels },
  spec: {
    selector: { matchLabels: labels },
    template: template(labels, image, { nodeSelector: { [LABEL]: namespace } }),
    ...more,
  },
});

const setImage = (world: World, image: string) =>
  of(world, DaemonSet).patch('agent', {
    spec: { template: { spec: { containers: [{ name: 'main', image }] } } },
  });

const node = (world: World, suffix: string) => world.makeNode(suffix, { [LABEL]: world.namespace });

const untilReady = (world: World, count: number) =>
  untilIs(
    world,
    DaemonSet,
    'agent',
    `${count} ready`,
    ({ metadata, status }) =>
      status?.observedGeneration === metadata?.generation &&
      status?.desiredNumberScheduled === count &&
      status.numberReady === count &&
      (status.updatedNumberScheduled ?? 0) === count,
  );

export const daemonSets: readonly Scenario[] = [
  scenario(
    'a daemon set has a pod on each node, and has it again',
    async (world) => {
      await node(world, 'a');
      await node(world, 'b');
      await of(world, DaemonSet).create(agent(world));
      await untilReady(world, 2);
      const [first] = await livePods(world);
      await of(world, Pod).delete(first?.metadata?.name ?? '');
      await world.until('another is there', async () => {
        const pods = await livePods(world);
        return (
          (pods.length === 2 && pods.every(({ metadata }) => metadata?.uid !== first?.metadata?.uid)) ||
          pods.length
        );
      });
      await untilReady(world, 2);
    },
    'Daemon set [Serial] should run and stop simple daemon',
  ),
  scenario(
    'a daemon set follows the labels of nodes, and the node that it selects',
    async (world) => {
      const name = await world.makeNode('a');
      await of(world, DaemonSet).create(agent(world));
      await world.rest();
      await world.client.resource(Node).patch(name, { metadata: { labels: { [LABEL]: world.namespace } } });
      await untilReady(world, 1);
      await world.client.resource(Node).patch(name, { metadata: { labels: { [LABEL]: 'other' } } });
      await untilNone(world, Pod);
      await of(world, DaemonSet).patch('agent', {
        spec: {
          template: { spec: { nodeSelector: { [LABEL]: 'other' } } },
          updateStrategy: { type: 'RollingUpdate' },
        },
      });
      await world.client.resource(Node).patch(name, { metadata: { labels: { [LABEL]: world.namespace } } });
      await world.rest();
    },
    'Daemon set [Serial] should run and stop complex daemon',
  ),
  scenario(
    'a daemon set creates anew a pod that failed',
    async (world) => {
      await node(world, 'a');
      await of(world, DaemonSet).create(agent(world));
      await untilReady(world, 1);
      const [first] = await livePods(world);
      world.podsDo(({ metadata }) => (metadata?.uid === first?.metadata?.uid ? { exitCode: 1 } : 'ready'));
      await world.until('another is there', async () => {
        const pods = await livePods(world);
        return (pods.length === 1 && pods[0]?.metadata?.uid !== first?.metadata?.uid) || pods.length;
      });
      await untilReady(world, 1);
    },
    'Daemon set [Serial] should retry creating failed daemon pods',
  ),
  scenario(
    'a daemon set is updated node by node',
    async (world) => {
      await node(world, 'a');
      await node(world, 'b');
      await of(world, DaemonSet).create(agent(world));
      await untilReady(world, 2);
      await setImage(world, 'agent:2');
      await untilReady(world, 2);
    },
    'Daemon set [Serial] should update pod when spec was updated and update strategy is RollingUpdate',
  ),
  scenario(
    'a daemon set goes back without restarting who was not updated',
    async (world) => {
      world.podsDo(({ spec }) => (spec?.containers[0]?.image === 'agent:2' ? 'unready' : 'ready'));
      await node(world, 'a');
      await node(world, 'b');
      await of(world, DaemonSet).create(agent(world));
      await untilReady(world, 2);
      const before = new Set((await livePods(world)).map(({ metadata }) => metadata?.uid));
      await setImage(world, 'agent:2');
      await world.until('one is updated', async () =>
        (await livePods(world)).some(({ spec }) => spec?.containers[0]?.image === 'agent:2'),
      );
      await world.rest();
      await setImage(world, 'agent:1');
      await untilReady(world, 2);
      const kept = (await livePods(world)).filter(({ metadata }) => before.has(metadata?.uid));
      if (kept.length !== 1) throw new Error(`${kept.length} pods were not restarted, but one should`);
    },
    'Daemon set [Serial] should rollback without unnecessary restarts',
  ),
  scenario('a daemon set with a surge starts the new before it ends the old', async (world) => {
    await node(world, 'a');
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    await of(world, DaemonSet).create(agent(world, { updateStrategy }));
    await untilReady(world, 1);
    await setImage(world, 'agent:2');
    await untilReady(world, 1);
  }),
  scenario('a daemon set that updates on delete waits for that', async (world) => {
    await node(world, 'a');
    await of(world, DaemonSet).create(agent(world, { updateStrategy: { type: 'OnDelete' } }));
    await untilReady(world, 1);
    await setImage(world, 'agent:2');
    await world.rest();
    const [first] = await livePods(world);
    await of(world, Pod).delete(first?.metadata?.name ?? '');
    await untilReady(world, 1);
  }),
  scenario('a daemon set keeps away from a node whose taint it does not tolerate', async (world) => {
    const name = await node(world, 'a');
    await node(world, 'b');
    await world.client
      .resource(Node)
      .patch(name, { spec: { taints: [{ key: 'example.com/own', effect: 'NoSchedule' }] } });
    await of(world, DaemonSet).create(agent(world));
    await untilReady(world, 1);
    await of(world, DaemonSet).patch('agent', {
      spec: { template: { spec: { tolerations: [{ key: 'example.com/own', operator: 'Exists' }] } } },
    });
    await untilReady(world, 2);
  }),
  scenario('a daemon set that is deleted in the foreground waits for its pods', async (world) => {
    await node(world, 'a');
    await of(world, DaemonSet).create(agent(world));
    await untilReady(world, 1);
    await of(world, DaemonSet).delete('agent', { propagationPolicy: 'Foreground' });
    await untilGone(world, DaemonSet, 'agent');
    await untilNone(world, Pod);
  }),
];
