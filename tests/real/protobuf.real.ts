// Differential: what we encode the server takes, and what it encodes we decode to the JSON that it serves.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { after, before, test } from 'node:test';
import {
  apiVersionOf,
  builtinResources,
  decodeProtobuf,
  encodeProtobuf,
  PROTOBUF_MEDIA_TYPE,
  ProtobufWatchDecoder,
  type RawWatchEvent,
  type ServedResource,
} from '@windlass/apimachinery';
import { type RealCluster, startRealCluster } from './harness/index.ts';
import { minimalObjects, type RealObject } from './minimal-objects.ts';

const JSON_MEDIA_TYPE = 'application/json';
const NAMESPACE = 'protobuf';

/** Kinds that take no POST of their own from an administrator, each for a reason. */
const NOT_CREATED: ReadonlyMap<string, string> = new Map([
  ['v1 bindings', 'needs a pod that no scheduler took; tested below as pods/binding'],
]);

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

interface Call {
  readonly accept?: string;
  readonly body?: Uint8Array;
}

let cluster: RealCluster;
let agent: Agent;

before(async () => {
  // Alpha features, so that every kind is served and no field is dropped.
  const apiServerArgs = ['--feature-gates=AllAlpha=true,AllBeta=true'];
  cluster = await startRealCluster({ apiServerArgs, log: (line) => console.error(line) });
  agent = new Agent({ keepAlive: true, ca: cluster.ca, cert: cluster.admin.cert, key: cluster.admin.key });
  await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
});

after(async () => {
  agent.destroy();
  await cluster.stop();
});

async function send(method: string, path: string, call: Call = {}): Promise<IncomingMessage> {
  const headers: Record<string, string> = { accept: call.accept ?? PROTOBUF_MEDIA_TYPE };
  if (call.body !== undefined) {
    headers['content-type'] = PROTOBUF_MEDIA_TYPE;
    // Node says nothing about the body of a DELETE by itself.
    headers['content-length'] = String(call.body.length);
  }
  const options: RequestOptions = { method, agent, headers };
  const sent = request(`${cluster.server}${path}`, options);
  sent.end(call.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function call(method: string, path: string, options: Call = {}): Promise<Answer> {
  const response = await send(method, path, options);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks) };
}

/** Creates it as protobuf; the answer is protobuf too. */
async function create(path: string, object: RealObject): Promise<ReturnType<typeof decodeProtobuf>> {
  const answer = await call('POST', path, { body: encodeProtobuf(object) });
  const decoded = decodeProtobuf(answer.body);
  assert.ok([200, 201].includes(answer.status), `POST ${path}: ${JSON.stringify(decoded['message'])}`);
  return decoded;
}

interface Both {
  readonly wire: Buffer;
  readonly decoded: Json;
  readonly json: Json;
}

type Json = Record<string, unknown>;

const versionOf = (object: Json): unknown => (object['metadata'] as Json | undefined)?.['resourceVersion'];

/** Both forms of one state: the server's own controllers write some kinds between two reads. */
async function readBoth(path: string, attempts = 10): Promise<Both> {
  const [wire, json] = await Promise.all([call('GET', path), call('GET', path, { accept: JSON_MEDIA_TYPE })]);
  assert.deepEqual([wire.status, json.status], [200, 200], path);
  const both = {
    wire: wire.body,
    decoded: decodeProtobuf(wire.body),
    json: JSON.parse(json.body.toString('utf8')) as Json,
  };
  assert.ok(attempts > 0, `${path} changes all the time`);
  return versionOf(both.decoded) === versionOf(both.json) ? both : readBoth(path, attempts - 1);
}

/** Sends back what was read, again when a controller was faster. */
async function replace(path: string, attempts = 10): Promise<void> {
  const { json } = await readBoth(path);
  const answer = await call('PUT', path, { body: encodeProtobuf(json) });
  if (answer.status === 409 && attempts > 0) return replace(path, attempts - 1);
  const message = JSON.stringify(decodeProtobuf(answer.body)['message']);
  assert.equal(answer.status, 200, `PUT ${path}: ${message}`);
}

/** Both forms say the same, and what we make of the decoded object is what the server sent. */
function assertSame({ wire, json }: { wire: Buffer; json: unknown }, path: string): void {
  const decoded = decodeProtobuf(wire);
  assert.deepEqual(decoded, json, path);
  assert.deepEqual(Buffer.from(encodeProtobuf(decoded)), wire, path);
}

function collectionOf(resource: ServedResource, namespace: string | undefined): string {
  const root = resource.group === '' ? '/api' : `/apis/${resource.group}`;
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
  return `${root}/${resource.version}${scope}/${resource.plural}`;
}

const nameOf = (resource: ServedResource): string => `${apiVersionOf(resource)} ${resource.plural}`;

const isStored = (resource: ServedResource): boolean => resource.verbs.includes('get');

test('every kind that can be created: sent, read back, replaced and deleted', async (context) => {
  const objects = new Map(
    minimalObjects({ namespace: NAMESPACE, ca: cluster.ca }).map((object) => [
      `${object.apiVersion} ${object.kind}`,
      object,
    ]),
  );
  const creatable = builtinResources().resources.filter(({ verbs }) => verbs.includes('create'));
  for (const resource of creatable) {
    if (NOT_CREATED.has(nameOf(resource))) continue;
    await context.test(nameOf(resource), async () => {
      const object = objects.get(`${apiVersionOf(resource)} ${resource.kind}`);
      assert.ok(object, `tests/real/minimal-objects.ts has no ${resource.kind}`);
      const collection = collectionOf(resource, NAMESPACE);
      const created = await create(collection, object);
      if (!isStored(resource)) return;
      const path = `${collection}/${object.metadata?.name ?? ''}`;
      const both = await readBoth(path);
      assertSame(both, path);
      assert.deepEqual(
        (created['metadata'] as { uid?: string }).uid,
        (both.json['metadata'] as { uid?: string }).uid,
      );
      await replace(path);
      const options = { apiVersion: apiVersionOf(resource), kind: 'DeleteOptions', gracePeriodSeconds: 0 };
      const deleted = await call('DELETE', path, { body: encodeProtobuf(options) });
      assert.ok([200, 202].includes(deleted.status), `DELETE ${path}: ${deleted.status}`);
      decodeProtobuf(deleted.body);
    });
  }
  for (const reason of NOT_CREATED) context.diagnostic(reason.join(': '));
});

test('what the server made by itself: every list, in both forms', async () => {
  let items = 0;
  for (const resource of builtinResources().resources) {
    if (!resource.verbs.includes('list') || resource.plural === 'componentstatuses') continue;
    const path = collectionOf(resource, undefined);
    const both = await readBoth(path);
    assertSame(both, path);
    items += (both.decoded['items'] as unknown[]).length;
  }
  assert.ok(items > 150, `the lists had ${items} items`);
});

test('metadata alone, of one object and of a list', async () => {
  const form = (media: string, kind: string): string => `${media};as=${kind};g=meta.k8s.io;v=v1`;
  for (const [path, kind] of [
    ['/api/v1/namespaces/default', 'PartialObjectMetadata'],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'PartialObjectMetadataList'],
  ] as const) {
    const wire = await call('GET', path, { accept: form(PROTOBUF_MEDIA_TYPE, kind) });
    const json = await call('GET', path, { accept: form(JSON_MEDIA_TYPE, kind) });
    assertSame({ wire: wire.body, json: JSON.parse(json.body.toString('utf8')) }, path);
  }
});

test('an error is a Status', async () => {
  const path = '/api/v1/namespaces/default/pods/none';
  const [wire, json] = await Promise.all([call('GET', path), call('GET', path, { accept: JSON_MEDIA_TYPE })]);
  assert.equal(wire.status, 404);
  assertSame({ wire: wire.body, json: JSON.parse(json.body.toString('utf8')) }, path);
});

test('subresources: binding, eviction, scale, token', async () => {
  const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
  const container = { name: 'c', image: 'i' };
  await create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [container] },
  });
  const target = { apiVersion: 'v1', kind: 'Node', name: 'somewhere' };
  await create(`${pods}/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target });
  assert.equal(((await readBoth(`${pods}/p`)).decoded['spec'] as Json)['nodeName'], 'somewhere');
  await create(`${pods}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } });
  const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
  await create(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } });
  const spec = { audiences: ['x'], expirationSeconds: 600 };
  const token = await create(`${accounts}/a/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  });
  assert.match((token['status'] as { token: string }).token, /^ey/);
  const sets = `/apis/apps/v1/namespaces/${NAMESPACE}/replicasets`;
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
  const set = { selector: { matchLabels: { a: 'b' } }, template };
  await create(sets, { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'r' }, spec: set });
  assertSame(await readBoth(`${sets}/r/scale`), `${sets}/r/scale`);
});

test('a watch stream', async () => {
  const path = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
  const response = await send('GET', `${path}?watch=true&fieldSelector=metadata.name%3Dwatched`, {
    accept: `${PROTOBUF_MEDIA_TYPE};stream=watch`,
  });
  assert.equal(response.statusCode, 200);
  const metadata = { name: 'watched' };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } };
  const created = await create(path, object);
  const replaced = { ...object, data: { a: '2' } };
  await call('PUT', `${path}/watched`, { body: encodeProtobuf(replaced) });
  await call('DELETE', `${path}/watched`);
  const decoder = new ProtobufWatchDecoder();
  const events: RawWatchEvent[] = [];
  for await (const chunk of response) {
    events.push(...decoder.push(chunk as Buffer));
    if (events.length >= 3) break;
  }
  assert.deepEqual(
    events.map(({ type, object: seen }) => [type, (seen as { data: unknown }).data]),
    [
      ['ADDED', { a: '1' }],
      ['MODIFIED', { a: '2' }],
      ['DELETED', { a: '2' }],
    ],
  );
  assert.deepEqual(events[0]?.object, created);
});
