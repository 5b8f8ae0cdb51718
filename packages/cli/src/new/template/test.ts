import type { ProjectNames } from '../project-names.ts';

export function testModule({ kind }: ProjectNames): string {
  return `// The reconciler on a whole API server, in this process: real objects, no mocks, and no sleeping, because the
// test moves the clock and waits until everything has settled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition } from 'windlass/apimachinery';
import { Deployment } from 'windlass/api/apps/v1';
import { recordAccess, startTestCluster, type TestCluster } from 'windlass/testing';
import { definitions, register, webhooks } from './operator.ts';
import { ${kind} } from './resource.ts';

// What the operator asks of the API here becomes manifests/rbac.yaml, together with that of all test files.
const access = recordAccess({ definitions });

async function startOperator(): Promise<TestCluster> {
  const cluster = await startTestCluster({ definitions, webhooks });
  const { manager } = cluster.manager({ through: access.through });
  register(manager);
  await manager.start();
  return cluster;
}

test('becomes a Deployment, and says when it is ready', async () => {
  await using cluster = await startOperator();
  const objects = cluster.client.resource(${kind}).namespace('default');
  const deployments = cluster.client.resource(Deployment).namespace('default');
  await objects.create({ metadata: { name: 'first' }, spec: { image: 'example:1', replicas: 2 } });
  await cluster.settled();
  const deployment = await deployments.get('first');
  assert.equal(deployment.spec?.replicas, 2);
  assert.equal(deployment.spec?.template.spec?.containers[0]?.image, 'example:1');

  const ready = async () => findCondition((await objects.get('first')).status?.conditions, 'Ready');
  assert.equal((await ready())?.message, '0 of 2 replicas are ready');
  await deployments.status.patch('first', { status: { replicas: 2, readyReplicas: 2 } });
  await cluster.settled();
  assert.equal((await ready())?.status, 'True');
});

test('mends what others break', async () => {
  await using cluster = await startOperator();
  const deployments = cluster.client.resource(Deployment).namespace('default');
  await cluster.client
    .resource(${kind})
    .namespace('default')
    .create({ metadata: { name: 'first' }, spec: { image: 'example:1' } });
  await cluster.settled();
  await deployments.patch('first', { spec: { replicas: 7 } });
  await cluster.settled();
  assert.equal((await deployments.get('first')).spec?.replicas, 1);
  await deployments.delete('first');
  await cluster.settled();
  assert.equal((await deployments.get('first')).spec?.replicas, 1);
});
`;
}
