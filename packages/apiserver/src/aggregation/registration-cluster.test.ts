// What the server registers of itself and keeps, and where registered groups stand in discovery.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { fieldOf } from '@windlass/base';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';

const WIDGETS: CustomResourceDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

function remote(version: string, group: string, ofGroup: number, ofVersion: number): APIService {
  return {
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      service: { namespace: 'default', name: 'none' },
      groupPriorityMinimum: ofGroup,
      versionPriority: ofVersion,
    },
  };
}

async function groups(cluster: TestCluster): Promise<{ name: string; versions: string[] }[]> {
  const { body } = await cluster.transport().request({ method: 'GET', path: '/apis' });
  const found = fieldOf(body, 'groups') as readonly {
    name: string;
    versions: readonly { version: string }[];
  }[];
  return found.map(({ name, versions }) => ({ name, versions: versions.map(({ version }) => version) }));
}

test('custom resources are registered as long as they are defined', async () => {
  await using cluster = await startTestCluster({ definitions: [WIDGETS] });
  const services = cluster.client.resource(APIService);
  await cluster.settled();
  const made = await services.get('v1.example.com');
  assert.equal(made.metadata.labels?.['kube-aggregator.kubernetes.io/automanaged'], 'true');
  assert.deepEqual([made.spec?.groupPriorityMinimum, made.spec?.versionPriority], [1000, 100]);
  await services.delete('v1.example.com');
  await cluster.settled();
  assert.notEqual((await services.get('v1.example.com')).metadata.uid, made.metadata.uid);
  await cluster.client.resource(CustomResourceDefinition).delete('widgets.example.com');
  await cluster.settled();
  await assert.rejects(services.get('v1.example.com'), isNotFound);
  // Of what is built in one may delete it: it comes back at the next start.
  await services.delete('v1.batch');
  await cluster.settled();
  await assert.rejects(services.get('v1.batch'), isNotFound);
});

test('groups stand in the order of their priorities, and so do their versions', async () => {
  await using cluster = await startTestCluster({ definitions: [WIDGETS] });
  const services = cluster.client.resource(APIService);
  const before = (await groups(cluster)).map(({ name }) => name);
  await services.create(remote('v1', 'first.example.org', 19_000, 1));
  await services.create(remote('v1alpha1', 'middle.example.org', 2000, 20));
  await services.create(remote('v2', 'middle.example.org', 1500, 10));
  await services.create(remote('v1', 'middle.example.org', 1500, 10));
  await services.create(remote('v1', 'last.example.org', 10, 1));
  await cluster.settled();
  const after = await groups(cluster);
  const names = after.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !name.endsWith('.example.org')),
    before,
  );
  assert.equal(names[0], 'apiregistration.k8s.io');
  assert.equal(names[1], 'first.example.org');
  assert.deepEqual(names.slice(-3), ['middle.example.org', 'example.com', 'last.example.org']);
  assert.deepEqual(after.at(-3)?.versions, ['v1alpha1', 'v2', 'v1']);
});

test('the ConfigMaps of the server come back, and are put right', async () => {
  await using cluster = await startTestCluster({ start: Date.UTC(2026, 10, 17) });
  const maps = cluster.client.resource(ConfigMap).namespace('kube-system');
  const tracking = 'kube-apiserver-legacy-service-account-token-tracking';
  assert.deepEqual((await maps.get(tracking)).data, { since: '2026-11-17' });
  await maps.delete(tracking);
  await maps.delete('extension-apiserver-authentication');
  await cluster.settled();
  await maps.get('extension-apiserver-authentication');
  await maps.patch(tracking, { data: { since: 'long ago' } });
  await cluster.settled();
  assert.equal((await maps.get(tracking)).data?.['since'], '2026-11-17');
});
