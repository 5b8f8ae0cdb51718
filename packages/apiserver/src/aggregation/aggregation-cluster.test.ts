// Another API server behind ours, over real HTTPS and through the whole server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { after, before, test } from 'node:test';
import type { ApiRequest, ApiResponse, Transport } from '@windlass/apimachinery';
import { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import { ConfigMap, Namespace, Service } from '@windlass/apimachinery/api/core/v1';
import { ClusterRole, ClusterRoleBinding } from '@windlass/apimachinery/api/rbac/v1';
import { FakeClock, fieldOf, realClock, silentLogger } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, HttpTransport, parseKubeconfig, resolveContext } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { requestInfoOf } from '../request/request-info.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { ApiServices, remoteOf } from './api-services.ts';
import { proxied } from './proxy.ts';
import { RemoteServers } from './remote-server.ts';
import { GROUP, SampleServer } from './testing/sample-server.ts';

const NAME = `v1alpha1.${GROUP}`;
const FLUNDERS = `/apis/${GROUP}/v1alpha1/namespaces/default/flunders`;
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const VIEWER = {
  name: 'mö',
  uid: 'u1',
  groups: ['a, b', 'system:authenticated'],
  extra: { 'Sc/ope': ['x', 'y'] },
};

let cluster: RunningCluster;
let client: Client;
let sample: SampleServer;
before(async () => {
  // Nothing depends on how fast the machine is: no time passes. But certificates are of today.
  cluster = await startCluster({ port: 0, clock: new FakeClock({ start: realClock.now() }) });
  client = createClient({ transport: cluster.transport() });
  const trusted = await client
    .resource(ConfigMap)
    .namespace('kube-system')
    .get('extension-apiserver-authentication');
  sample = await SampleServer.start({
    serverName: 'sample-api.wardle.svc',
    frontProxyCa: trusted.data?.['requestheader-client-ca-file'] ?? '',
  });
  await client.resource(Namespace).create({ metadata: { name: 'wardle' } });
});
after(async () => {
  await client.close();
  await cluster.stop();
  await sample[Symbol.asyncDispose]();
});

const get = (path: string, headers = {}, transport: Transport = cluster.transport()): Promise<ApiResponse> =>
  transport.request({ method: 'GET', path, headers });
const available = async (): Promise<APIService> => client.resource(APIService).get(NAME);
/** Waits for what the condition says. */
const told = (reason: string): Promise<unknown> =>
  until(
    `the APIService is said to be: ${reason}`,
    async () => (await available()).status?.conditions ?? [],
    (conditions) => conditions.some((one) => one.type === 'Available' && one.reason === reason),
  );

test('what is served here is registered, and stays so', async () => {
  const services = client.resource(APIService);
  const core = await services.get('v1.');
  assert.equal(core.metadata?.labels?.['kube-aggregator.kubernetes.io/automanaged'], 'onstart');
  assert.deepEqual(
    [core.spec?.groupPriorityMinimum, core.spec?.versionPriority, core.status?.conditions?.[0]?.reason],
    [18_000, 1, 'Local'],
  );
  assert.equal((await services.get('v2.autoscaling')).spec?.versionPriority, 30);
  await assert.rejects(services.get('v1.apiregistration.k8s.io'), /not found/);
});

test('a service that is not there makes an APIService unavailable, and says so', async () => {
  await client.resource(APIService).create({
    metadata: { name: NAME },
    spec: {
      group: GROUP,
      version: 'v1alpha1',
      service: { namespace: 'wardle', name: 'sample-api', port: sample.port },
      caBundle: sample.caBundle,
      groupPriorityMinimum: 2000,
      versionPriority: 200,
    },
  });
  await told('ServiceNotFound');
  const refused = await get(FLUNDERS);
  assert.equal(refused.status, 503);
  assert.equal(refused.body, 'service unavailable\n');
  const groups = await get('/apis');
  const listed = fieldOf(groups.body, 'groups') as readonly { name: string }[];
  // Before custom resources, after all that is built in.
  assert.equal(listed.at(-1)?.name, GROUP);
  const { body } = await get('/apis', { accept: AGGREGATED });
  const item = (fieldOf(body, 'items') as readonly { versions: readonly object[] }[]).at(-1);
  assert.deepEqual(item?.versions, [{ version: 'v1alpha1', freshness: 'Stale' }]);
});

test('once it has an address, its server is asked as whoever asks', async () => {
  await client
    .resource(Service)
    .namespace('wardle')
    .create({ metadata: { name: 'sample-api' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
  await told('Passed');
  const probe = sample.asked.find(({ url }) => url === `/apis/${GROUP}/v1alpha1`);
  assert.equal(probe?.proxy, 'front-proxy-client');
  assert.equal(probe?.headers['x-remote-user'], 'system:kube-aggregator');
  await client.resource(ClusterRole).create({
    metadata: { name: 'flunders' },
    rules: [{ apiGroups: [GROUP], resources: ['flunders'], verbs: ['list', 'watch'] }],
  });
  await client.resource(ClusterRoleBinding).create({
    metadata: { name: 'flunders' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'flunders' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: VIEWER.name }],
  });
  const transport = cluster.transport(VIEWER);
  const forged = { 'x-remote-user': 'admin', 'x-remote-extra-a': 'b', authorization: 'Bearer secret' };
  await until('roles count', async () => (await get(FLUNDERS, {}, transport)).status === 200);
  const listed = await transport.request({
    method: 'GET',
    path: FLUNDERS,
    query: { labelSelector: 'a=b, c' },
    headers: forged,
  });
  assert.equal(fieldOf(listed.body, 'kind'), 'FlunderList');
  // Discovery is asked for at any time, too.
  const asked = sample.asked.findLast(({ url }) => url?.startsWith(FLUNDERS));
  assert.equal(asked?.url, `${FLUNDERS}?labelSelector=a%3Db%2C+c`);
  const sent = new Map(Object.entries(asked?.headers ?? {}));
  assert.equal(Buffer.from(String(sent.get('x-remote-user')), 'latin1').toString('utf8'), VIEWER.name);
  assert.equal(sent.get('x-remote-uid'), 'u1');
  assert.equal(sent.get('authorization'), undefined);
  assert.equal(sent.get('x-remote-extra-a'), undefined);
  const lines = asked?.rawHeaders ?? [];
  const valuesOf = (name: string): string[] =>
    lines.filter((_, index) => lines[index - 1]?.toLowerCase() === name);
  assert.deepEqual(valuesOf('x-remote-group'), VIEWER.groups);
  assert.deepEqual(valuesOf('x-remote-extra-sc%2fope'), ['x', 'y']);
});

test('who may not, is refused here and the other server is not asked', async () => {
  const before = sample.asked.length;
  const refused = await cluster
    .transport(VIEWER)
    .request({ method: 'POST', path: FLUNDERS, body: { metadata: { name: 'one' } } });
  assert.equal(refused.status, 403);
  assert.match(
    String(fieldOf(refused.body, 'message')),
    /cannot create resource "flunders" in API group "wardle/,
  );
  assert.equal(sample.asked.length, before);
});

test('writes, answers, headers and watches pass over HTTPS as they are', async () => {
  const transport = new HttpTransport({
    config: resolveContext(await parseKubeconfig(cluster.kubeconfig, 'kubeconfig')),
  });
  const created = await transport.request({
    method: 'POST',
    path: FLUNDERS,
    body: { metadata: { name: 'one' } },
  });
  assert.equal(created.status, 201);
  assert.match(created.headers['warning'] ?? '', /from the sample/);
  const missing = await transport.request({ method: 'GET', path: `${FLUNDERS}/two` });
  assert.equal(missing.status, 404);
  for (const one of [transport, cluster.transport()]) {
    const request: ApiRequest = { method: 'GET', path: FLUNDERS, query: { watch: 'true' } };
    const { events } = await one.watch(request);
    assert.ok(events !== undefined);
    const iterator = events[Symbol.asyncIterator]();
    await until('the watch stands', () => sample.watches === 1);
    sample.emit({ type: 'ADDED', object: { metadata: { name: 'one' } } });
    const first = await iterator.next();
    assert.deepEqual(first.value, [{ type: 'ADDED', object: { metadata: { name: 'one' } } }]);
    await iterator.return?.();
    await until('the other server knows that the watch is over', () => sample.watches === 0);
  }
  await transport[Symbol.asyncDispose]();
});

test('discovery and OpenAPI tell of both servers', async () => {
  const own = async (): Promise<unknown> => {
    const { body } = await get('/apis', { accept: AGGREGATED });
    const items = fieldOf(body, 'items') as readonly {
      metadata: { name: string };
      versions: readonly object[];
    }[];
    return items.find(({ metadata }) => metadata.name === GROUP)?.versions[0];
  };
  await until('the resources are known', async () => fieldOf(await own(), 'freshness') === 'Current');
  assert.deepEqual(
    fieldOf((fieldOf(await own(), 'resources') as readonly object[])[0], 'resource'),
    'flunders',
  );
  const group = await get(`/apis/${GROUP}`);
  assert.deepEqual(group.body, {
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: GROUP,
    versions: [{ groupVersion: NAME.split('.')[0] && `${GROUP}/v1alpha1`, version: 'v1alpha1' }],
    preferredVersion: { groupVersion: `${GROUP}/v1alpha1`, version: 'v1alpha1' },
  });
  assert.equal(fieldOf((await get(`/apis/${GROUP}/v1alpha1`)).body, 'kind'), 'APIResourceList');
  const index = JSON.parse(String((await get('/openapi/v3')).body)) as { paths: Record<string, object> };
  assert.deepEqual(index.paths[`apis/${GROUP}/v1alpha1`], {
    serverRelativeURL: `/openapi/v3/apis/${GROUP}/v1alpha1?hash=1`,
  });
  assert.ok('api/v1' in index.paths);
  assert.deepEqual((await get(`/openapi/v3/apis/${GROUP}/v1alpha1`)).body, {
    openapi: '3.0.0',
    sample: true,
  });
  const swagger = JSON.parse(String((await get('/openapi/v2')).body)) as {
    paths: Record<string, object>;
    definitions: Record<string, object>;
  };
  assert.ok(`/apis/${GROUP}/v1alpha1/flunders` in swagger.paths);
  assert.ok('FlunderSpec' in swagger.definitions);
  assert.ok(!('Version' in swagger.definitions), 'only what is referred to is taken over');
});

test('another protocol is spoken with the other server, once it agrees', async () => {
  const services = new ApiServices(createMemoryStore({ clock: realClock }), silentLogger);
  const servers = new RemoteServers({
    resolve: async () => ({ host: 'localhost', port: sample.port }),
    client: undefined,
  });
  const remote = remoteOf(await available());
  assert.ok(remote !== undefined);
  const request = {
    method: 'GET' as const,
    path: FLUNDERS,
    headers: {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'k',
      'x-remote-user': 'admin',
    },
    user: VIEWER,
    isUpgrade: true,
  };
  const options = { services, servers, clock: realClock, logger: silentLogger };
  const answer = await proxied(remote, request, requestInfoOf(request), options);
  assert.ok(answer.type === 'upgrade', answer.type);
  assert.equal(answer.headers['upgrade'], 'echo');
  const { headers } = sample.asked.findLast((one) => one.headers['upgrade'] !== undefined) ?? {};
  assert.deepEqual([headers?.['upgrade'], headers?.['x-remote-uid']], ['websocket', 'u1']);
  const [client, ours] = duplexPair();
  const done = answer.run(ours);
  client.write('hello');
  const [echoed] = await once(client, 'data');
  assert.equal(String(echoed), 'hello');
  client.end();
  client.resume();
  await done;
  servers.close();
});

test('a certificate that is not of the bundle ends in 503, and when the APIService is gone so is the group', async () => {
  const services = client.resource(APIService);
  const ours = await services.get('v1.apps');
  assert.equal(ours.spec?.service, undefined);
  const wrong = Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n').toString(
    'base64',
  );
  const patch = { spec: { caBundle: wrong } };
  const patched = await cluster.transport().request({
    method: 'PATCH',
    path: `/apis/apiregistration.k8s.io/v1/apiservices/${NAME}`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: patch,
  });
  assert.equal(patched.status, 200);
  await told('FailedDiscoveryCheck');
  assert.equal((await get(FLUNDERS)).status, 503);
  const metrics = String((await get('/metrics')).body);
  assert.match(metrics, /^aggregator_unavailable_apiservice\{name="v1alpha1.wardle.example.com"\} 1$/m);
  assert.match(
    metrics,
    /^aggregator_unavailable_apiservice_total\{name="[^"]*",reason="ServiceNotFound"\} 1$/m,
  );
  await services.delete(NAME);
  await until('the group is gone', async () => (await get(`/apis/${GROUP}`)).status === 404);
  assert.equal((await get(FLUNDERS)).status, 404);
});
