import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { AdmissionRequest } from './admission.ts';
import { isOf, isOfKind, objectOf, oldObjectOf } from './request-kind.ts';

function requestOf(fields: Partial<AdmissionRequest>): AdmissionRequest {
  const request: Partial<AdmissionRequest> = {
    operation: 'CREATE',
    subresource: '',
    object: undefined,
    oldObject: undefined,
    ...fields,
  };
  // Of a definition, these functions look at the resource only.
  return { definition: { group: '', plural: 'pods' }, ...request } as AdmissionRequest;
}

test('a write is of a resource, or of a part of it', () => {
  const whole = requestOf({});
  assert.equal(isOf(whole, Pod, ['CREATE', 'UPDATE']), true);
  assert.equal(isOf(whole, Pod, ['UPDATE']), false);
  assert.equal(isOf(whole, Node, ['CREATE']), false);
  const part = requestOf({ subresource: 'status' });
  assert.equal(isOf(part, Pod, ['CREATE']), false);
  assert.equal(isOfKind(part, Pod), true);
  assert.equal(isOfKind(part, { ...Pod, group: 'example.com' }), false);
});

test('the objects of a write have the type of the resource', () => {
  const object = { spec: { nodeName: 'a' } };
  const oldObject = { spec: { nodeName: 'b' } };
  const request = requestOf({ operation: 'UPDATE', object, oldObject });
  assert.equal(objectOf(request, Pod).spec?.nodeName, 'a');
  assert.equal(oldObjectOf(request, Pod).spec?.nodeName, 'b');
});

test('a plugin that takes a write for another one is a bug, and is told', () => {
  const both = requestOf({ object: {}, oldObject: {} });
  for (const read of [
    () => objectOf(both, Node),
    () => oldObjectOf(both, Node),
    () => objectOf(requestOf({ oldObject: {} }), Pod),
    () => oldObjectOf(requestOf({ object: {} }), Pod),
  ])
    assert.throws(read, { name: 'TypeError', message: /^a plugin took the CREATE of pods for one of a / });
});
