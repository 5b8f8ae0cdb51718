import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition, isNotFound } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Service } from '@windlass/apimachinery/api/core/v1';
import { recordAccess, startTestCluster } from '@windlass/cluster/testing';
import { definitions, register, webhooks } from './operator.ts';
import { Website } from './website.ts';

// The roles in manifests/rbac.yaml are derived from what is noted here.
const access = recordAccess({ definitions, folder: new URL('.windlass/access/', import.meta.url) });

test('a Website has the children that it declares, and says how they are', async () => {
  await using cluster = await startTestCluster({ definitions, webhooks });
  const { manager } = cluster.manager({ through: access.through });
  register(manager);
  await manager.start();
  const sites = cluster.client.resource(Website).namespace('default');
  const maps = cluster.client.resource(ConfigMap).namespace('default');
  const deployments = cluster.client.resource(Deployment).namespace('default');
  const services = cluster.client.resource(Service).namespace('default');
  const ready = async (): Promise<string> => {
    const found = findCondition((await sites.get('hello')).status?.conditions, 'Ready');
    return `${found?.status}: ${found?.message}`;
  };

  await sites.create({ metadata: { name: 'hello' }, spec: { text: 'Hello!', replicas: 2, isPublic: true } });
  await cluster.settled();
  assert.equal(
    await ready(),
    'False: Deployment default/hello: its controller has not seen the last change yet',
  );
  await services.get('hello');

  const replicas = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
  await deployments.status.patch('hello', { status: { observedGeneration: 1, ...replicas } });
  await cluster.settled();
  assert.equal(await ready(), 'True: all 3 children are ready');
  const { status } = await sites.get('hello');
  assert.deepEqual([status?.observedGeneration, status?.availableReplicas], [1, 2]);

  await sites.patch('hello', { spec: { isPublic: false } });
  await maps.delete('hello-page');
  await cluster.settled();
  await assert.rejects(services.get('hello'), isNotFound);
  assert.deepEqual((await maps.get('hello-page')).data, { 'index.html': 'Hello!' });

  await deployments.patch('hello', { spec: { replicas: 7 } }, { fieldManager: 'kubectl-scale' });
  await cluster.settled();
  assert.match(
    await ready(),
    /^False: Deployment default\/hello: \.spec\.replicas: conflict with "kubectl-scale"/,
  );
});
