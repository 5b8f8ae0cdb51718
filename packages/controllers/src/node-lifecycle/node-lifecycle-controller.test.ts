// Nodes that fall silent and come back, and what becomes of their pods.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, formatMicroTime, formatTime, isNotFound } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { type Binding, Node, Pod, type Toleration } from '@windlass/apimachinery/api/core/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { addManager, startControllers } from '../testing/controlled-cluster.ts';

const BOTH = ['nodelifecycle', 'taint-eviction-controller'];
const nodes = (cluster: TestCluster) => cluster.client.resource(Node);
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');

async function addNode(
  cluster: TestCluster,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  await nodes(cluster).create({ metadata: { name, labels } });
  await report(cluster, name);
}

/** As a node agent does: its status. */
async function report(
  cluster: TestCluster,
  name: string,
  ready = 'True',
  more: Record<string, string> = {},
): Promise<void> {
  const now = formatTime(cluster.clock.now());
  const conditions = Object.entries({ Ready: ready, ...more }).map(([type, status]) => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  }));
  await nodes(cluster).status.patch(name, { status: { conditions } });
  await cluster.settled();
}

/** As a node agent does: its lease. */
async function renew(cluster: TestCluster, name: string): Promise<void> {
  const leases = cluster.client.resource(Lease).namespace('kube-node-lease');
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: formatMicroTime(cluster.clock.now()),
  };
  try {
    await leases.patch(name, { spec });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await leases.create({ metadata: { name }, spec });
  }
}

async function addPod(
  cluster: TestCluster,
  name: string,
  nodeName: string,
  tolerations?: Toleration[],
): Promise<void> {
  await pods(cluster).create({
    metadata: { name },
    spec: {
      nodeName,
      containers: [{ name: 'main', image: 'i' }],
      ...(tolerations !== undefined && { tolerations }),
    },
  });
  await pods(cluster).status.patch(name, {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  await cluster.settled();
}

/** So many seconds pass; these nodes go on telling that they are there. */
async function pass(cluster: TestCluster, seconds: number, alive: readonly string[] = []): Promise<void> {
  for (let left = seconds; left > 0; left -= 5) {
    for (const name of alive) await renew(cluster, name);
    await cluster.advance(Math.min(left, 5) * 1000);
  }
}

const taintsOf = async (cluster: TestCluster, name: string): Promise<string[]> =>
  ((await nodes(cluster).get(name)).spec?.taints ?? [])
    .map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`)
    .toSorted();
const isThere = async (cluster: TestCluster, name: string): Promise<boolean> => {
  const { items } = await pods(cluster).list();
  return items.some(({ metadata }) => metadata.name === name && metadata.deletionTimestamp === undefined);
};

describe('a node', () => {
  it('takes pods as soon as it is ready, and has its old labels', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await nodes(cluster).create({
      metadata: { name: 'n1', labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64' } },
    });
    await cluster.settled();
    await report(cluster, 'n1', 'False');
    assert.deepEqual(await taintsOf(cluster, 'n1'), ['not-ready:NoSchedule']);
    await report(cluster, 'n1');
    assert.deepEqual(await taintsOf(cluster, 'n1'), []);
    const { metadata } = await nodes(cluster).get('n1');
    assert.equal(metadata?.labels?.['beta.kubernetes.io/os'], 'linux');
    assert.equal(metadata?.labels?.['beta.kubernetes.io/arch'], 'arm64');
    await pass(cluster, 5);
    assert.deepEqual(await eventsOf(cluster, 'n1'), [
      'RegisteredNode: Node n1 event: Registered Node n1 in Controller',
    ]);
  });

  it('keeps new pods away while something presses it', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await addNode(cluster, 'n1');
    await report(cluster, 'n1', 'True', { MemoryPressure: 'True', DiskPressure: 'True' });
    assert.deepEqual(await taintsOf(cluster, 'n1'), [
      'disk-pressure:NoSchedule',
      'memory-pressure:NoSchedule',
    ]);
    await nodes(cluster).patch('n1', { spec: { unschedulable: true } });
    await report(cluster, 'n1', 'True', { MemoryPressure: 'False', DiskPressure: 'True' });
    assert.deepEqual(await taintsOf(cluster, 'n1'), ['disk-pressure:NoSchedule', 'unschedulable:NoSchedule']);
  });

  it('is judged anew at once when it changes while it is judged', async () => {
    const silentFor = async (hasConflict: boolean): Promise<number> => {
      await using test = await startControllers(BOTH);
      const { cluster, controllers } = test;
      await addNode(cluster, 'n1');
      if (hasConflict) controllers.faults.conflict({ method: 'PUT', path: '/api/v1/nodes/n1/status' });
      for (let seconds = 1; seconds < 120; seconds++) {
        await cluster.advance(1000);
        const { status } = await nodes(cluster).get('n1');
        if (findCondition(status?.conditions ?? [], 'Ready')?.status === 'Unknown') return seconds;
      }
      return Number.POSITIVE_INFINITY;
    };
    assert.equal(await silentFor(true), await silentFor(false));
  });

  describe('that falls silent has no ready pods', () => {
    const isReady = async (cluster: TestCluster): Promise<string | undefined> =>
      findCondition((await pods(cluster).get('patient')).status?.conditions, 'Ready')?.status;
    const silent = async (cluster: TestCluster): Promise<void> => {
      for (const name of ['n1', 'n2', 'n3']) await addNode(cluster, name);
      await addPod(cluster, 'patient', 'n1', [{ operator: 'Exists' }]);
      await pass(cluster, 30, ['n1', 'n2', 'n3']);
    };

    it('although nobody heard that the node was written', async () => {
      await using test = await startControllers(BOTH);
      const { cluster, controllers } = test;
      await silent(cluster);
      const path = '/api/v1/nodes/n1/status';
      controllers.faults.fail({ method: 'PUT', path, answer: 'lost', afterwards: true });
      await pass(cluster, 60, ['n2', 'n3']);
      assert.equal(await isReady(cluster), 'False');
    });

    it('although the controller died between the node and its pods', async () => {
      await using test = await startControllers(BOTH);
      const { cluster, controllers } = test;
      await silent(cluster);
      controllers.faults.fail({
        method: 'PUT',
        path: /\/pods\/patient\/status$/,
        answer: { code: 500, reason: 'InternalError' },
        times: 1000,
      });
      await pass(cluster, 60, ['n2', 'n3']);
      assert.equal(await isReady(cluster), 'True');
      controllers.faults.crashAfterWrites(0);
      await addManager(cluster, BOTH);
      await pass(cluster, 30, ['n2', 'n3']);
      assert.equal(await isReady(cluster), 'False');
    });
  });

  it('that falls silent is unknown, its pods are not ready and move away', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    for (const name of ['n1', 'n2', 'n3']) await addNode(cluster, name);
    await addPod(cluster, 'quick', 'n1', [
      {
        key: 'node.kubernetes.io/unreachable',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 30,
      },
    ]);
    await addPod(cluster, 'usual', 'n1');
    await addPod(cluster, 'patient', 'n1', [{ operator: 'Exists' }]);
    await pass(cluster, 50, ['n1', 'n2', 'n3']);
    assert.equal(findCondition((await nodes(cluster).get('n1')).status?.conditions, 'Ready')?.status, 'True');
    await pass(cluster, 60, ['n2', 'n3']);
    const { status } = await nodes(cluster).get('n1');
    const ready = findCondition(status?.conditions, 'Ready');
    assert.deepEqual([ready?.status, ready?.reason], ['Unknown', 'NodeStatusUnknown']);
    assert.deepEqual(await taintsOf(cluster, 'n1'), ['unreachable:NoExecute', 'unreachable:NoSchedule']);
    assert.deepEqual(await taintsOf(cluster, 'n2'), []);
    const usual = await pods(cluster).get('usual');
    assert.equal(findCondition(usual.status?.conditions, 'Ready')?.status, 'False');
    assert.ok((await eventsOf(cluster, 'usual')).includes('NodeNotReady: Node is not ready'));
    assert.ok((await eventsOf(cluster, 'n1')).includes('NodeNotReady: Node n1 status is now: NodeNotReady'));
    // One that comes to such a node is not ready either, whatever it says.
    await pods(cluster).create({
      metadata: { name: 'late' },
      spec: { containers: [{ name: 'main', image: 'i' }], tolerations: [{ operator: 'Exists' }] },
    });
    await pods(cluster).status.patch('late', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    const target = { kind: 'Node', name: 'n1' };
    await pods(cluster)
      .subresource<Binding>('binding')
      .create('late', { metadata: { name: 'late' }, target });
    await cluster.settled();
    const late = await pods(cluster).get('late');
    assert.equal(findCondition(late.status?.conditions, 'Ready')?.status, 'False');
    await pass(cluster, 40, ['n2', 'n3']);
    assert.equal(await isThere(cluster, 'quick'), false);
    assert.equal(await isThere(cluster, 'usual'), true, 'five minutes are the default');
    await pass(cluster, 280, ['n2', 'n3']);
    assert.equal(await isThere(cluster, 'usual'), false);
    assert.equal(await isThere(cluster, 'patient'), true);
  });

  it('that comes back in time keeps its pods', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    for (const name of ['n1', 'n2']) await addNode(cluster, name);
    await addPod(cluster, 'usual', 'n1');
    await pass(cluster, 120, ['n2']);
    assert.deepEqual(await taintsOf(cluster, 'n1'), ['unreachable:NoExecute', 'unreachable:NoSchedule']);
    // Its agent runs again, but is not well yet: the same as before under another name.
    await report(cluster, 'n1', 'False');
    await pass(cluster, 10, ['n1', 'n2']);
    assert.deepEqual(await taintsOf(cluster, 'n1'), ['not-ready:NoExecute', 'not-ready:NoSchedule']);
    await report(cluster, 'n1');
    await pass(cluster, 10, ['n1', 'n2']);
    assert.deepEqual(await taintsOf(cluster, 'n1'), []);
    assert.ok(
      (await eventsOf(cluster, 'usual')).includes(
        'TaintManagerEviction: Cancelling deletion of Pod default/usual',
      ),
    );
    await pass(cluster, 400, ['n1', 'n2']);
    assert.equal(await isThere(cluster, 'usual'), true);
  });
});

describe('many nodes that fall silent', () => {
  it('lose their pods one after the other', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    const alive = ['n1', 'n2', 'n3', 'n4'];
    for (const name of [...alive, 'd1', 'd2']) await addNode(cluster, name);
    const dead = async (): Promise<number> => {
      const taints = [...(await taintsOf(cluster, 'd1')), ...(await taintsOf(cluster, 'd2'))];
      return taints.filter((taint) => taint === 'unreachable:NoExecute').length;
    };
    await pass(cluster, 60, alive);
    assert.equal(await dead(), 1);
    await pass(cluster, 5, alive);
    assert.equal(await dead(), 1);
    await pass(cluster, 5, alive);
    assert.equal(await dead(), 2, 'ten seconds later');
    const { metrics } = test.controllers.manager;
    const told = [...metrics.expose().matchAll(/^node_collector_(\w+)\{zone=""\} (\S+)$/gm)];
    assert.deepEqual(told.map(([, name, value]) => `${name} ${Math.round(Number(value))}`).toSorted(), [
      'evictions_total 2',
      'unhealthy_nodes_in_zone 2',
      'zone_health 67',
      'zone_size 6',
    ]);
  });

  it('keep them when most of a small zone is silent, or all of all zones', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    const zone = (name: string) => ({ 'topology.kubernetes.io/zone': name });
    for (const name of ['a1', 'a2']) await addNode(cluster, name, zone('a'));
    for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) await addNode(cluster, name, zone('b'));
    const evicted = async (): Promise<string[]> => {
      const { items } = await nodes(cluster).list();
      return items
        .filter(({ spec }) => spec?.taints?.some(({ effect }) => effect === 'NoExecute'))
        .map(({ metadata }) => metadata.name);
    };
    await pass(cluster, 120, ['a1', 'a2', 'b1', 'b2']);
    assert.deepEqual(await evicted(), [], 'three of five');
    await pass(cluster, 120);
    assert.deepEqual(await evicted(), [], 'nobody is heard of any more: it is this process that is cut off');
    // News again: each node has its time.
    await pass(cluster, 20, ['a1', 'a2', 'b1', 'b2', 'b3', 'b4', 'b5']);
    for (const name of ['a1', 'a2', 'b1', 'b2', 'b3', 'b4', 'b5']) await report(cluster, name);
    await pass(cluster, 20, ['a1', 'a2', 'b1', 'b2', 'b3', 'b4', 'b5']);
    assert.deepEqual(await evicted(), []);
    await pass(cluster, 90, ['a1', 'b1', 'b2', 'b3', 'b4', 'b5']);
    assert.deepEqual(await evicted(), ['a2']);
  });
});

describe('nodes that were silent before the controllers started', () => {
  it('keep their pods when there are no others', async () => {
    await using cluster = await startTestCluster();
    for (const name of ['n1', 'n2']) {
      await nodes(cluster).create({ metadata: { name } });
      await report(cluster, name, 'Unknown');
      await addPod(cluster, `on-${name}`, name, []);
    }
    const { manager } = await addManager(cluster, BOTH);
    await pass(cluster, 120);
    for (const name of ['n1', 'n2']) {
      assert.deepEqual(await taintsOf(cluster, name), ['unreachable:NoSchedule']);
      assert.ok(await isThere(cluster, `on-${name}`), name);
    }
    assert.doesNotMatch(manager.metrics.expose(), /node_collector_evictions_total\{zone=""\} [1-9]/);
  });
});

describe('a taint that somebody sets', () => {
  const taint = { key: 'maintenance', value: 'yes', effect: 'NoExecute' };
  const setTaints = async (cluster: TestCluster, taints: object[]): Promise<void> => {
    await nodes(cluster).patch('n1', { spec: { taints } } as object, { type: 'merge' });
    await cluster.settled();
  };
  const tolerate = (tolerationSeconds?: number): Toleration[] => [
    {
      key: 'maintenance',
      operator: 'Exists',
      effect: 'NoExecute',
      ...(tolerationSeconds !== undefined && { tolerationSeconds }),
    },
  ];

  it('moves pods away when their time is over, and tells why', async () => {
    await using test = await startControllers(['taint-eviction-controller']);
    const { cluster } = test;
    await addNode(cluster, 'n1');
    await setTaints(cluster, []);
    await addPod(cluster, 'none', 'n1', []);
    await addPod(cluster, 'short', 'n1', tolerate(20));
    await addPod(cluster, 'least', 'n1', [...tolerate(60), ...tolerate(40)]);
    await addPod(cluster, 'ever', 'n1', tolerate());
    await setTaints(cluster, [taint]);
    assert.equal(await isThere(cluster, 'none'), false);
    const { status } = await pods(cluster).get('none');
    const condition = findCondition(status?.conditions, 'DisruptionTarget');
    assert.deepEqual([condition?.status, condition?.reason], ['True', 'DeletionByTaintManager']);
    assert.deepEqual(await eventsOf(cluster, 'none'), [
      'TaintManagerEviction: Marking for deletion Pod default/none',
    ]);
    await cluster.advance(19_000);
    assert.equal(await isThere(cluster, 'short'), true);
    await cluster.advance(2000);
    assert.equal(await isThere(cluster, 'short'), false);
    await cluster.advance(20_000);
    assert.equal(await isThere(cluster, 'least'), false);
    await cluster.advance(3_600_000);
    assert.equal(await isThere(cluster, 'ever'), true);
    await addPod(cluster, 'late', 'n1', tolerate(10));
    await cluster.advance(11_000);
    assert.equal(await isThere(cluster, 'late'), false, 'also those that come later');
  });

  it('that is taken away in time moves nobody', async () => {
    await using test = await startControllers(['taint-eviction-controller']);
    const { cluster } = test;
    await addNode(cluster, 'n1');
    await addPod(cluster, 'short', 'n1', tolerate(60));
    await setTaints(cluster, [taint]);
    await cluster.advance(50_000);
    await setTaints(cluster, []);
    await cluster.advance(60_000);
    assert.equal(await isThere(cluster, 'short'), true);
    assert.deepEqual(await eventsOf(cluster, 'short'), [
      'TaintManagerEviction: Cancelling deletion of Pod default/short',
    ]);
  });
});
