// The load client of the benchmarks: its own tests, and what it says of a server whose answers are known.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Load } from '../../bench/apiserver/load.ts';
import type { TestedServer } from '../../bench/apiserver/servers.ts';
import { accessFiles } from '../../bench/lib/access-files.ts';
import { sharedRealCluster } from './harness/index.ts';
import { needGo, run } from './harness/needs.ts';
import { JsonApi } from './support/json-api.ts';

const NAMESPACE = `bench-load-${process.pid}`;
const MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

// Outside of any test, so that a cluster of this file's own lasts until its end.
const cluster = await sharedRealCluster();
const api = new JsonApi(cluster);
const access = await accessFiles(cluster.kubeconfigPath);
// The processes of a server could be any: this one is always there.
const server: TestedServer = {
  access,
  pids: [process.pid],
  readyMs: 0,
  [Symbol.asyncDispose]: () => access[Symbol.asyncDispose](),
};
let load: Load;

before(async () => {
  load = await Load.build(() => {});
});

after(async () => {
  api[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

test('its own tests pass', async () => {
  const cwd = new URL('../../bench/load/', import.meta.url).pathname;
  await run(await needGo('bench/load'), ['test', './...'], { cwd });
});

test('creates as many objects as it says, of the size that was asked for', async () => {
  const figures = await load.run(server, 'create', {
    namespace: NAMESPACE,
    clients: 3,
    count: 20,
    size: 2000,
  });
  assert.deepEqual([figures['requests'], figures['errors']], [20, 0]);
  const { body } = await api.get(MAPS);
  const items = body['items'] as readonly { metadata: { name: string }; data: object }[]; // ConfigMaps
  const ours = items.filter(({ metadata }) => /^m\d{8}$/.test(metadata.name));
  assert.equal(ours.length, 20);
  const labels = { app: 'bench' };
  const sent = ours.map(({ metadata: { name }, data }) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data }),
  );
  assert.deepEqual(new Set(sent.map((text) => text.length)), new Set([2000]));
});

test('reads them, over connections that are shared too', async () => {
  const got = await load.run(server, 'get', {
    namespace: NAMESPACE,
    clients: 6,
    connections: 2,
    count: 50,
    objects: 20,
  });
  assert.equal(got['requests'], 50);
  assert.ok((got['bytesPerRequest'] ?? 0) > 2000);
  const listed = await load.run(server, 'list', { namespace: NAMESPACE, count: 2 });
  assert.ok((listed['bytesPerRequest'] ?? 0) > 20 * 2000);
});

test('counts what arrives at every watcher', async () => {
  const figures = await load.run(server, 'fan-out', {
    namespace: `${NAMESPACE}-watched`,
    watchers: 7,
    'watch-connections': 2,
    clients: 2,
    count: 5,
    warm: 2,
  });
  assert.equal(figures['events'], 7 * 5);
  const [least, most] = [figures['lagMinMs'] ?? Number.NaN, figures['lagMaxMs'] ?? Number.NaN];
  assert.ok(least > 0 && most < (figures['seconds'] ?? 0) * 1000, `between ${least} and ${most} ms`);
});

test('gets an object as long as something else goes on', async () => {
  const flags = { namespace: `${NAMESPACE}-probed`, rate: 100 };
  const figures = await load.probeDuring(server, flags, () =>
    load.run(server, 'list', { namespace: NAMESPACE, count: 20 }),
  );
  assert.ok((figures['requests'] ?? 0) >= 1);
  assert.ok((figures['p99Ms'] ?? 0) > 0);
});

test('applies definitions and deletes them', async () => {
  const flags = { group: `${NAMESPACE}.dev`, count: 3 };
  await load.run(server, 'apply-crds', flags);
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/benches2.${NAMESPACE}.dev`;
  assert.equal((await api.get(path)).status, 200);
  await load.run(server, 'delete-crds', flags);
});

test('a request that is refused is a failure', async () => {
  const again = load.run(server, 'create', { namespace: NAMESPACE, count: 2, size: 2000 });
  await assert.rejects(again, /create: 2 requests failed/);
});

test('deletes single objects, and what is left at once', async () => {
  await load.run(server, 'delete', { namespace: NAMESPACE, clients: 2, count: 5 });
  await load.run(server, 'delete-collection', { namespace: NAMESPACE });
  const { body } = await api.get(MAPS);
  assert.deepEqual(body['items'], []);
});
