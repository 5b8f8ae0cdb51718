// Two of our API servers on one etcd: what is answered by one is read and watched at the other, at once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiResponse, KubeObject, Transport } from '@windlass/apimachinery';
import { ApiServer, openEtcdStore } from '@windlass/apiserver';
import { etcdPairs } from './support/etcd-keys.ts';
import { type EtcdServers, startEtcdServers } from './support/etcd-server.ts';

let etcd: EtcdServers;
let servers: ApiServer[];
let one: Transport;
let other: Transport;

before(async () => {
  etcd = await startEtcdServers();
  servers = [];
  for (let count = 0; count < 2; count++) {
    const store = await openEtcdStore({ servers: etcd.urls });
    const server = new ApiServer({ store, disabledAdmissionPlugins: ['ServiceAccount'] });
    servers.push(server);
    await server.ready();
  }
  [one, other] = servers.map((server) => server.transport()) as [Transport, Transport];
});

after(async () => {
  for (const server of servers) await server.close();
  await etcd[Symbol.asyncDispose]();
});

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

async function must(
  transport: Transport,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<KubeObject> {
  const answer: ApiResponse = await transport.request({ method, path, ...(body !== undefined && { body }) });
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as KubeObject;
}

const configMap = (name: string, data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

test('what one has answered the other reads at once, again and again', async () => {
  await must(one, 'POST', CONFIG_MAPS, configMap('turns', { count: '0' }));
  for (let count = 1; count <= 100; count++) {
    const [reader, writer] = count % 2 === 0 ? [one, other] : [other, one];
    const read = (await must(reader, 'GET', `${CONFIG_MAPS}/turns`)) as KubeObject & { data: object };
    assert.deepEqual(read.data, { count: String(count - 1) });
    await must(writer, 'PUT', `${CONFIG_MAPS}/turns`, configMap('turns', { count: String(count) }));
    const list = (await must(reader, 'GET', CONFIG_MAPS)) as unknown as {
      items: (KubeObject & { data: object })[];
    };
    const found = list.items.find(({ metadata }) => metadata?.name === 'turns');
    assert.deepEqual(found?.data, { count: String(count) });
  }
});

test('a watch at one sees what is written at the other, in order', async () => {
  const abort = new AbortController();
  const { metadata } = await must(one, 'GET', CONFIG_MAPS);
  const query = { watch: 'true', resourceVersion: metadata?.resourceVersion ?? '' };
  const watch = await one.watch({ method: 'GET', path: CONFIG_MAPS, query, signal: abort.signal });
  for (let index = 0; index < 30; index++)
    await must(index % 2 === 0 ? other : one, 'POST', CONFIG_MAPS, configMap(`watched-${index}`, {}));
  const names: unknown[] = [];
  for await (const events of watch.events ?? []) {
    names.push(...events.map(({ object }) => (object as KubeObject).metadata?.name));
    if (names.length >= 30) break;
  }
  abort.abort();
  assert.deepEqual(
    names,
    Array.from({ length: 30 }, (_, index) => `watched-${index}`),
  );
});

test('updates of both at once lose no increment', async () => {
  await must(one, 'POST', CONFIG_MAPS, configMap('counter', { count: '0' }));
  const increment = async (transport: Transport): Promise<void> => {
    for (;;) {
      const object = (await must(transport, 'GET', `${CONFIG_MAPS}/counter`)) as KubeObject & {
        data: { count: string };
      };
      const body = { ...object, data: { count: String(Number(object.data.count) + 1) } };
      const { status } = await transport.request({ method: 'PUT', path: `${CONFIG_MAPS}/counter`, body });
      if (status === 200) return;
      assert.equal(status, 409);
    }
  };
  await Promise.all(
    [one, other, one, other].map(async (transport) => {
      for (let count = 0; count < 15; count++) await increment(transport);
    }),
  );
  const { data } = (await must(other, 'GET', `${CONFIG_MAPS}/counter`)) as KubeObject & { data: object };
  assert.deepEqual(data, { count: '60' });
});

test('services made at both at once have addresses and ports of their own, which come back', async () => {
  const services = '/api/v1/namespaces/default/services';
  const make = async (index: number): Promise<Service> =>
    (await must(index % 2 === 0 ? one : other, 'POST', services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: `service-${index}` },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    })) as Service;
  const made = await Promise.all(Array.from({ length: 40 }, (_, index) => make(index)));
  assert.equal(new Set(made.map(({ spec }) => spec.clusterIP)).size, 40);
  assert.equal(new Set(made.map(({ spec }) => spec.ports[0]?.nodePort)).size, 40);
  // What the other server gave is free again when this one has deleted it.
  const [first] = made;
  await must(other, 'DELETE', `${services}/service-0`);
  for (let attempt = 0; ; attempt++) {
    const body = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'again' },
      spec: {
        type: 'NodePort',
        clusterIP: first?.spec.clusterIP,
        ports: [{ port: 80, nodePort: first?.spec.ports[0]?.nodePort }],
      },
    };
    const answer = await one.request({ method: 'POST', path: services, body });
    if (answer.status === 201) break;
    assert.ok(attempt < 50, JSON.stringify(answer.body));
    await wait(50);
  }
});

interface Service extends KubeObject {
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly nodePort: number }[] };
}

test('a custom resource that one defines is served by the other', async () => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await must(one, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.replicas.example.com' },
    spec: {
      group: 'replicas.example.com',
      scope: 'Namespaced',
      names: { kind: 'Foo', plural: 'foos' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  const path = '/apis/replicas.example.com/v1/namespaces/default/foos';
  for (let attempt = 0; (await other.request({ method: 'GET', path })).status !== 200; attempt++) {
    assert.ok(attempt < 100);
    await wait(50);
  }
  await must(other, 'POST', path, {
    apiVersion: 'replicas.example.com/v1',
    kind: 'Foo',
    metadata: { name: 'a' },
  });
  assert.equal((await must(one, 'GET', `${path}/a`)).metadata?.name, 'a');
});

test('the addresses of servers are where those of kube-apiserver are', async () => {
  const leases = await openEtcdStore({ servers: etcd.urls });
  try {
    await leases.servers?.announce('192.0.2.7');
    await leases.servers?.announce('192.0.2.9');
    assert.deepEqual((await leases.servers?.list())?.toSorted(), ['192.0.2.7', '192.0.2.9']);
    const keys = await etcdPairs(etcd.urls[0] ?? '', '/registry/masterleases/', true);
    assert.deepEqual(
      keys.map(({ key }) => key),
      ['/registry/masterleases/192.0.2.7', '/registry/masterleases/192.0.2.9'],
    );
    await leases.servers?.withdraw('192.0.2.9');
    assert.deepEqual(await leases.servers?.list(), ['192.0.2.7']);
  } finally {
    await leases.close();
  }
});
