// What the types promise, checked by the compiler: a line marked `@ts-expect-error` that compiles is a
// failure of the type check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeList, Status } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import {
  createClient,
  type DynamicObject,
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
  const deployments = client.resource(Deployment);
  expectType<ResourceClient<Deployment>>()(() => deployments, true);
  expectType<Promise<Deployment>>()(() => deployments.get('x'), true);
  expectType<Promise<KubeList<Deployment>>>()(() => deployments.list(), true);
  expectType<Promise<Deployment | Status>>()(() => deployments.delete('x'), true);
  expectType<Promise<KubeList<PartialObjectMetadata>>>()(() => deployments.metadata.list(), true);
  expectType<AsyncIterableIterator<WatchEvent<Deployment>>>()(() => deployments.watch(), true);
  expectType<ResourceClient<DynamicObject>>()(() => client.resource({ group: 'a', kind: 'B' }), true);
  expectType<ResourceClient<Widget>>()(() => client.resource<Widget>({ group: 'a', plural: 'b' }), true);

  const calls = (): unknown[] => [
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

test('events are told apart by their type', () => {
  const read = (event: WatchEvent<Pod>): string | undefined => {
    if (event.type === 'BOOKMARK') return event.object.metadata.resourceVersion;
    return event.object.spec?.nodeName;
  };
  assert.equal(read({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } }), '7');
  assert.equal(read({ type: 'ADDED', object: { spec: { containers: [], nodeName: 'n' } } }), 'n');
});
