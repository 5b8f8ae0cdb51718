import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKind, keyLink, objectLink, parseRoute } from './route.ts';

for (const [hash, route] of [
  ['', { page: 'loop' }],
  ['#/loop', { page: 'loop' }],
  ['#/storage', { page: 'storage' }],
  ['#/nonsense', { page: 'loop' }],
  ['#/object/pods/default/web-1', { page: 'object', resource: 'pods', key: 'default/web-1' }],
  ['#/object/nodes/node-1', { page: 'object', resource: 'nodes', key: 'node-1' }],
  ['#/object/pods', { page: 'cluster' }],
  ['#/key/deployment', { page: 'loop' }],
  ['#/key/a%2Fb/default/x%20y', { page: 'key', controller: 'a/b', key: 'default/x y' }],
  ['#/key/c/100%', { page: 'key', controller: 'c', key: '100%' }],
] as const)
  test(`${JSON.stringify(hash)} is a place`, () => assert.deepEqual(parseRoute(hash), route));

test('links lead to what they name, whatever characters it has', () => {
  for (const key of ['default/web-1', 'node-1', 'a/b/c', 'x y/ü#?%']) {
    assert.deepEqual(parseRoute(objectLink('pods', key)), { page: 'object', resource: 'pods', key });
    assert.deepEqual(parseRoute(keyLink('my/controller', key)), {
      page: 'key',
      controller: 'my/controller',
      key,
    });
  }
});

test('a link to a pod reads like its key', () => {
  assert.equal(objectLink('pods', 'default/web-1'), '#/object/pods/default/web-1');
});

test('kinds begin with a capital', () => assert.deepEqual([isKind('Pod'), isKind('pods')], [true, false]));
