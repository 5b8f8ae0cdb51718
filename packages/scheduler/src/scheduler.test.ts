// The scheduler on the embedded server: where pods go, why they wait, and who makes room.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, isNotFound } from '@windlass/apimachinery';
import { Namespace, Node, Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import { PriorityClass } from '@windlass/apimachinery/api/scheduling/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import type { FilterPlugin } from './framework/plugin.ts';
import { DEFAULT_FILTERS } from './plugins/default-plugins.ts';
import { Scheduler, type SchedulerOptions } from './scheduler.ts';

interface Scheduling {
  readonly cluster: TestCluster;
  readonly faults: ReturnType<TestCluster['manager']>['faults'];
  readonly manager: ReturnType<TestCluster['manager']>['manager'];
}

async function startScheduling(options: SchedulerOptions = {}): Promise<Scheduling & AsyncDisposable> {
  const cluster = await startTestCluster();
  const { manager, faults } = cluster.manager();
  await manager.add(new Scheduler(manager, options));
  await manager.start();
  return { cluster, faults, manager, [Symbol.asyncDispose]: () => cluster.stop() };
}

const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const nodes = (cluster: TestCluster) => cluster.client.resource(Node);

async function addNode(
  cluster: TestCluster,
  name: string,
  more: { cpu?: string; labels?: Record<string, string>; taints?: NonNullable<Node['spec']>['taints'] } = {},
): Promise<void> {
  const { cpu = '4', labels = {}, taints = [] } = more;
  await nodes(cluster).create({ metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } } });
  const allocatable = { cpu, memory: '16Gi', pods: '10' };
  await nodes(cluster).status.patch(name, {
    status: { allocatable, capacity: allocatable, conditions: [{ type: 'Ready', status: 'True' }] },
  });
  // The part of the node lifecycle controller: a node that is ready takes pods.
  await nodes(cluster).patch(name, { spec: { taints } }, { type: 'merge' });
}

async function addPod(
  cluster: TestCluster,
  name: string,
  spec: Partial<PodSpec> & { cpu?: string; labels?: Record<string, string> } = {},
): Promise<void> {
  const { cpu = '0', labels = {}, ...rest } = spec;
  await pods(cluster).create({
    metadata: { name, labels },
    spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu } } }], ...rest },
  });
  await cluster.settled();
}

const nodeOf = async (cluster: TestCluster, name: string): Promise<string | undefined> =>
  (await pods(cluster).get(name)).spec?.nodeName;
const whyNot = async (cluster: TestCluster, name: string): Promise<string | undefined> =>
  findCondition((await pods(cluster).get(name)).status?.conditions, 'PodScheduled')?.message;

describe('a pod', () => {
  it('goes to a node that has room for it, and an event says so', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await addNode(cluster, 'small', { cpu: '1' });
    await addNode(cluster, 'big', { cpu: '8' });
    await addPod(cluster, 'web', { cpu: '2' });
    assert.equal(await nodeOf(cluster, 'web'), 'big');
    const events = await cluster.client.resource(Event).namespace('default').list();
    assert.equal(events.items[0]?.note, 'Successfully assigned default/web to big');
  });

  it('waits with the reason of each node, and is scheduled when one is free', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await addNode(cluster, 'a', { cpu: '1' });
    await addNode(cluster, 'b', { cpu: '2', taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] });
    await addNode(cluster, 'c', { cpu: '2' });
    await addPod(cluster, 'first', { cpu: '2' });
    assert.equal(await nodeOf(cluster, 'first'), 'c');
    await addPod(cluster, 'second', { cpu: '2' });
    assert.equal(
      await whyNot(cluster, 'second'),
      '0/3 nodes are available: 1 node(s) had untolerated taint {gpu: yes}, 2 Insufficient cpu. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.',
    );
    await pods(cluster).delete('first', { gracePeriodSeconds: 0 });
    await cluster.advance(1000);
    assert.equal(await nodeOf(cluster, 'second'), 'c');
  });
});

describe('a pod goes only where it may', () => {
  const zones = async (cluster: TestCluster): Promise<void> => {
    await addNode(cluster, 'a1', { labels: { zone: 'a', disk: 'ssd' } });
    await addNode(cluster, 'a2', { labels: { zone: 'a' } });
    await addNode(cluster, 'b1', { labels: { zone: 'b' } });
  };

  it('by its selector, its affinity and taints', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await zones(cluster);
    await addPod(cluster, 'selected', { nodeSelector: { disk: 'ssd' } });
    assert.equal(await nodeOf(cluster, 'selected'), 'a1');
    const terms = [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }];
    await addPod(cluster, 'attracted', {
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
      },
    });
    assert.equal(await nodeOf(cluster, 'attracted'), 'b1');
    await nodes(cluster).patch('b1', { spec: { unschedulable: true } });
    await addPod(cluster, 'late', { nodeSelector: { zone: 'b' } });
    assert.equal(
      await whyNot(cluster, 'late'),
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    );
    await nodes(cluster).patch('b1', { spec: { unschedulable: null } }, { type: 'merge' });
    await cluster.advance(1000);
    assert.equal(await nodeOf(cluster, 'late'), 'b1');
  });

  it('by the ports of the node', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await addNode(cluster, 'only');
    const containers = [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80, hostPort: 8080 }] }];
    await addPod(cluster, 'first', { containers });
    await addPod(cluster, 'second', { containers });
    assert.equal(await nodeOf(cluster, 'first'), 'only');
    assert.match(
      (await whyNot(cluster, 'second')) ?? '',
      /^0\/1 nodes are available: 1 node\(s\) didn't have free ports for the requested pod ports\./,
    );
  });

  it('by other pods, of its own and of other namespaces', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await zones(cluster);
    await cluster.client.resource(Namespace).patch('default', { metadata: { labels: { team: 'x' } } });
    const near = (app: string, more: object = {}) => ({
      labelSelector: { matchLabels: { app } },
      topologyKey: 'zone',
      ...more,
    });
    await addPod(cluster, 'db', { labels: { app: 'db' }, nodeSelector: { zone: 'b' } });
    await addPod(cluster, 'web', {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            near('db', { namespaceSelector: { matchLabels: { team: 'x' } } }),
          ],
        },
      },
    });
    assert.equal(await nodeOf(cluster, 'web'), 'b1');
    await addPod(cluster, 'loner', {
      labels: { app: 'loner' },
      affinity: {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near('db'), near('loner')] },
      },
    });
    assert.match((await nodeOf(cluster, 'loner')) ?? '', /^a/);
    await addPod(cluster, 'loner-2', {
      labels: { app: 'loner' },
      affinity: {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near('db'), near('loner')] },
      },
    });
    assert.match(
      (await whyNot(cluster, 'loner-2')) ?? '',
      /^0\/3 nodes are available: 3 node\(s\) didn't match pod anti-affinity rules\./,
    );
    // The anti-affinity of those that run counts for those that come.
    await addPod(cluster, 'guest', { labels: { app: 'loner' }, nodeSelector: { zone: 'a' } });
    assert.match(
      (await whyNot(cluster, 'guest')) ?? '',
      /2 node\(s\) didn't satisfy existing pods anti-affinity rules/,
    );
    // The first of a group has nobody to join.
    await addPod(cluster, 'group', {
      labels: { app: 'group' },
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near('group')] } },
    });
    assert.notEqual(await nodeOf(cluster, 'group'), undefined);
  });

  it('by how its like are spread', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await zones(cluster);
    const spread = {
      labels: { app: 'web' },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    };
    for (let index = 0; index < 6; index++) await addPod(cluster, `web-${index}`, spread);
    const places = await Promise.all(
      Array.from({ length: 6 }, (_, index) => nodeOf(cluster, `web-${index}`)),
    );
    assert.equal(places.filter((name) => name === 'b1').length, 3);
    await nodes(cluster).patch('b1', { spec: { unschedulable: true } });
    await addPod(cluster, 'web-6', spread);
    await addPod(cluster, 'web-7', spread);
    assert.match(
      (await whyNot(cluster, 'web-7')) ?? '',
      /2 node\(s\) didn't match pod topology spread constraints/,
    );
  });
});

describe('the queue', () => {
  it('holds gated pods back, and leaves those of other schedulers alone', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await addNode(cluster, 'only');
    await addPod(cluster, 'gated', { schedulingGates: [{ name: 'windlass.dev/hold' }] });
    await addPod(cluster, 'foreign', { schedulerName: 'somebody' });
    await cluster.advance(600_000);
    assert.equal(await nodeOf(cluster, 'gated'), undefined);
    assert.equal(await nodeOf(cluster, 'foreign'), undefined);
    await pods(cluster).patch('gated', { spec: { schedulingGates: [] } }, { type: 'merge' });
    await cluster.settled();
    assert.equal(await nodeOf(cluster, 'gated'), 'only');
  });

  it('lets the important first', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await cluster.client
      .resource(PriorityClass)
      .create({ metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' });
    await addPod(cluster, 'low', { cpu: '3' });
    await addPod(cluster, 'high', { cpu: '3', priorityClassName: 'high' });
    assert.equal(await whyNot(cluster, 'low'), 'no nodes available to schedule pods');
    await addNode(cluster, 'only');
    await cluster.advance(10_000);
    assert.equal(await nodeOf(cluster, 'high'), 'only');
    assert.equal(await nodeOf(cluster, 'low'), undefined);
  });

  it('does not try without cause, and at last all the same', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await addNode(cluster, 'only', { cpu: '1' });
    await addPod(cluster, 'big', { cpu: '2' });
    const attempts = async (): Promise<number> => {
      const { items } = await cluster.client.resource(Event).namespace('default').list();
      return items
        .filter(({ reason }) => reason === 'FailedScheduling')
        .reduce((sum, { series }) => sum + (series?.count ?? 1), 0);
    };
    await cluster.advance(200_000);
    assert.equal(await attempts(), 1);
    // Heartbeats concern nobody.
    await nodes(cluster).status.patch('only', {
      status: { conditions: [{ type: 'Ready', status: 'True', message: 'well' }] },
    });
    await cluster.advance(50_000);
    assert.equal(await attempts(), 1);
    await cluster.advance(50_000);
    assert.equal(await attempts(), 2);
  });

  it('tries again when a binding fails, and forgets what it assumed', async () => {
    await using scheduling = await startScheduling();
    const { cluster, faults } = scheduling;
    await addNode(cluster, 'only', { cpu: '2' });
    faults.fail({ method: 'POST', path: /binding/, answer: { code: 403, reason: 'Forbidden' } });
    await addPod(cluster, 'web', { cpu: '2' });
    assert.equal(await nodeOf(cluster, 'web'), undefined);
    await cluster.advance(1000);
    assert.equal(await nodeOf(cluster, 'web'), 'only');
  });

  it('decides anew when a binding was lost on its way', async () => {
    await using scheduling = await startScheduling();
    const { cluster, faults } = scheduling;
    await addNode(cluster, 'only', { cpu: '2' });
    faults.fail({ method: 'POST', path: /binding/, answer: 'lost' });
    await addPod(cluster, 'web', { cpu: '2' });
    assert.equal(await nodeOf(cluster, 'web'), undefined);
    await cluster.advance(1000);
    assert.equal(await nodeOf(cluster, 'web'), 'only');
  });

  it('counts a pod whose binding took effect although its answer was lost, and its event is late', async () => {
    await using scheduling = await startScheduling();
    const { cluster, faults } = scheduling;
    for (const name of ['one', 'two']) await addPod(cluster, name, { cpu: '2' });
    using _held = faults.holdWatches({ path: '/api/v1/pods' });
    faults.fail({ method: 'POST', path: /binding/, answer: 'lost', afterwards: true });
    // Nor does who asks where the pod is hear so at once.
    faults.fail({ method: 'GET', path: /pods/, answer: 'lost', times: 3 });
    await addNode(cluster, 'only', { cpu: '2' });
    await cluster.advance(10_000);
    const bound = (await pods(cluster).list()).items.filter(({ spec }) => spec?.nodeName === 'only');
    assert.equal(bound.length, 1);
    const [{ status, metadata } = { status: {}, metadata: { name: '' } }] = bound;
    assert.equal(findCondition(status?.conditions, 'PodScheduled')?.status, 'True', metadata.name);
  });

  it('goes on when a plugin throws', async () => {
    let isBroken = true;
    const broken: FilterPlugin = {
      name: 'Broken',
      events: [],
      filter({ key }) {
        if (isBroken && key === 'default/poison') throw new TypeError('out of order');
        return undefined;
      },
    };
    await using scheduling = await startScheduling({ filters: [...DEFAULT_FILTERS, broken] });
    const { cluster } = scheduling;
    await addNode(cluster, 'only');
    await addPod(cluster, 'poison');
    await addPod(cluster, 'web');
    assert.equal(await nodeOf(cluster, 'web'), 'only');
    const { conditions } = (await pods(cluster).get('poison')).status ?? {};
    assert.deepEqual(
      [findCondition(conditions, 'PodScheduled')?.reason, findCondition(conditions, 'PodScheduled')?.message],
      ['SchedulerError', 'out of order'],
    );
    isBroken = false;
    await cluster.advance(1000);
    assert.equal(await nodeOf(cluster, 'poison'), 'only');
  });

  it('counts pods whose binding the cache has not seen', async () => {
    await using scheduling = await startScheduling();
    const { cluster, faults } = scheduling;
    await addNode(cluster, 'only', { cpu: '2' });
    await cluster.settled();
    for (const name of ['one', 'two', 'three'])
      await pods(cluster).create({
        metadata: { name },
        spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '1' } } }] },
      });
    await cluster.settled();
    const bound = (await pods(cluster).list()).items.filter(({ spec }) => spec?.nodeName === 'only');
    assert.equal(bound.length, 2);
    assert.ok(faults.isQuiet);
  });

  it('finds everything again when it is started anew', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await addPod(cluster, 'web');
    const stopped = scheduling.manager.stop();
    await cluster.clock.advance(0);
    await stopped;
    await addNode(cluster, 'only');
    const { manager } = cluster.manager();
    await manager.add(new Scheduler(manager));
    await manager.start();
    await cluster.settled();
    assert.equal(await nodeOf(cluster, 'web'), 'only');
  });
});

describe('metrics', () => {
  it('say what was tried, and what waits', async () => {
    await using scheduling = await startScheduling();
    const { cluster, manager } = scheduling;
    await addNode(cluster, 'only', { cpu: '1' });
    await addPod(cluster, 'small', { cpu: '1' });
    await addPod(cluster, 'big', { cpu: '2' });
    const text = manager.metrics.expose();
    const profile = 'profile="default-scheduler"';
    assert.ok(text.includes(`scheduler_schedule_attempts_total{${profile},result="scheduled"} 1`), text);
    assert.ok(text.includes(`scheduler_schedule_attempts_total{${profile},result="unschedulable"} 1`));
    assert.ok(text.includes('scheduler_pending_pods{queue="unschedulable"} 1'));
  });
});

describe('an important pod', () => {
  const prepare = async (cluster: TestCluster): Promise<void> => {
    const classes = cluster.client.resource(PriorityClass);
    await classes.create({ metadata: { name: 'high' }, value: 1000 });
    await classes.create({ metadata: { name: 'middle' }, value: 500 });
  };

  it('makes the less important give way, where that does least harm', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await prepare(cluster);
    await addNode(cluster, 'a', { cpu: '2' });
    await addNode(cluster, 'b', { cpu: '2' });
    await addPod(cluster, 'middle', { cpu: '2', priorityClassName: 'middle' });
    await addPod(cluster, 'low', { cpu: '2' });
    const place = await nodeOf(cluster, 'low');
    await addPod(cluster, 'high', { cpu: '2', priorityClassName: 'high' });
    assert.equal((await pods(cluster).get('high')).status?.nominatedNodeName, place);
    const victim = await pods(cluster).get('low');
    assert.notEqual(victim.metadata?.deletionTimestamp, undefined);
    assert.equal(
      findCondition(victim.status?.conditions, 'DisruptionTarget')?.reason,
      'PreemptionByScheduler',
    );
    // Nobody else takes the room that is being made.
    await addPod(cluster, 'thief', { cpu: '2' });
    await pods(cluster).delete('low', { gracePeriodSeconds: 0 });
    await cluster.advance(10_000);
    assert.equal(await nodeOf(cluster, 'high'), place);
    assert.equal(await nodeOf(cluster, 'thief'), undefined);
    assert.ok(await nodeOf(cluster, 'middle'));
  });

  it('does not keep another one from the room that was made for it, nor is kept from it', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await prepare(cluster);
    await addNode(cluster, 'only', { cpu: '4' });
    await addPod(cluster, 'small', { cpu: '1' });
    await addPod(cluster, 'large', { cpu: '3' });
    for (const [name, cpu] of [
      ['first', '2'],
      ['second', '2'],
      ['third', '4'],
    ] as const)
      await addPod(cluster, name, { cpu, priorityClassName: 'high' });
    // As its node does with each of them.
    for (const { metadata } of (await pods(cluster).list()).items)
      if (metadata.deletionTimestamp !== undefined)
        await pods(cluster).delete(metadata.name, { gracePeriodSeconds: 0 });
    await cluster.advance(20_000);
    assert.deepEqual(
      [await nodeOf(cluster, 'first'), await nodeOf(cluster, 'second'), await nodeOf(cluster, 'third')],
      ['only', 'only', undefined],
    );
  });

  for (const [what, method, path] of [
    ['that it is coming', 'PATCH', /pods\/high\/status$/],
    ['why it must go', 'PATCH', /pods\/low\/status$/],
    ['to go', 'DELETE', /pods\/low$/],
  ] as const)
    it(`tries again soon when nobody could be told ${what}`, async () => {
      await using scheduling = await startScheduling();
      const { cluster, faults } = scheduling;
      await prepare(cluster);
      await addNode(cluster, 'only', { cpu: '2' });
      await addPod(cluster, 'low', { cpu: '2' });
      faults.fail({ method, path, answer: { code: 500, reason: 'InternalError' } });
      await addPod(cluster, 'high', { cpu: '2', priorityClassName: 'high' });
      assert.equal((await pods(cluster).get('low')).metadata.deletionTimestamp, undefined);
      await cluster.advance(1000);
      assert.notEqual((await pods(cluster).get('low')).metadata.deletionTimestamp, undefined);
    });

  it('spares those that a budget protects, if it can', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await prepare(cluster);
    const budgets = cluster.client.resource(PodDisruptionBudget).namespace('default');
    await budgets.create({
      metadata: { name: 'keep' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } },
    });
    await addNode(cluster, 'a', { cpu: '2' });
    await addNode(cluster, 'b', { cpu: '2' });
    await addPod(cluster, 'kept', { cpu: '2', labels: { app: 'kept' } });
    await addPod(cluster, 'other', { cpu: '2' });
    await addPod(cluster, 'high', { cpu: '2', priorityClassName: 'high' });
    assert.equal((await pods(cluster).get('kept')).metadata?.deletionTimestamp, undefined);
    assert.notEqual((await pods(cluster).get('other')).metadata?.deletionTimestamp, undefined);
  });

  it('waits when its class says so', async () => {
    await using scheduling = await startScheduling();
    const { cluster } = scheduling;
    await addNode(cluster, 'a', { cpu: '2' });
    await cluster.client
      .resource(PriorityClass)
      .create({ metadata: { name: 'polite' }, value: 9, preemptionPolicy: 'Never' });
    await addPod(cluster, 'low', { cpu: '2' });
    await addPod(cluster, 'polite', { cpu: '2', priorityClassName: 'polite' });
    assert.equal(
      await whyNot(cluster, 'polite'),
      '0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.',
    );
    await pods(cluster).delete('polite', { gracePeriodSeconds: 0 });
    await assert.rejects(pods(cluster).get('polite'), isNotFound);
  });
});
