// A kube-apiserver and a server of ours take turns on one etcd: what one writes the other reads, watches and changes, and
// both keep it in the same bytes under the same key.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { apiVersionOf, builtinResources, type KubeObject, type ServedResource } from '@windlass/apimachinery';
import { decodeValue, encodeValue } from '../../packages/apiserver/src/storage/etcd/values.ts';
import { minimalObjects, type RealObject } from './minimal-objects.ts';
import { etcdPairs } from './support/etcd-keys.ts';
import { type OneServer, startTwoServers, type TwoServers } from './support/two-servers.ts';

const NAMESPACE = 'turns';
let servers: TwoServers;

before(async () => {
  servers = await startTwoServers();
  const made = await servers.real.call('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  });
  assert.equal(made.status, 201);
});

after(async () => {
  await servers[Symbol.asyncDispose]();
});

function collectionOf(resource: ServedResource): string {
  const root = resource.group === '' ? '/api' : `/apis/${resource.group}`;
  return `${root}/${resource.version}${resource.namespaced ? `/namespaces/${NAMESPACE}` : ''}/${resource.plural}`;
}

/** Stored, and served by both: stable versions. */
const kinds = builtinResources().resources.filter(
  ({ version, verbs }) => /^v\d+$/.test(version) && verbs.includes('get') && verbs.includes('create'),
);

const meta = (object: unknown): NonNullable<KubeObject['metadata']> => (object as KubeObject).metadata ?? {};

async function must(server: OneServer, ...call: Parameters<OneServer['call']>): Promise<KubeObject> {
  const { status, body } = await server.call(...call);
  assert.ok(
    status < 300,
    `${server.name} answers ${call[0]} ${call[1]} with ${status}: ${JSON.stringify(body)}`,
  );
  return body;
}

/** Names of their own for each turn, where a name may be anything: some objects go only when a controller lets them. */
function suffix({ metadata }: RealObject, turn: string): string {
  return metadata?.name?.startsWith('protobuf-') === true ? `-${turn}` : '';
}

/** Both say the same of one state. The servers' own controllers write some kinds between two reads. */
async function readAlike(path: string, one: OneServer, other: OneServer): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const [mine, theirs] = await Promise.all([must(one, 'GET', path), must(other, 'GET', path)]);
    if (meta(mine).resourceVersion !== meta(theirs).resourceVersion && attempt < 10) continue;
    assert.deepEqual(theirs, mine);
    return;
  }
}

/** Again, when a controller of the other server was faster. */
async function annotate(server: OneServer, path: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const object = await must(server, 'GET', path);
    const body = { ...object, metadata: { ...object.metadata, annotations: { changed: 'by the other' } } };
    const { status, body: answer } = await server.call('PUT', path, { body });
    if (status === 200) return;
    assert.ok(status === 409 && attempt < 10, `PUT ${path}: ${status} ${JSON.stringify(answer)}`);
  }
}

/** Or it waits for a finalizer. */
async function isGone(server: OneServer, path: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { status, body } = await server.call('GET', path);
    if (status === 404 || meta(body).deletionTimestamp !== undefined) return;
    await wait(100);
  }
  assert.fail(`${path} is there, and not being deleted`);
}

for (const [turn, first] of [
  ['ours first', 'ours'],
  ['the real one first', 'real'],
] as const)
  void test(`every built-in kind, ${turn}`, async (context) => {
    const [writer, other] = first === 'ours' ? [servers.ours, servers.real] : [servers.real, servers.ours];
    const objects = new Map<string, RealObject>(
      minimalObjects({ namespace: NAMESPACE, ca: servers.cluster.ca }).map((object) => [
        `${object.apiVersion} ${object.kind}`,
        object,
      ]),
    );
    for (const resource of kinds)
      await context.test(`${apiVersionOf(resource)} ${resource.plural}`, async () => {
        const sample = objects.get(`${apiVersionOf(resource)} ${resource.kind}`);
        assert.ok(sample);
        const object = {
          ...sample,
          metadata: { ...sample.metadata, name: `${sample.metadata?.name}${suffix(sample, first)}` },
        };
        const collection = collectionOf(resource);
        const list = await must(other, 'GET', collection);
        const path = `${collection}/${object.metadata?.name ?? ''}`;
        const mine = await must(writer, 'POST', collection, { body: object });
        await readAlike(path, writer, other);
        await annotate(other, path);
        const back = await must(writer, 'GET', path);
        assert.equal(meta(back).annotations?.['changed'], 'by the other');
        const { events } = (
          await other.call('GET', collection, {
            query: {
              watch: 'true',
              resourceVersion: meta(list).resourceVersion ?? '',
              timeoutSeconds: '1',
              fieldSelector: `metadata.name=${meta(mine).name ?? ''}`,
            },
          })
        ).body as unknown as { events: { type: string; object: KubeObject }[] };
        assert.deepEqual(events.map(({ type }) => type).slice(0, 2), ['ADDED', 'MODIFIED']);
        const [added] = events;
        assert.deepEqual(
          [meta(added?.object).uid, meta(added?.object).resourceVersion],
          [meta(mine).uid, meta(mine).resourceVersion],
        );
        assert.ok(events.some((event) => meta(event.object).annotations?.['changed'] === 'by the other'));
        await must(writer, 'DELETE', path, { query: { gracePeriodSeconds: '0' } });
        await isGone(other, path);
      });
  });

for (const [turn, first] of [
  ['ours defines it', 'ours'],
  ['the real one defines it', 'real'],
] as const)
  test(`a custom resource in two versions, ${turn}`, async () => {
    const [writer, other] = first === 'ours' ? [servers.ours, servers.real] : [servers.real, servers.ours];
    const group = `${first}.turns.example.com`;
    const schema = {
      openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    };
    const printed = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];
    await must(writer, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `foos.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind: 'Foo', plural: 'foos', singular: 'foo' },
          versions: [
            { name: 'v1', served: true, storage: true, schema, additionalPrinterColumns: printed },
            { name: 'v2', served: true, storage: false, schema, subresources: { status: {} } },
          ],
        },
      },
    });
    const collection = (version: string): string => `/apis/${group}/${version}/namespaces/${NAMESPACE}/foos`;
    for (const server of [writer, other])
      for (let attempt = 0; (await server.call('GET', collection('v2'))).status !== 200; attempt++) {
        assert.ok(attempt < 100, `${server.name} does not serve the resource`);
        await wait(100);
      }
    const spec = { z: [1, 2.5, null, true], a: '<&>\u2028', size: 3, big: 12345678901 };
    const body = (version: string, name: string): object => ({
      apiVersion: `${group}/${version}`,
      kind: 'Foo',
      metadata: { name },
      spec,
    });
    await must(other, 'POST', collection('v1'), { body: body('v1', 'a') });
    await must(writer, 'POST', collection('v2'), { body: body('v2', 'b') });
    for (const version of ['v1', 'v2'])
      for (const name of ['a', 'b']) {
        await readAlike(`${collection(version)}/${name}`, writer, other);
        await annotate(version === 'v1' ? writer : other, `${collection(version)}/${name}`);
        await readAlike(`${collection(version)}/${name}`, writer, other);
      }
    await readAlike(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/foos.${group}`, writer, other);
  });

test('every value that is there by now is what we would write', async () => {
  let count = 0;
  for (const { key, value } of await etcdPairs(servers.cluster.etcdUrl, '/registry/', true)) {
    if (/^\/registry\/(masterleases|ranges|health|peerserverleases)/.test(key)) continue;
    count++;
    const written = encodeValue(decodeValue(value, 1));
    // The fields of what has a Go type stand in the order of that type, which JSON does not care for.
    if (/^\/registry\/api(extensions|registration)/.test(key))
      assert.deepEqual(JSON.parse(String(written)), JSON.parse(String(value)), key);
    else assert.deepEqual(String(written), String(value), key);
  }
  assert.ok(count > 150, `there are ${count} objects`);
});
