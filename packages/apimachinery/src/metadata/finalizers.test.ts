import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepFreeze } from '../json/deep-freeze.ts';
import type { KubeObject } from '../object.ts';
import { addFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from './finalizers.ts';

const object = deepFreeze({ kind: 'Pod', metadata: { name: 'a', finalizers: ['x/a', 'x/b'] } });

test('adding makes a new object, once', () => {
  const added = addFinalizer(object, 'x/c');
  assert.deepEqual(added.metadata.finalizers, ['x/a', 'x/b', 'x/c']);
  assert.deepEqual(object.metadata.finalizers, ['x/a', 'x/b']);
  assert.equal(addFinalizer(added, 'x/c'), added);
  assert.equal(hasFinalizer(added, 'x/c'), true);
});

test('adding the first one', () => {
  assert.deepEqual(addFinalizer({ kind: 'Pod' }, 'x/a'), { kind: 'Pod', metadata: { finalizers: ['x/a'] } });
});

test('removing keeps the others, and with the last one the field goes', () => {
  const one = removeFinalizer(object, 'x/a');
  assert.deepEqual(one.metadata.finalizers, ['x/b']);
  assert.deepEqual(removeFinalizer(one, 'x/b'), { kind: 'Pod', metadata: { name: 'a' } });
  assert.equal(removeFinalizer(object, 'x/z'), object);
  const twice = { metadata: { finalizers: ['x/a', 'x/b', 'x/a'] } };
  assert.deepEqual(removeFinalizer(twice, 'x/a').metadata.finalizers, ['x/b']);
});

test('an object is being deleted from the moment that somebody asks', () => {
  assert.equal(isBeingDeleted(object), false);
  assert.equal(isBeingDeleted({}), false);
  const unset = JSON.parse('{"metadata":{"deletionTimestamp":null}}') as KubeObject;
  assert.equal(isBeingDeleted(unset), false);
  assert.equal(isBeingDeleted({ metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } }), true);
});
