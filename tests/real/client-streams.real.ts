// Watches, discovery, credentials that change and connections, against a real kube-apiserver.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type ApiRequest,
  type ApiResponse,
  type ApiWatchResponse,
  isForbidden,
  isUnauthorized,
  type KubeObject,
  type Transport,
} from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { SelfSubjectReview } from '@windlass/apimachinery/api/authentication/v1';
import { ConfigMap, Namespace, Pod } from '@windlass/apimachinery/api/core/v1';
import { FakeClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import {
  type Client,
  type ClientConfig,
  createClient,
  HttpTransport,
  isInitialEventsEnd,
  loadConfig,
  type WatchEvent,
} from '@windlass/client';
import { PLAIN_USER, sharedRealCluster } from './harness/index.ts';

const unique = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`;

const namespace = unique('streams');
let folder: string;
let config: ClientConfig;
let client: Client;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-client-real-'));
  config = await configFor('admin');
  client = createClient({ config });
  await client.resource(Namespace).create({ metadata: { name: namespace } });
});

after(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

async function configFor(context: string): Promise<ClientConfig> {
  const { kubeconfigPath } = await sharedRealCluster();
  return loadConfig({ path: kubeconfigPath, context });
}

async function whoAmI(as: Client): Promise<string | undefined> {
  return (await as.resource(SelfSubjectReview).create({})).status?.userInfo?.username;
}

const pod = (name: string): Pod => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example.invalid/none' }] },
});

/** The same server through eyes that know only the old form of discovery. */
class OldServer implements Transport {
  readonly #http: HttpTransport;

  constructor(config: ClientConfig) {
    this.#http = new HttpTransport({ config });
  }

  request(request: ApiRequest): Promise<ApiResponse> {
    return this.#http.request({ ...request, headers: { ...request.headers, accept: 'application/json' } });
  }

  watch(request: ApiRequest): Promise<ApiWatchResponse> {
    return this.#http.watch(request);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#http.close();
  }
}

const short = <T extends KubeObject>(event: WatchEvent<T>): string =>
  `${event.type} ${event.object.metadata.name}`;

test('a watch from a list shows what happens after it, in order', async () => {
  const maps = client.resource(ConfigMap).namespace(namespace);
  const { metadata } = await maps.list();
  const changes = (async () => {
    const first = await maps.create({ metadata: { name: 'watched' }, data: { a: '1' } });
    await maps.replace({ ...first, data: { a: '2 äöü €' } });
    await maps.delete('watched');
  })();
  const seen: string[] = [];
  const versions: number[] = [];
  for await (const event of maps.watch({ resourceVersion: metadata.resourceVersion ?? '' })) {
    if (event.type === 'BOOKMARK') continue;
    seen.push(`${short(event)} ${event.object.data?.['a']}`);
    versions.push(Number(event.object.metadata.resourceVersion));
    if (event.type === 'DELETED') break;
  }
  await changes;
  assert.deepEqual(seen, ['ADDED watched 1', 'MODIFIED watched 2 äöü €', 'DELETED watched 2 äöü €']);
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => a - b),
  );
});

test('many events arrive complete, in batches', async () => {
  const maps = client.resource(ConfigMap).namespace(namespace);
  const { metadata } = await maps.list();
  const count = 300;
  const data = { text: 'ä'.repeat(500) };
  const writing = Promise.all(
    Array.from({ length: count }, (_, index) => maps.create({ metadata: { name: `many-${index}` }, data })),
  );
  const names = new Set<string>();
  for await (const batch of maps.watchBatches({ resourceVersion: metadata.resourceVersion ?? '' })) {
    for (const event of batch) {
      if (event.type !== 'ADDED') continue;
      assert.deepEqual(event.object.data, data);
      names.add(event.object.metadata.name);
    }
    if (names.size === count) break;
  }
  await writing;
});

test('without a version the current state comes first; the server ends the watch in time', async () => {
  const pods = client.resource(Pod).namespace(namespace);
  await pods.create(pod('there'));
  const current = await Array.fromAsync(pods.watch({ timeoutSeconds: 2 }));
  assert.deepEqual(current.map(short), ['ADDED there']);
  const { metadata } = await pods.list();
  const resourceVersion = metadata.resourceVersion ?? '';
  // The server sends it two seconds before the end: with less time in all, one that is busy sends none.
  const reading = Array.fromAsync(
    pods.watch({ resourceVersion, labelSelector: 'none=such', timeoutSeconds: 10 }),
  );
  const { metadata: unseen } = await pods.create(pod('unseen'));
  const bookmarks = await reading;
  assert.deepEqual(
    new Set(bookmarks.map(({ type }) => type)),
    new Set(['BOOKMARK']),
    'before the end at the latest',
  );
  const last = Number(bookmarks.at(-1)?.object.metadata.resourceVersion);
  assert.ok(last >= Number(unseen?.resourceVersion), 'it is past what the selector did not let through');
});

test('a streaming list: the state, its end, then what happens', async () => {
  const maps = client.resource(ConfigMap).namespace(namespace);
  await maps.create({ metadata: { name: 'streamed', labels: { stream: 'yes' } } });
  const options = { labelSelector: 'stream=yes', sendInitialEvents: true };
  let ended = false;
  for await (const event of maps.watch(options)) {
    if (isInitialEventsEnd(event)) {
      ended = true;
      await maps.delete('streamed');
    } else if (event.type === 'ADDED') assert.equal(ended, false);
    else if (event.type === 'DELETED') break;
  }
  assert.equal(ended, true);
});

test('a version that is no version is refused, with the reason', async () => {
  const pods = client.resource(Pod).namespace(namespace);
  await assert.rejects(
    pods.watch({ resourceVersion: 'abc' }).next(),
    /^StatusError: resourceVersion: Invalid value: "abc"/,
  );
});

test('discovery is aggregated and knows names of every kind', async () => {
  const { discovery } = client;
  const deployment = await discovery.named('deploy');
  assert.deepEqual([deployment.group, deployment.version, deployment.kind], ['apps', 'v1', 'Deployment']);
  assert.ok(deployment.subresources.some(({ name, kind }) => name === 'scale' && kind === 'Scale'));
  assert.equal((await discovery.kind({ group: '', kind: 'Node' })).namespaced, false);
  assert.equal(
    (await discovery.plural({ group: 'autoscaling', plural: 'horizontalpodautoscalers' })).version,
    'v2',
  );
  assert.deepEqual(discovery.failed, []);
});

test('the old form of discovery gives the same', async () => {
  const modern = await client.discovery.registry();
  await using transport = new OldServer(config);
  await using old = createClient({ transport });
  const legacy = await old.discovery.registry();
  const names = (registry: typeof modern): string[] =>
    registry.resources
      .filter(({ group }) => !group.includes('windlass') && !group.includes('example'))
      .map(
        (r) =>
          `${r.group}/${r.version} ${r.plural} ${r.kind} ${r.namespaced} ${r.singular} ${r.verbs.join()} ${r.subresources
            .map((s) => `${s.name}:${s.kind}`)
            .toSorted()
            .join()}`,
      );
  assert.deepEqual(names(legacy).toSorted(), names(modern).toSorted());
  assert.ok(names(legacy).length > 50);
});

test('a custom resource that appears later is found, and used like any other', async () => {
  interface Widget extends KubeObject {
    spec?: { size: number };
    status?: { phase?: string };
  }
  const group = `${unique('g')}.windlass.test`;
  const widgets = client.resource<Widget>({ group, version: 'v1', kind: 'Widget' });
  await assert.rejects(widgets.namespace(namespace).list(), { code: 'NO_MATCH' });
  await client.resource(CustomResourceDefinition).create({
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  for await (const event of client.resource(CustomResourceDefinition).watch({
    fieldSelector: `metadata.name=widgets.${group}`,
  })) {
    if (event.type === 'BOOKMARK') continue;
    if (
      event.object.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')
    )
      break;
  }
  // The document of discovery is made anew a moment after the resource is established.
  await until(
    'discovery knows the kind',
    () => client.discovery.kind({ group, kind: 'Widget' }),
    () => true,
  );
  const here = widgets.namespace(namespace);
  const made = await here.create({ metadata: { name: 'w' }, spec: { size: 1 } });
  assert.equal(made.apiVersion, `${group}/v1`);
  assert.equal((await here.patch('w', { spec: { size: 2 } })).spec?.size, 2);
  assert.equal((await here.status.patch('w', { status: { phase: 'Ready' } })).status?.phase, 'Ready');
  assert.equal(
    (await here.apply({ metadata: { name: 'w' }, spec: { size: 3 } }, { fieldManager: 'me', force: true }))
      .spec?.size,
    3,
  );
  await assert.rejects(here.patch('w', { spec: { size: 4 } }, { type: 'strategic' }), {
    code: 'STATUS_UNSUPPORTED_MEDIA_TYPE',
  });
  assert.equal((await client.resource({ group, plural: 'widgets' }).list()).items.length, 1);
  assert.equal((await client.discovery.named(`wd.${group}`)).kind, 'Widget');
  await here.delete('w');
  await client.resource(CustomResourceDefinition).delete(`widgets.${group}`);
});

test('certificates by path, tokens, a token file that rotates, nobody', async () => {
  const { adminToken, userToken } = await sharedRealCluster();
  await using byFiles = createClient({ config: await configFor('admin-files') });
  assert.equal(await whoAmI(byFiles), 'admin');
  await using plain = createClient({ config: await configFor('user-token') });
  assert.equal(await whoAmI(plain), PLAIN_USER);
  await assert.rejects(plain.resource(ConfigMap).namespace(namespace).list(), (error) => isForbidden(error));
  await using nobody = createClient({ config: await configFor('nobody') });
  await assert.rejects(whoAmI(nobody), (error) => isUnauthorized(error));

  const file = join(folder, 'token');
  await writeFile(file, adminToken);
  const clock = new FakeClock();
  const base = await configFor('nobody');
  await using rotating = createClient({ config: { ...base, auth: { type: 'tokenFile', file } }, clock });
  assert.equal(await whoAmI(rotating), 'admin');
  await writeFile(file, `${userToken}\n`);
  assert.equal(await whoAmI(rotating), 'admin');
  await clock.advance(60_000);
  assert.equal(await whoAmI(rotating), PLAIN_USER);
});

test('client certificates that rotate: watches go on, new requests are somebody else', async () => {
  const { admin, user } = await sharedRealCluster();
  const [certFile, keyFile] = [join(folder, 'c.crt'), join(folder, 'c.key')];
  await Promise.all([writeFile(certFile, admin.cert), writeFile(keyFile, admin.key)]);
  const clock = new FakeClock();
  const tls = { ...config.tls, cert: { file: certFile }, key: { file: keyFile } };
  // The clock jumps, and no answer to a ping comes in a time that does not pass.
  await using rotating = createClient({ config: { ...config, tls }, clock, http: { pingAfterMs: 0 } });
  const maps = rotating.resource(ConfigMap).namespace(namespace);
  const watch = maps.watch({ fieldSelector: 'metadata.name=after-rotation' });
  const next = watch.next();
  assert.equal(await whoAmI(rotating), 'admin');
  await Promise.all([writeFile(certFile, user.cert), writeFile(keyFile, user.key)]);
  await clock.advance(60_000);
  assert.equal(await whoAmI(rotating), PLAIN_USER);
  await client
    .resource(ConfigMap)
    .namespace(namespace)
    .create({ metadata: { name: 'after-rotation' } });
  assert.equal((await next).value?.type, 'ADDED');
  await watch.return?.();
});

test('a credential plugin: its first token is refused, its second is not', async () => {
  const { adminToken } = await sharedRealCluster();
  const command = join(folder, 'login');
  const state = join(folder, 'login.ran');
  const answer = (token: string): string =>
    JSON.stringify({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      status: { token },
    });
  await writeFile(
    command,
    `#!/bin/sh\nif [ -e '${state}' ]; then echo '${answer(adminToken)}'; else touch '${state}'; echo '${answer('stale')}'; fi\n`,
  );
  await chmod(command, 0o755);
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' } as const;
  await using plugged = createClient({
    config: { ...(await configFor('nobody')), auth: { type: 'exec', exec } },
  });
  assert.equal(await whoAmI(plugged), 'admin');
});

test('1,000 requests over mTLS use at most the configured number of sockets, and none is left', async () => {
  const sockets = (): number =>
    process.getActiveResourcesInfo().filter((name) => /TCP|TLS/.test(name)).length;
  const before = sockets();
  const own = createClient({ config, http: { connections: 4 } });
  const maps = own.resource(ConfigMap).namespace(namespace);
  let most = 0;
  await Promise.all(
    Array.from({ length: 1000 }, async () => {
      await maps.list({ limit: 1 });
      most = Math.max(most, sockets() - before);
    }),
  );
  assert.ok(most > 0 && most <= 4, `${most} sockets`);
  await own.close();
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(sockets() <= before, `${sockets() - before} sockets are left`);
});

test('HTTP/2 does the same', async () => {
  await using fast = createClient({ config, http: { allowH2: true } });
  assert.equal(await whoAmI(fast), 'admin');
  const maps = fast.resource(ConfigMap).namespace(namespace);
  const watch = maps.watch({ fieldSelector: 'metadata.name=over-h2' });
  const next = watch.next();
  await Promise.all(Array.from({ length: 50 }, () => maps.list({ limit: 1 })));
  await maps.create({ metadata: { name: 'over-h2' } });
  assert.equal((await next).value?.type, 'ADDED');
  await watch.return?.();
});
