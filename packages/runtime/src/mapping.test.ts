import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta, OwnerReference, ServedMeta } from '@windlass/apimachinery';
import { toItself, toOwner } from './mapping.ts';

const foo = { group: 'example.com', kind: 'Foo' };
const reference = (more: Partial<OwnerReference>): OwnerReference => ({
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  name: 'a',
  uid: 'u',
  controller: true,
  ...more,
});
const stored = (metadata: ObjectMeta & { name: string }): { metadata: ServedMeta } => ({
  metadata: { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-02T03:04:05Z', ...metadata },
});
const keys = (references: OwnerReference[], owner = foo, options = {}): string[] => [
  ...toOwner(owner, options)(stored({ name: 'x', namespace: 'shop', ownerReferences: references })),
];

test('an object is its own key', () => {
  assert.deepEqual([...toItself(stored({ name: 'a', namespace: 'shop' }))], ['shop/a']);
  assert.deepEqual([...toItself(stored({ name: 'a' }))], ['a']);
});

test('an owner is found by group and kind, whatever its version', () => {
  assert.deepEqual(keys([reference({ apiVersion: 'example.com/v7' })]), ['shop/a']);
  assert.deepEqual(keys([reference({ apiVersion: 'other.com/v1' })]), []);
  assert.deepEqual(keys([reference({ kind: 'Bar' })]), []);
  assert.deepEqual(keys([reference({ apiVersion: 'v1' })], { group: '', kind: 'Foo' }), ['shop/a']);
  assert.deepEqual([...toOwner(foo)(stored({ name: 'x' }))], []);
});

test('only who controls it, unless every owner is asked for', () => {
  const references = [reference({ controller: false, name: 'b' }), reference({})];
  assert.deepEqual(keys(references), ['shop/a']);
  assert.deepEqual(keys(references, foo, { everyOwner: true }), ['shop/b', 'shop/a']);
});

test('an owner without a namespace is found by its name', () => {
  const cluster = { ...foo, namespaced: false };
  assert.deepEqual(keys([reference({})], cluster), ['a']);
});
