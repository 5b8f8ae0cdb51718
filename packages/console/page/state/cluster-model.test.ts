import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterItem, EventItem, NodeItem, OwnerItem } from '../../src/protocol.ts';
import { ClusterModel } from './cluster-model.ts';

const node = (key: string, uid = key): NodeItem => ({
  kind: 'Node',
  key,
  uid,
  createdAt: 0,
  ready: true,
  unschedulable: false,
  lost: false,
});

const owner = (resource: string, key: string): OwnerItem => ({
  kind: 'Owner',
  key,
  uid: `${resource} ${key}`,
  createdAt: 0,
  objectKind: resource,
  resource,
  desired: 1,
  ready: 1,
  owners: [],
});

const event = (key: string, lastAt: number): EventItem => ({
  kind: 'Event',
  key,
  uid: key,
  createdAt: 0,
  isWarning: false,
  reason: '',
  message: '',
  about: '',
  aboutKind: '',
  aboutKey: '',
  by: '',
  count: 1,
  lastAt,
});

const set = (item: ClusterItem) => ({ type: 'set', item }) as const;
const keysOf = (items: readonly ClusterItem[]): string[] => items.map(({ key }) => key);

test('what is set is there, under its newest state, by its key; what is gone is not', () => {
  const cluster = new ClusterModel();
  assert.equal(cluster.isKnown, false);
  cluster.apply([set(node('b')), set(node('a')), set(node('c')), set(node('a', 'another'))]);
  cluster.apply([{ type: 'gone', kind: 'Node', key: 'c' }]);
  assert.equal(cluster.isKnown, true);
  assert.deepEqual(keysOf(cluster.nodes()), ['a', 'b']);
  assert.equal(cluster.nodes()[0]?.uid, 'another');
});

test('items are in the order in which people count', () => {
  const cluster = new ClusterModel();
  cluster.apply(['node-10', 'node-2', 'node-1'].map((name) => set(node(name))));
  assert.deepEqual(keysOf(cluster.nodes()), ['node-1', 'node-2', 'node-10']);
});

test('the first message after a lost connection has everything: the rest is gone, but not before', () => {
  const cluster = new ClusterModel();
  cluster.apply([set(node('a')), set(node('b'))]);
  cluster.beginAnew();
  assert.deepEqual(keysOf(cluster.nodes()), ['a', 'b']);
  cluster.apply([set(node('b'))]);
  cluster.apply([set(node('c'))]);
  assert.deepEqual(keysOf(cluster.nodes()), ['b', 'c']);
});

test('owners of different kinds may have the same name', () => {
  const cluster = new ClusterModel();
  const items = [owner('deployments.apps', 'default/web'), owner('statefulsets.apps', 'default/web')];
  cluster.apply(items.map(set));
  cluster.apply([{ type: 'gone', kind: 'Owner', key: 'default/web', resource: 'deployments.apps' }]);
  assert.deepEqual(
    cluster.owners().map(({ resource }) => resource),
    ['statefulsets.apps'],
  );
  cluster.apply([{ type: 'gone', kind: 'Owner', key: 'default/web' }]);
  assert.deepEqual(cluster.owners(), []);
});

test('the newest events come first', () => {
  const cluster = new ClusterModel();
  cluster.apply([set(event('old', 1)), set(event('new', 3)), set(event('b', 2)), set(event('a', 2))]);
  assert.deepEqual(keysOf(cluster.events()), ['new', 'a', 'b', 'old']);
});
