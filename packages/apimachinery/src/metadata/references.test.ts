import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referenceTo } from './references.ts';

const metadata = { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } };
const podType = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

test('a reference has what finds the object again', () => {
  assert.deepEqual(referenceTo({ apiVersion: 'apps/v1', kind: 'Deployment', metadata }), {
    kind: 'Deployment',
    namespace: 'default',
    name: 'web',
    uid: 'u1',
    apiVersion: 'apps/v1',
    resourceVersion: '7',
  });
});

test('what the object does not have, the reference does not have', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
  assert.deepEqual(referenceTo(node), { kind: 'Node', name: 'n', apiVersion: 'v1' });
});

test('a part of it', () => {
  const options = { type: podType, fieldPath: 'spec.containers{web}' };
  assert.equal(referenceTo({ metadata }, options).fieldPath, 'spec.containers{web}');
});

test('items of lists do not say what they are, so that the caller does', () => {
  const { apiVersion, kind } = referenceTo({ metadata }, { type: podType });
  assert.deepEqual([apiVersion, kind], ['v1', 'Pod']);
  assert.throws(() => referenceTo({ metadata }), {
    code: 'INVALID_REFERENCE',
    message: 'the object "web" has no apiVersion and kind; pass its type',
  });
});
