import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerItem, PodItem } from '../../src/protocol.ts';
import { isRetired, type OwnerNode, ownerTrees } from './owner-tree.ts';

const owner = (uid: string, owners: string[] = [], desired = 1): OwnerItem => ({
  kind: 'Owner',
  key: uid,
  uid,
  createdAt: 0,
  objectKind: 'ReplicaSet',
  resource: 'replicasets.apps',
  desired,
  ready: 0,
  owners,
});

const pod = (uid: string, owners: string[]): PodItem => ({
  kind: 'Pod',
  key: uid,
  uid,
  createdAt: 0,
  node: undefined,
  state: 'Running',
  mood: 'well',
  restarts: 0,
  owners,
});

/** `web(new[2] old[0])`. */
const drawn = ({ owner: { uid }, owners, podCount }: OwnerNode): string =>
  owners.length === 0 ? `${uid}[${podCount}]` : `${uid}(${owners.map(drawn).join(' ')})`;

test('owners stand above what they own, with the pods of all below', () => {
  const trees = ownerTrees(
    [owner('web'), owner('old', ['web'], 0), owner('new', ['web']), owner('alone')],
    [pod('a', ['new']), pod('b', ['new']), pod('c', ['nobody']), pod('d', [])],
  );
  assert.deepEqual(trees.map(drawn), ['web(old[0] new[2])', 'alone[0]']);
  assert.equal(trees[0]?.podCount, 2);
});

test('what an unknown owner owns is a root', () => {
  assert.deepEqual(ownerTrees([owner('orphan', ['unknown'])], []).map(drawn), ['orphan[0]']);
});

test('a circle is not followed for ever', () => {
  const trees = ownerTrees([owner('root'), owner('a', ['root', 'b']), owner('b', ['a'])], []);
  assert.deepEqual(trees.map(drawn), ['root(a(b[0]))']);
});

test('the sets of former rollouts are retired; one that just has no pods yet is not', () => {
  const [tree] = ownerTrees([owner('web'), owner('old', ['web'], 0), owner('new', ['web'], 2)], []);
  assert.deepEqual(tree?.owners.map(isRetired), [true, false]);
  assert.deepEqual(ownerTrees([owner('scaled-to-zero', [], 0)], []).map(isRetired), [false]);
});
