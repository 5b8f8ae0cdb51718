import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applySetId, contentsOf, parentMetadata, unionOf } from './apply-set.ts';

const PARENT = { group: '', kind: 'Secret', name: 'test', namespace: 'default' };

test('the id is what KEP-3659 says', () => {
  // As kubectl's own tests have it.
  const known = { ...PARENT, name: 'my-set', namespace: 'test' };
  assert.equal(applySetId(known), 'applyset-0eFHV8ySqp7XoShsGvyWFQD3s96yqwHmzc4e0HR1dsY-v1');
  assert.notEqual(applySetId({ ...PARENT, namespace: undefined }), applySetId(PARENT));
});

test('what a parent is given, is read from it again', () => {
  const contents = { groupKinds: ['ConfigMap', 'Deployment.apps'], namespaces: ['a', 'b'] };
  const metadata = parentMetadata(PARENT, 'windlass/v1', contents);
  assert.equal(
    metadata.annotations['applyset.kubernetes.io/contains-group-kinds'],
    'ConfigMap,Deployment.apps',
  );
  assert.deepEqual(contentsOf(PARENT, 'windlass/v2', metadata), contents);
  const none = { groupKinds: [], namespaces: [] };
  assert.deepEqual(contentsOf(PARENT, 'windlass/v2', parentMetadata(PARENT, 'windlass/v1', none)), none);
  assert.deepEqual(unionOf(contents, { groupKinds: ['Pod', 'ConfigMap'], namespaces: ['a', '0'] }), {
    groupKinds: ['ConfigMap', 'Deployment.apps', 'Pod'],
    namespaces: ['0', 'a', 'b'],
  });
});

const good = parentMetadata(PARENT, 'windlass/v1', { groupKinds: [], namespaces: [] });
const WRONG = [
  ['no parent at all', {}, /has no annotation applyset.kubernetes.io\/tooling/],
  [
    'that of another program',
    parentMetadata(PARENT, 'kubectl/v1.32.4', { groupKinds: [], namespaces: [] }),
    /that kubectl\/v1.32.4 keeps; use that, or set tooling/,
  ],
  ['one without an id', { ...good, labels: {} }, /but its name demands applyset-/],
  ['one that was copied', { ...good, labels: { 'applyset.kubernetes.io/id': 'x' } }, /was it renamed/],
] as const;

for (const [what, metadata, message] of WRONG)
  test(`a parent is refused: ${what}`, () => {
    assert.throws(() => contentsOf(PARENT, 'windlass/v1', metadata), { code: 'APPLY_SET', message });
  });
