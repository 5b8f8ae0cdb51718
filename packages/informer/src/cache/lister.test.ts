import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotFound, parseLabelSelector } from '@windlass/apimachinery';
import { type TestObject, testObject } from '../testing/test-object.ts';
import { Indexer } from './indexer.ts';
import { createLister, NAMESPACE_INDEX, namespaceOf } from './lister.ts';

function lister() {
  const indexer = new Indexer<TestObject>({ lazyIndexers: { [NAMESPACE_INDEX]: namespaceOf } });
  const rows = [
    ['x/a', 'web'],
    ['x/b', 'db'],
    ['y/c', 'web'],
  ] as const;
  for (const [key, app] of rows)
    indexer.set(key, testObject(key, { uid: key, version: 1, writes: 1, labels: { app } }));
  return createLister<TestObject>(indexer, { group: 'example.com', plural: 'things' });
}

const names = (objects: readonly { readonly metadata: { readonly name: string } }[]): string[] =>
  objects.map(({ metadata }) => metadata.name);

test('by namespace, by selector, by both, or all', () => {
  const things = lister();
  assert.deepEqual(names(things.list()), ['a', 'b', 'c']);
  assert.deepEqual(names(things.list({ namespace: 'x' })), ['a', 'b']);
  assert.deepEqual(names(things.list({ selector: 'app=web' })), ['a', 'c']);
  assert.deepEqual(names(things.list({ namespace: 'x', selector: parseLabelSelector('app!=web') })), ['b']);
  assert.deepEqual(names(things.list({ namespace: 'none', selector: '' })), []);
  assert.deepEqual(names(things.byIndex(NAMESPACE_INDEX, 'y')), ['c']);
});

test('one object: found, not found, and missed as the API misses it', () => {
  const things = lister();
  assert.equal(things.find('a', 'x')?.metadata.name, 'a');
  assert.equal(things.find('a'), undefined);
  assert.equal(things.get('a', 'x'), things.find('a', 'x'));
  assert.throws(
    () => things.get('a', 'y'),
    (error) => isNotFound(error) && /things\.example\.com "a" not found/.test((error as Error).message),
  );
});
