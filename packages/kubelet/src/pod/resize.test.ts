// Pods get other resources while they run, as far as their node has them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition } from '@windlass/apimachinery';
import { type Container, Pod } from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { admissionCheck } from '@windlass/scheduler';
import { addKubelet } from '../kubelet.ts';

interface OneNode extends AsyncDisposable {
  readonly cluster: TestCluster;
  restart(): Promise<void>;
}

/** A node with four CPUs. */
async function startNode(): Promise<OneNode> {
  const cluster = await startTestCluster();
  let { manager } = cluster.manager();
  const start = async (): Promise<void> => {
    addKubelet(manager, { nodes: [{ name: 'node-1', capacity: { cpu: '4' } }], admit: admissionCheck });
    await manager.start();
    await cluster.settled();
  };
  await start();
  return {
    cluster,
    restart: async () => {
      const stopped = manager.stop();
      await cluster.clock.advance(0);
      await stopped;
      ({ manager } = cluster.manager());
      await start();
    },
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
}

const pods = ({ cluster }: OneNode) => cluster.client.resource(Pod).namespace('default');

async function run(node: OneNode, name: string, cpu: string, more: Partial<Container> = {}): Promise<void> {
  await pods(node).create({
    metadata: { name },
    spec: {
      nodeName: 'node-1',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'main', image: 'x', resources: { requests: { cpu } }, ...more }],
    },
  });
  await node.cluster.settled();
}

async function resize(node: OneNode, name: string, cpu: string): Promise<void> {
  await pods(node)
    .subresource('resize')
    .patch(
      name,
      { spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] } },
      {
        type: 'strategic',
      },
    );
  await node.cluster.settled();
}

async function state(node: OneNode, name: string) {
  const { status } = await pods(node).get(name);
  const [container] = status?.containerStatuses ?? [];
  const pending = findCondition(status?.conditions, 'PodResizePending');
  return {
    granted: container?.allocatedResources?.['cpu'],
    has: container?.resources?.requests?.['cpu'],
    restarts: container?.restartCount,
    pending: pending?.reason,
    message: pending?.message,
  };
}

async function events({ cluster }: OneNode): Promise<string[]> {
  const { items } = await cluster.client.resource(Event).namespace('default').list();
  return items.flatMap(({ reason = '' }) => (reason.startsWith('Resize') ? [reason] : []));
}

const well = (cpu: string, restarts = 0) => ({
  granted: cpu,
  has: cpu,
  restarts,
  pending: undefined,
  message: undefined,
});

describe('resources of a pod that runs', () => {
  it('are changed in place', async () => {
    await using node = await startNode();
    await run(node, 'web', '1');
    await resize(node, 'web', '3');
    assert.deepEqual(await state(node, 'web'), well('3'));
    assert.deepEqual(await events(node), ['ResizeCompleted']);
  });

  it('are changed with a restart when their author wants one', async () => {
    await using node = await startNode();
    await run(node, 'web', '1', {
      resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
    });
    await resize(node, 'web', '2');
    await node.cluster.advance(1000);
    assert.deepEqual(await state(node, 'web'), well('2', 1));
    const { status } = await pods(node).get('web');
    assert.equal(findCondition(status?.conditions, 'PodResizeInProgress'), undefined);
  });

  it('that others have come when those leave', async () => {
    await using node = await startNode();
    await run(node, 'web', '1');
    await run(node, 'other', '2');
    await resize(node, 'web', '3');
    assert.deepEqual(await state(node, 'web'), {
      ...well('1'),
      pending: 'Deferred',
      message: "Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000",
    });
    await node.restart();
    assert.equal((await state(node, 'web')).granted, '1', 'what was granted is known to the next agent');
    // What was not granted is free for others.
    await run(node, 'small', '1');
    assert.equal((await pods(node).get('small')).status?.phase, 'Running');
    await pods(node).delete('small', { gracePeriodSeconds: 0 });
    await pods(node).delete('other', { gracePeriodSeconds: 0 });
    await node.cluster.advance(1000);
    assert.deepEqual(await state(node, 'web'), well('3'));
  });

  it('that the node will never have are refused, until less is asked for', async () => {
    await using node = await startNode();
    await run(node, 'web', '1');
    await resize(node, 'web', '5');
    const refused = await state(node, 'web');
    assert.deepEqual([refused.granted, refused.pending], ['1', 'Infeasible']);
    assert.deepEqual(await events(node), ['ResizeInfeasible']);
    await resize(node, 'web', '1');
    assert.deepEqual(await state(node, 'web'), well('1'));
  });
});
