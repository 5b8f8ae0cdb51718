import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import { difference, endStateOf } from './end-state.ts';

const copy = (owner: string, more: Partial<KubeObject> & Record<string, unknown> = {}) => ({
  key: '//configmaps/default/a-copy',
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a-copy',
      uid: `uid-${owner}-copy`,
      resourceVersion: String(owner.length),
      creationTimestamp: '2026-01-01T00:00:00Z',
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: owner }],
    },
    ...more,
  },
});
const owner = (uid: string): KubeObject => ({ metadata: { name: 'a', uid } });

test('uids are equal when they are those of objects of one name, also of objects that are not compared or gone', () => {
  const one = endStateOf([copy('1111')], {}, [owner('1111')]);
  assert.deepEqual(endStateOf([copy('2222')], {}, [owner('2222')]), one);
  assert.notDeepEqual(endStateOf([copy('3333')], {}, [{ metadata: { name: 'b', uid: '3333' } }]), one);
});

test('names that the server made are equal, in keys, names and texts', () => {
  const pod = (suffix: string) => ({
    key: `//pods/default/web-${suffix}`,
    object: {
      metadata: { name: `web-${suffix}`, generateName: 'web-' },
      status: { message: `web-${suffix} runs` },
    },
  });
  assert.deepEqual(endStateOf([pod('abcde')]), endStateOf([pod('xyz12')]));
  assert.equal(difference(endStateOf([pod('a'), pod('b')]), endStateOf([pod('c'), pod('d')])), undefined);
  assert.match(
    difference(endStateOf([pod('a')]), endStateOf([pod('c'), pod('d')])) ?? '',
    /only with them: /,
  );
});

test('of an object that is in both ends the fields are told, of another one the whole', () => {
  const at = (name: string, image: string, more: readonly string[] = []) => ({
    key: `//pods/default/${name}`,
    object: { kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'main', image }], more } },
  });
  const before = endStateOf([at('web', 'a:1'), at('gone', 'a:1')]);
  const after = endStateOf([at('web', 'a:2', ['x']), at('new', 'a:1')]);
  assert.deepEqual(difference(before, after)?.split('\n'), [
    '',
    '  //pods/default/web, without faults and with them:',
    '    spec.containers[0].image: "a:1" and "a:2"',
    '    spec.more: [] and ["x"]',
    '  only without faults: //pods/default/gone {"kind":"Pod","metadata":{"name":"gone"},"spec":{"containers":[{"image":"a:1","name":"main"}],"more":[]}}',
    '  only with them: //pods/default/new {"kind":"Pod","metadata":{"name":"new"},"spec":{"containers":[{"image":"a:1","name":"main"}],"more":[]}}',
  ]);
});

test('times are equal, generations are not told, but an old status is', () => {
  const at = (time: string, observedGeneration: number, generation: number) => ({
    key: '/x/apps/default/a',
    object: { metadata: { name: 'a', generation }, status: { observedGeneration, at: time } },
  });
  const current = endStateOf([at('2026-01-01T00:00:00Z', 2, 2)]);
  assert.deepEqual(endStateOf([at('2026-05-05T01:02:03.5+01:00', 3, 3)]), current);
  assert.notDeepEqual(endStateOf([at('2026-01-01T00:00:00Z', 2, 3)]), current);
});

test('where a pod landed is not told, but whether it did is', () => {
  const pod = (node: string | undefined, last: number) => ({
    key: '//pods/default/web-0',
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-0' },
      spec: {
        ...(node !== undefined && { nodeName: node }),
        volumes: [{ name: `kube-api-access-abcd${last}` }],
      },
      status: { podIP: `10.0.0.${last}`, containerStatuses: [{ name: 'main', containerID: `x://${last}` }] },
    },
  });
  const slice = (node: string, last: number) => ({
    key: '/discovery.k8s.io/endpointslices/default/web',
    object: {
      kind: 'EndpointSlice',
      metadata: { name: 'web' },
      endpoints: [{ nodeName: node, addresses: [`10.0.0.${last}`], conditions: { ready: true } }],
    },
  });
  assert.deepEqual(
    endStateOf([pod('node-1', 1), slice('node-1', 1)]),
    endStateOf([pod('node-2', 2), slice('node-2', 2)]),
  );
  assert.notDeepEqual(endStateOf([pod('node-1', 1)]), endStateOf([pod(undefined, 1)]));
  // What an object of another kind calls a node's name may be meant.
  const mine = (nodeName: string) => ({ key: '/x/y/z', object: { kind: 'Mine', spec: { nodeName } } });
  assert.notDeepEqual(endStateOf([mine('node-1')]), endStateOf([mine('node-2')]));
});

test('the user changes what is compared, and leaves out what is not', () => {
  const normalise = ({ metadata, ...rest }: KubeObject): KubeObject | undefined =>
    metadata?.name === 'a-copy' ? undefined : { metadata: metadata ?? {}, ...rest };
  assert.deepEqual(endStateOf([copy('1')], { normalise }), []);
});
