import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLabelSelector, ShardSelector } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { type InformerScope, type InformerTarget, identityOf, ResourceNames } from './informer-key.ts';

const BY_KIND = { group: 'apps', version: 'v1', kind: 'Deployment' };
const BY_PLURAL = { group: 'apps', version: 'v1', plural: 'deployments' };

test('one resource has one key by each of its names, in whichever order they come', () => {
  const orders: readonly (readonly InformerTarget[])[] = [
    [Deployment, BY_KIND, BY_PLURAL],
    [BY_KIND, Deployment, BY_PLURAL],
    [BY_PLURAL, Deployment, BY_KIND],
  ];
  for (const targets of orders) {
    const names = new ResourceNames();
    assert.equal(new Set(targets.map((target) => names.keyOf(target))).size, 1);
  }
});

test('other resources, and other versions, have keys of their own', () => {
  const names = new ResourceNames();
  const keys = [Deployment, Pod, { ...BY_KIND, version: 'v2' }, { group: 'apps', kind: 'Deployment' }].map(
    (target) => names.keyOf(target),
  );
  assert.equal(new Set(keys).size, 4);
});

test('the namespace, the selectors and the form make an informer another one', () => {
  const names = new ResourceNames();
  const scopes: readonly InformerScope[] = [
    {},
    { namespace: 'a' },
    { namespace: 'b' },
    { labelSelector: 'app=web' },
    { labelSelector: 'app=db' },
    { fieldSelector: 'spec.nodeName=n1' },
    { namespace: 'a', labelSelector: 'app=web' },
    { shardSelector: ShardSelector.part('object.metadata.uid', 0, 2) },
    { shardSelector: ShardSelector.part('object.metadata.uid', 1, 2) },
  ];
  const keys = scopes.flatMap((scope) => [
    identityOf(names, Pod, scope, 'full').key,
    identityOf(names, Pod, scope, 'metadata').key,
  ]);
  assert.equal(new Set(keys).size, keys.length);
});

test('selectors that mean the same are the same', () => {
  const names = new ResourceNames();
  const key = (labelSelector: InformerScope['labelSelector']): string =>
    identityOf(names, Pod, labelSelector === undefined ? {} : { labelSelector }, 'full').key;
  assert.equal(key('app=web,tier in (b,a)'), key('tier in (a, b), app = web'));
  assert.equal(key('app=web'), key(parseLabelSelector('app=web')));
  assert.equal(key(''), key(undefined));
  const shard = ShardSelector.part('object.metadata.namespace', 1, 3);
  const shardKey = (shardSelector: string | ShardSelector): string =>
    identityOf(names, Pod, { shardSelector }, 'full').key;
  assert.equal(shardKey(`( ${String(shard)} )`), shardKey(shard));
});

test('a name says it all', () => {
  const names = new ResourceNames();
  const scope = { namespace: 'shop', labelSelector: 'app=web', fieldSelector: 'spec.nodeName=n1' };
  assert.equal(identityOf(names, Pod, {}, 'full').name, 'pods');
  assert.equal(
    identityOf(names, Deployment, scope, 'metadata').name,
    'deployments.apps in shop, app=web, spec.nodeName=n1, metadata only',
  );
  assert.equal(identityOf(names, BY_KIND, {}, 'full').name, 'Deployment.apps');
});
