import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isConflict, isServiceUnavailable } from '@windlass/apimachinery';
import { ConfigMap, Namespace, Node } from '@windlass/apimachinery/api/core/v1';
import { createClient } from '@windlass/client';
import { Faults } from './faults.ts';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

const maps = (cluster: TestCluster, faults: Faults) =>
  createClient({ transport: faults, clock: cluster.clock, maxRetries: 0 })
    .resource(ConfigMap)
    .namespace('default');

describe('a test cluster', () => {
  it('is ready, with its namespaces and a clock that stands still', async () => {
    await using cluster = await startTestCluster({ namespaces: ['shop'], start: Date.UTC(2030, 0, 1) });
    const namespace = await cluster.client.resource(Namespace).get('shop');
    assert.equal(namespace.metadata.creationTimestamp, '2030-01-01T00:00:00Z');
    await cluster.createNamespace('shop');
    assert.equal(cluster.clock.monotonic(), 0);
  });

  it('is the same each time: what is left to chance follows from the seed', async () => {
    const uid = async (seed: number): Promise<string | undefined> => {
      await using cluster = await startTestCluster({ seed });
      return (await cluster.client.resource(Namespace).create({ metadata: { name: 'x' } })).metadata.uid;
    };
    const first = await uid(1);
    assert.equal(await uid(1), first);
    assert.notEqual(await uid(2), first);
  });

  it('says who is busy when it does not settle', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const gate = Promise.withResolvers<void>();
    manager
      .controller('stuck')
      .for(ConfigMap, { labelSelector: 'own' })
      .reconcile(() => gate.promise);
    await manager.start();
    await cluster.client
      .resource(ConfigMap)
      .namespace('default')
      .create({ metadata: { name: 'a', labels: { own: '' } } });
    await assert.rejects(cluster.settled({ maxTurns: 50 }), {
      code: 'NOT_SETTLED',
      message: 'the cluster does not settle: controller "stuck" (0 queued, at work on default/a)',
    });
    gate.resolve();
    await cluster.settled();
  });

  it('names the key that wakes itself, how often it ran, and by what', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const nodes = manager.objects(Node);
    let isCalm = false;
    manager
      .controller('counter')
      .for(Node)
      .reconcile(async (key) => {
        const node = await nodes.find(key);
        if (node === undefined || isCalm) return;
        const count = Number(node.status?.nodeInfo?.bootID ?? 0) + 1;
        await nodes.status.patch(key, { status: { nodeInfo: { bootID: String(count) } } });
      });
    await manager.start();
    await cluster.client.resource(Node).create({ metadata: { name: 'a' } });
    await assert.rejects(cluster.settled(), {
      code: 'NOT_SETTLED',
      message:
        /^the cluster does not settle: controller "counter": a ran 500 times, woken by its own write to nodes\/status/,
    });
    isCalm = true;
    await cluster.settled();
  });
});

describe('faults', () => {
  it('refuse the next write, once', async () => {
    await using cluster = await startTestCluster();
    const faults = new Faults(cluster.transport());
    const client = maps(cluster, faults);
    const made = await client.create({ metadata: { name: 'a' } });
    faults.conflict();
    await assert.rejects(client.replace(made), isConflict);
    await client.replace(made);
    faults.fail({
      method: 'GET',
      path: /configmaps\/a$/,
      answer: { code: 503, reason: 'ServiceUnavailable' },
      times: 2,
    });
    await client.list();
    await assert.rejects(client.get('a'), isServiceUnavailable);
    await assert.rejects(client.get('a'), isServiceUnavailable);
    await client.get('a');
  });

  it('lose the answer of what the server has done', async () => {
    await using cluster = await startTestCluster();
    const faults = new Faults(cluster.transport());
    const client = maps(cluster, faults);
    faults.fail({ method: 'POST', answer: 'lost', afterwards: true });
    await assert.rejects(client.create({ metadata: { name: 'a' } }), { code: 'CONNECTION_LOST' });
    assert.equal((await client.get('a')).metadata.name, 'a');
    faults.fail({ method: 'POST', answer: 'refused' });
    await assert.rejects(client.create({ metadata: { name: 'b' } }), { code: 'CONNECTION_REFUSED' });
  });

  it('break watches, and hold back what they bring', async () => {
    await using cluster = await startTestCluster();
    const faults = new Faults(cluster.transport());
    const client = maps(cluster, faults);
    const seen: string[] = [];
    const watching = (async () => {
      for await (const event of client.watch({ resourceVersion: '0' }))
        if (event.type === 'ADDED') seen.push(event.object.metadata.name);
    })();
    const ended = assert.rejects(watching, { code: 'CONNECTION_LOST' });
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    await turns();
    const hold = faults.holdWatches({ path: /configmaps$/ });
    await client.create({ metadata: { name: 'a' } });
    await turns();
    assert.ok(!seen.includes('a'));
    hold[Symbol.dispose]();
    await turns();
    assert.ok(seen.includes('a'));
    faults.dropWatches();
    await ended;
  });

  it('crash between two writes: the first is done, the second never arrives', async () => {
    await using cluster = await startTestCluster();
    const faults = new Faults(cluster.transport());
    const client = maps(cluster, faults);
    faults.crashAfterWrites(1);
    await client.create({ metadata: { name: 'a' } });
    await assert.rejects(client.create({ metadata: { name: 'b' } }), { code: 'CRASHED' });
    await assert.rejects(client.get('a'), { code: 'CRASHED' });
    const there = await cluster.client.resource(ConfigMap).namespace('default').list();
    assert.deepEqual(
      there.items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt'),
      ['a'],
    );
  });
});
