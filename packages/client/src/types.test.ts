// What the types promise, checked by the compiler: a line marked `@ts-expect-error` that compiles is a
// failure of the type check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeList, KubeObject, ResourceType, Served, Status } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import {
  type AllNamespacesClient,
  type ClusterScopedClient,
  createClient,
  type DynamicObject,
  type KindQuery,
  type PartialObjectMetadata,
  type ResourceClient,
  type WatchEvent,
} from './index.ts';
import { FakeTransport } from './testing/index.ts';

type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

function expectType<Expected>() {
  return <Actual>(_value: () => Actual, _same: Equal<Actual, Expected>): void => {};
}

interface Widget {
  apiVersion?: string;
  kind?: string;
  metadata?: { name?: string; namespace?: string };
  spec?: { size: number };
}

test('types follow from the kind', () => {
  const client = createClient({ transport: new FakeTransport() });
  expectType<AllNamespacesClient<Deployment>>()(() => client.resource(Deployment), true);
  const deployments = client.resource(Deployment).namespace('a');
  expectType<ResourceClient<Deployment>>()(() => deployments, true);
  expectType<ClusterScopedClient<Node>>()(() => client.resource(Node), true);
  expectType<Promise<Served<Deployment>>>()(() => deployments.get('x'), true);
  expectType<Promise<KubeList<Served<Deployment>>>>()(() => deployments.list(), true);
  expectType<Promise<Served<Deployment> | Status>>()(() => deployments.delete('x'), true);
  expectType<Promise<KubeList<Served<PartialObjectMetadata>>>>()(() => deployments.metadata.list(), true);
  expectType<AsyncIterableIterator<WatchEvent<Deployment>>>()(() => deployments.watch(), true);
  expectType<ResourceClient<DynamicObject>>()(() => client.resource({ group: 'a', kind: 'B' }), true);
  expectType<ResourceClient<Widget>>()(() => client.resource<Widget>({ group: 'a', plural: 'b' }), true);

  const calls = (): unknown[] => [
    client.resource(Pod).namespace('a').logs('x'),
    // @ts-expect-error only pods have logs
    deployments.logs('x'),
    // @ts-expect-error a pod is in a namespace
    client.resource(Pod).logs('x'),
    deployments.patch('x', { spec: { replicas: 1, paused: null } }),
    // @ts-expect-error replicas is a number
    deployments.patch('x', { spec: { replicas: 'many' } }),
    // @ts-expect-error there is no such field
    deployments.patch('x', { spec: { replicaz: 1 } }),
    deployments.patch(
      'x',
      { spec: { template: { spec: { containers: [{ name: 'a', image: 'b' }] } } } },
      { type: 'strategic' },
    ),
    deployments.apply({ metadata: { name: 'a' }, spec: { replicas: 1 } }, { fieldManager: 'me' }),
    // @ts-expect-error no type of patch
    deployments.patch('x', {}, { type: 'smart' }),
    // @ts-expect-error a pod is no deployment
    deployments.create({ kind: 'Pod', metadata: { name: 'x' } }),
    // @ts-expect-error no such policy
    deployments.delete('x', { propagationPolicy: 'Later' }),
    // @ts-expect-error a name is needed
    deployments.get(),
  ];
  assert.equal(typeof calls, 'function');
});

test('what needs a namespace is there after it is named, and nowhere else', () => {
  const client = createClient({ transport: new FakeTransport() });
  const pods = client.resource(Pod);
  const calls = (): unknown[] => [
    pods.list(),
    pods.metadata.list(),
    pods.create({ metadata: { name: 'p', namespace: 'a' } }),
    pods.namespace('a').create({ metadata: { name: 'p' } }),
    pods.namespace('a').get('p'),
    // @ts-expect-error a pod of which namespace?
    pods.create({ metadata: { name: 'p' } }),
    // @ts-expect-error a pod of which namespace?
    pods.apply({ metadata: { name: 'p' } }),
    // @ts-expect-error a pod of which namespace?
    pods.get('p'),
    // @ts-expect-error a pod of which namespace?
    pods.delete('p'),
    // @ts-expect-error a pod of which namespace?
    pods.status.patch('p', {}),
    // @ts-expect-error a pod of which namespace?
    pods.metadata.get('p'),
    client.resource(Node).get('n'),
    client.resource(Node).create({ metadata: { name: 'n' } }),
    // @ts-expect-error a node lives in no namespace
    client.resource(Node).namespace('a'),
    // @ts-expect-error a node lives in no namespace
    client.resource(Node).create({ metadata: { name: 'n', namespace: 'a' } }),
  ];
  // What is named at run time only may live anywhere.
  const dynamic = (): unknown[] => {
    const widgets = client.resource<Widget>({ group: 'example.com', plural: 'widgets' });
    return [widgets.get('w'), widgets.namespace('a').get('w')];
  };
  const anyKind = <T extends KubeObject>(type: ResourceType<T>): ResourceClient<T> => {
    const query: KindQuery = type;
    return client.resource<T>(query);
  };
  assert.deepEqual([typeof calls, typeof dynamic], ['function', 'function']);
  assert.ok(anyKind(Node) instanceof Object);
});

test('events are told apart by their type', () => {
  const read = (event: WatchEvent<Pod>): string | undefined => {
    if (event.type === 'BOOKMARK') return event.object.metadata.resourceVersion;
    return event.object.spec?.nodeName ?? event.object.metadata.name;
  };
  const metadata = {
    name: 'p',
    namespace: 'n',
    uid: 'u',
    resourceVersion: '8',
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  assert.equal(read({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } }), '7');
  assert.equal(read({ type: 'ADDED', object: { metadata, spec: { containers: [], nodeName: 'n' } } }), 'n');
  assert.equal(read({ type: 'DELETED', object: { metadata } }), 'p');
});
