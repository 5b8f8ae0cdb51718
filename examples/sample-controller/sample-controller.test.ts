import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInvalid } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { registerFooController } from './controller.ts';
import { Foo, fooDefinition } from './foo.ts';

async function start(): Promise<TestCluster> {
  const cluster = await startTestCluster({ definitions: [fooDefinition] });
  const { manager } = cluster.manager();
  registerFooController(manager);
  await manager.start();
  return cluster;
}

const foo = (name: string, deploymentName = name, replicas = 2): Foo => ({
  metadata: { name, namespace: 'default' },
  spec: { deploymentName, replicas },
});

async function events(cluster: TestCluster): Promise<string[]> {
  const { items } = await cluster.client.resource(Event).namespace('default').list();
  return items.map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

test('a Foo gets its Deployment, and follows it', async () => {
  await using cluster = await start();
  const foos = cluster.client.resource(Foo).namespace('default');
  const deployments = cluster.client.resource(Deployment).namespace('default');
  await foos.create(foo('example'));
  await cluster.settled();
  const made = await deployments.get('example');
  assert.equal(made.spec?.replicas, 2);
  assert.equal(made.metadata?.ownerReferences?.[0]?.kind, 'Foo');
  assert.deepEqual(await events(cluster), ['Normal Synced: Foo synced successfully']);

  // What happens to the Deployment is the Foo's business.
  await deployments.status.patch('example', {
    status: { availableReplicas: 2, readyReplicas: 2, replicas: 2 },
  });
  await cluster.settled();
  assert.equal((await foos.get('example')).status?.availableReplicas, 2);

  await foos.patch('example', { spec: { replicas: 5 } });
  await cluster.settled();
  assert.equal((await deployments.get('example')).spec?.replicas, 5);

  await deployments.patch('example', { spec: { replicas: 1 } });
  await cluster.settled();
  assert.equal((await deployments.get('example')).spec?.replicas, 5, 'somebody else meddled');

  await deployments.delete('example');
  await cluster.settled();
  assert.equal((await deployments.get('example')).spec?.replicas, 5, 'made again');
});

test("a Deployment that is somebody else's is left alone, and the user is told", async () => {
  await using cluster = await start();
  const foos = cluster.client.resource(Foo).namespace('default');
  const deployments = cluster.client.resource(Deployment).namespace('default');
  await foos.create(foo('first', 'shared'));
  await cluster.settled();
  const before = await deployments.get('shared');
  await foos.create(foo('second', 'shared', 9));
  await cluster.settled();
  await cluster.advance(1000);
  assert.deepEqual(await deployments.get('shared'), before);
  assert.ok(
    (await events(cluster)).includes(
      'Warning ErrResourceExists: Resource "shared" already exists and is not managed by Foo',
    ),
  );
});

test('a Foo that makes no sense is refused by the server, or not tried again', async () => {
  await using cluster = await start();
  const foos = cluster.client.resource(Foo).namespace('default');
  await assert.rejects(foos.create(foo('many', 'many', 99)), isInvalid);
  await foos.create(foo('nameless', ''));
  await cluster.settled();
  await cluster.advance(60_000);
  assert.deepEqual((await cluster.client.resource(Deployment).namespace('default').list()).items, []);
});
