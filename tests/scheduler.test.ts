// The scheduler on the embedded server: where pods go, why they wait, and who makes room.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition } from '@windlass/apimachinery';
import { Node, Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { Scheduler } from '@windlass/scheduler';

interface Scheduling {
  readonly cluster: TestCluster;
  readonly faults: ReturnType<TestCluster['manager']>['faults'];
  readonly scheduler: Scheduler;
}

async function startScheduling(): Promise<Scheduling & AsyncDisposable> {
  const cluster = await startTestCluster();
  const { manager, faults } = cluster.manager();
  const scheduler = new Scheduler(manager);
  await manager.add(scheduler);
  await manager.start();
  return { cluster, faults, scheduler, [Symbol.asyncDispose]: () => cluster.stop() };
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
