// A cluster moves from its file into an etcd and back, and is the same one.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import {
  MigrationError,
  migrateFromEtcd,
  migrateToEtcd,
  type RunningCluster,
  startCluster,
} from '@windlass/cluster';
import { startEtcdServers } from './support/etcd-server.ts';

const OBJECTS = [
  [
    '/api/v1/namespaces/default/configmaps',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'ü' } },
  ],
  [
    '/api/v1/namespaces/default/secrets',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'YQ==' } },
  ],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'foos.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Foo', plural: 'foos' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    },
  ],
  [
    '/apis/example.com/v1/namespaces/default/foos',
    { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'a' }, spec: { size: 3 } },
  ],
] as const;

async function request(
  cluster: RunningCluster,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<KubeObject> {
  for (let attempt = 0; ; attempt++) {
    const answer = await cluster.transport().request({ method, path, ...(body !== undefined && { body }) });
    if (answer.status < 300) return answer.body as KubeObject;
    // A resource is served a moment after its definition.
    assert.ok(answer.status === 404 && attempt < 100, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  }
}

/** What must be the same: everything but the revision. */
async function contents(cluster: RunningCluster): Promise<unknown[]> {
  return Promise.all(
    OBJECTS.map(async ([collection, { metadata }]) => {
      const object = await request(cluster, 'GET', `${collection}/${metadata.name}`);
      const { resourceVersion: _, ...kept } = object.metadata ?? {};
      return { ...object, metadata: kept };
    }),
  );
}

test('into an etcd and out of it', async () => {
  await using servers = await startEtcdServers();
  const etcd = { servers: servers.urls };
  const folder = await mkdtemp(join(tmpdir(), 'windlass-migrate-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  try {
    let before: unknown;
    {
      await using cluster = await startCluster({ dataDir: first });
      for (const [collection, object] of OBJECTS) await request(cluster, 'POST', collection, object);
      before = await contents(cluster);
      await assert.rejects(migrateToEtcd(first, etcd), { code: 'DATA_DIR_IN_USE' });
    }
    const count = await migrateToEtcd(first, etcd);
    assert.ok(count > 100, String(count));
    // Once more changes nothing: one that was interrupted goes on.
    assert.equal(await migrateToEtcd(first, etcd), count);
    {
      await using cluster = await startCluster({ dataDir: first, etcd });
      assert.deepEqual(await contents(cluster), before);
      await request(cluster, 'POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'later' },
      });
    }
    await assert.rejects(migrateToEtcd(first, etcd), MigrationError);
    await assert.rejects(migrateFromEtcd(etcd, first), MigrationError);
    await migrateFromEtcd(etcd, second);
    await using cluster = await startCluster({ dataDir: second });
    assert.deepEqual(await contents(cluster), before);
    assert.equal((await request(cluster, 'GET', '/api/v1/namespaces/later')).metadata?.name, 'later');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
