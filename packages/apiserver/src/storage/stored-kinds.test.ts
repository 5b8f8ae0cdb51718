import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { createMemoryStore } from './memory-store.ts';
import { getOfKind, kindPrefix, listOfKind, objectOfKind } from './stored-kinds.ts';

async function filled() {
  const store = createMemoryStore();
  for (const key of ['//pods/a/x', '//pods/b/x', '//pods/b/y', '//nodes/x'])
    await store.put(key, { metadata: { name: key } }, 0);
  return store;
}

test('keys of a kind have its prefix, with the namespace if there is one', () => {
  assert.equal(kindPrefix(Pod), '//pods/');
  assert.equal(kindPrefix(Pod, 'a'), '//pods/a/');
});

test('an object is found by its name, in its namespace if the kind has them', async () => {
  await using store = await filled();
  const nameOf = async (found: Promise<{ metadata?: { name?: string } } | undefined>) =>
    (await found)?.metadata?.name;
  assert.equal(await nameOf(getOfKind(store, Pod, 'x', 'b')), '//pods/b/x');
  assert.equal(await nameOf(getOfKind(store, Node, 'x')), '//nodes/x');
  assert.equal(await getOfKind(store, Pod, 'y', 'a'), undefined);
  assert.equal(await getOfKind(store, Node, 'y'), undefined);
});

test('a list is of one kind, in all namespaces or in one', async () => {
  await using store = await filled();
  const names = async (namespace?: string) =>
    (await listOfKind(store, Pod, namespace)).map(({ metadata }) => metadata?.name);
  assert.deepEqual(await names(), ['//pods/a/x', '//pods/b/x', '//pods/b/y']);
  assert.deepEqual(await names('b'), ['//pods/b/x', '//pods/b/y']);
});

test('an object of another kind is refused', () => {
  assert.throws(() => objectOfKind(Pod, { key: '//nodes/x', object: {} }), {
    name: 'TypeError',
    message: 'the object at //nodes/x is no Pod',
  });
});
