import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deepFreeze } from '../json/deep-freeze.ts';
import type { KubeObject, OwnerReference } from '../object.ts';
import {
  controllerOf,
  controllerReferenceTo,
  isControlledBy,
  isOwnedBy,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owner-references.ts';

const owner = deepFreeze<KubeObject>({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default', uid: 'u1' },
});
const pod = deepFreeze<KubeObject>({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'default', labels: { app: 'web' } },
});
const reference: OwnerReference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u1' };
const controlling = { ...reference, controller: true, blockOwnerDeletion: true };
const other: OwnerReference = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u9' };

const owned = (...ownerReferences: OwnerReference[]) =>
  deepFreeze<KubeObject>({ ...pod, metadata: { ...pod.metadata, ownerReferences } } as KubeObject);

describe('who controls', () => {
  test('the one reference that says so', () => {
    assert.deepEqual(controllerOf(owned(other, controlling)), controlling);
    assert.equal(controllerOf(owned(other)), undefined);
    assert.equal(controllerOf(owned({ ...reference, controller: false })), undefined);
    assert.equal(controllerOf({}), undefined);
  });

  test('by uid: a namesake does not', () => {
    assert.equal(isControlledBy(owned(controlling), owner), true);
    assert.equal(isControlledBy(owned(reference), owner), false);
    assert.equal(isControlledBy(owned(controlling), { metadata: { name: 'web', uid: 'u2' } }), false);
    assert.equal(isControlledBy(owned({ ...controlling, uid: '' }), { metadata: { uid: '' } }), false);
    assert.equal(isOwnedBy(owned(other, reference), owner), true);
    assert.equal(isOwnedBy(owned(other), owner), false);
    assert.equal(isOwnedBy(pod, owner), false);
    assert.equal(isOwnedBy(pod, {}), false);
  });
});

describe('setting the controller', () => {
  test('makes a new object and leaves the old one alone', () => {
    const changed = setControllerReference(owner, pod);
    assert.deepEqual(changed.metadata, { ...pod.metadata, ownerReferences: [controlling] });
    assert.equal(pod.metadata?.ownerReferences, undefined);
    assert.equal(changed.metadata?.labels, pod.metadata?.labels, 'what does not change is shared');
  });

  test('changes nothing when it is set already', () => {
    const object = owned(other, controlling);
    assert.equal(setControllerReference(owner, object), object);
  });

  test('keeps other owners and the order', () => {
    const changed = setControllerReference(owner, owned(other, reference));
    assert.deepEqual(changed.metadata?.ownerReferences, [other, controlling]);
  });

  test('replaces an earlier life of the owner, and an older version of it', () => {
    const object = owned({ ...controlling, uid: 'u0', apiVersion: 'apps/v1beta1' });
    assert.deepEqual(setControllerReference(owner, object).metadata?.ownerReferences, [controlling]);
  });

  test('is refused while another controls', () => {
    assert.throws(() => setControllerReference(owner, owned({ ...controlling, name: 'api' })), {
      code: 'ALREADY_OWNED',
      message: 'Object default/web-1 is already owned by another ReplicaSet controller api',
    });
    const sameNameOtherGroup = { ...controlling, apiVersion: 'example.com/v1' };
    assert.throws(() => setControllerReference(owner, owned(sameNameOtherGroup)), { code: 'ALREADY_OWNED' });
  });

  test('lets the caller decide whether deletion waits', () => {
    const changed = setControllerReference(owner, pod, { blockOwnerDeletion: false });
    assert.equal(controllerOf(changed)?.blockOwnerDeletion, false);
  });

  test('needs to know what the owner is', () => {
    const { apiVersion: _version, kind: _kind, ...bare } = owner;
    assert.throws(() => setControllerReference(bare, pod), { code: 'INVALID_REFERENCE' });
    const ownerType = {
      group: 'apps',
      version: 'v1',
      kind: 'ReplicaSet',
      plural: 'replicasets',
      namespaced: true,
    };
    assert.deepEqual(controllerOf(setControllerReference(bare, pod, { ownerType })), controlling);
    assert.deepEqual(controllerReferenceTo(bare, ownerType), controlling);
  });

  test('needs an owner that exists', () => {
    const unborn = { ...owner, metadata: { name: 'web', namespace: 'default' } };
    assert.throws(
      () => setControllerReference(unborn, pod),
      /before the API server has given it a name and a uid/,
    );
  });
});

describe('scopes', () => {
  const clusterOwner = { ...owner, metadata: { name: 'web', uid: 'u1' } };
  const clusterPod = { ...pod, metadata: { name: 'web-1' } };

  test('an owner at the cluster scope owns everywhere', () => {
    assert.equal(isOwnedBy(setOwnerReference(clusterOwner, pod), clusterOwner), true);
    assert.equal(isOwnedBy(setControllerReference(clusterOwner, clusterPod), clusterOwner), true);
  });

  test('an owner in a namespace owns only there', () => {
    const elsewhere = { ...pod, metadata: { name: 'web-1', namespace: 'other' } };
    assert.throws(() => setOwnerReference(owner, elsewhere), {
      code: 'INVALID_REFERENCE',
      message:
        "cross-namespace owner references are disallowed, owner's namespace default, obj's namespace other",
    });
    assert.throws(() => setControllerReference(owner, clusterPod), {
      message: "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace default",
    });
  });
});

describe('plain owners', () => {
  test('stand beside a controller', () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u9' } };
    const changed = setOwnerReference(node, owned(controlling));
    assert.deepEqual(changed.metadata?.ownerReferences, [controlling, other]);
    assert.equal(setOwnerReference(node, changed), changed);
    const blocking = setOwnerReference(node, changed, { blockOwnerDeletion: true });
    assert.deepEqual(blocking.metadata?.ownerReferences?.[1], { ...other, blockOwnerDeletion: true });
  });

  test('are removed, and with the last one the field', () => {
    const one = removeOwnerReference(owner, owned(other, controlling));
    assert.deepEqual(one.metadata?.ownerReferences, [other]);
    const none = removeOwnerReference(owner, owned(controlling));
    assert.deepEqual(none.metadata, pod.metadata);
    assert.equal(removeOwnerReference(owner, pod), pod);
  });
});
