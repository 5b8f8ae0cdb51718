import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Service } from '@windlass/apimachinery/api/core/v1';
import { startTestCluster } from '@windlass/cluster/testing';
import { registerFunctionController } from './controller.ts';
import { Function, functionDefinition } from './function.ts';

test('a Function becomes a Deployment and a Service, and says when it is ready', async () => {
  await using cluster = await startTestCluster({ definitions: [functionDefinition] });
  const { manager } = cluster.manager();
  registerFunctionController(manager);
  await manager.start();
  const functions = cluster.client.resource(Function).namespace('default');
  const deployments = cluster.client.resource(Deployment).namespace('default');
  await functions.create({
    metadata: { name: 'hello' },
    spec: { image: 'hello:1', replicas: 2, environment: { GREETING: 'hi' } },
  });
  await cluster.settled();
  const deployment = await deployments.get('hello');
  assert.deepEqual(deployment.spec?.template.spec?.containers[0]?.env, [{ name: 'GREETING', value: 'hi' }]);
  const service = await cluster.client.resource(Service).namespace('default').get('hello');
  assert.deepEqual(
    service.spec?.ports?.map(({ port, targetPort }) => [port, targetPort]),
    [[80, 8080]],
  );
  const ready = async () => findCondition((await functions.get('hello')).status?.conditions, 'Ready');
  assert.deepEqual(
    [(await ready())?.status, (await ready())?.message],
    ['False', '0 of 2 replicas are available'],
  );
  await cluster.advance(60_000);
  await deployments.status.patch('hello', {
    status: { availableReplicas: 2, readyReplicas: 2, replicas: 2 },
  });
  await cluster.settled();
  assert.equal((await ready())?.status, 'True');
  assert.equal((await functions.get('hello')).status?.url, 'http://hello.default.svc');

  // What others set stays; what is ours is put right.
  await deployments.patch(
    'hello',
    {
      metadata: { annotations: { theirs: 'yes' } },
      spec: { template: { spec: { containers: [{ name: 'function', image: 'evil:1' }] } } },
    },
    { type: 'strategic' },
  );
  await cluster.settled();
  const mended = await deployments.get('hello');
  assert.equal(mended.spec?.template.spec?.containers[0]?.image, 'hello:1');
  assert.equal(mended.metadata?.annotations?.['theirs'], 'yes');

  await functions.patch('hello', { spec: { environment: null, image: 'hello:2' } });
  await cluster.settled();
  const next = await deployments.get('hello');
  assert.equal(next.spec?.template.spec?.containers[0]?.image, 'hello:2');
  assert.deepEqual(
    next.spec?.template.spec?.containers[0]?.env ?? [],
    [],
    'what is no longer asked for goes',
  );
});
