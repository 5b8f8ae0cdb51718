import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validateSubdomainName } from '../names/names.ts';
import type { ObjectMeta } from '../object.ts';
import { fieldErrorMessage } from '../status/field-error.ts';
import { FieldPath } from '../status/field-path.ts';
import {
  TOTAL_ANNOTATION_SIZE_LIMIT,
  validateAnnotations,
  validateFieldManager,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta-validation.ts';

const path = FieldPath.of('metadata');

/** Without the patterns, which the tests of names hold. */
const brief = (message: string): string => message.replace(/ \(e\.g\..*/, '');

function onCreate(metadata: ObjectMeta, namespaced = true): string[] {
  const options = { namespaced, validateName: validateSubdomainName };
  return validateObjectMeta(metadata, options, path).map(fieldErrorMessage).map(brief);
}

const good: ObjectMeta = { name: 'web', namespace: 'default' };
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

describe('on create', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: 'u' };
  const rows: readonly (readonly [string, ObjectMeta, readonly string[]])[] = [
    [
      'nothing is wrong',
      { ...good, labels: { app: 'web' }, finalizers: ['a/b'], ownerReferences: [owner] },
      [],
    ],
    [
      'no name',
      { namespace: 'default' },
      ['metadata.name: Required value: name or generateName is required'],
    ],
    ['a bad name', { ...good, name: 'Web' }, [`metadata.name: Invalid value: "Web": ${SUBDOMAIN}`]],
    ['a dash at the end is good for a beginning', { ...good, generateName: 'web-' }, []],
    [
      'a bad beginning',
      { ...good, generateName: 'Web-' },
      [`metadata.generateName: Invalid value: "Web-": ${SUBDOMAIN}`],
    ],
    ['no namespace', { name: 'web' }, ['metadata.namespace: Required value']],
    [
      'dots in the namespace',
      { ...good, namespace: 'a.b' },
      ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
    ],
    [
      'a negative generation',
      { ...good, generation: -1 },
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'bad labels',
      { ...good, labels: { 'a!': 'ok' } },
      [`metadata.labels: Invalid value: "a!": ${NAME_PART}`],
    ],
    ['annotations in capitals are good', { ...good, annotations: { 'Example.COM/x': 'y' } }, []],
    [
      'two controllers',
      {
        ...good,
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: 'b', controller: true },
        ],
      },
      [
        'metadata.ownerReferences: Invalid value: [{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"a","uid":"u","controller":true},{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"b","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/a and ReplicaSet/b',
      ],
    ],
    [
      'an owner with nothing in it',
      { ...good, ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    ],
    [
      'an event as owner',
      { ...good, ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }] },
      [
        'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ],
    [
      'finalizers that exclude each other',
      { ...good, finalizers: ['orphan', 'foregroundDeletion'] },
      [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
    [
      'managed fields',
      { ...good, managedFields: [{ operation: 'Fix', fieldsType: 'V2', manager: 'a\u0007' }] },
      [
        'metadata.managedFields[0].operation: Invalid value: "Fix": must be `Apply` or `Update`',
        'metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
        'metadata.managedFields[0].manager: Invalid value: "a\\a": invalid character U+0007 (at position 1)',
      ],
    ],
  ];
  for (const [name, metadata, messages] of rows)
    test(name, () => assert.deepEqual(onCreate(metadata), messages));

  test('a namespace where none belongs', () => {
    assert.deepEqual(onCreate(good, false), ['metadata.namespace: Forbidden: not allowed on this type']);
    assert.deepEqual(onCreate({ name: 'web' }, false), []);
  });
});

describe('on update', () => {
  const old: ObjectMeta = { ...good, uid: 'u', resourceVersion: '5', generation: 2, creationTimestamp: 't1' };
  const onUpdate = (metadata: ObjectMeta, from = old): string[] =>
    validateObjectMetaUpdate(metadata, from, path).map(fieldErrorMessage);

  test('nothing is wrong', () => assert.deepEqual(onUpdate({ ...old, labels: { a: 'b' } }), []));

  test('what may not change, did', () => {
    assert.deepEqual(
      onUpdate({ name: 'x', namespace: 'y', uid: 'z', generation: 1, deletionTimestamp: 't2' }),
      [
        'metadata.resourceVersion: Invalid value: "": must be specified for an update',
        'metadata.generation: Invalid value: 1: must not be decremented',
        'metadata.name: Invalid value: "x": field is immutable',
        'metadata.namespace: Invalid value: "y": field is immutable',
        'metadata.uid: Invalid value: "z": field is immutable',
        'metadata.creationTimestamp: Invalid value: null: field is immutable',
        'metadata.deletionTimestamp: Invalid value: "t2": field is immutable',
      ],
    );
  });

  test('while it is being deleted, finalizers may go but not come', () => {
    const deleted = { ...old, deletionTimestamp: 't2', finalizers: ['a', 'b'] };
    assert.deepEqual(onUpdate({ ...deleted, finalizers: ['b'] }, deleted), []);
    assert.deepEqual(onUpdate({ ...deleted, finalizers: ['d"', 'a', 'c'] }, deleted), [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c", "d\\""}',
    ]);
  });
});

test('annotations have a limit together, in bytes', () => {
  const value = 'é'.repeat((TOTAL_ANNOTATION_SIZE_LIMIT - 2) / 2);
  assert.deepEqual(validateAnnotations({ ab: value }, path), []);
  assert.deepEqual(validateAnnotations({ ab: value, c: '' }, path).map(fieldErrorMessage), [
    'metadata: Too long: may not be more than 262144 bytes',
  ]);
});

test('a field manager is short and printable', () => {
  assert.deepEqual(validateFieldManager('kubectl-client-side-apply é', path), []);
  assert.deepEqual(validateFieldManager('é\n', path).map(fieldErrorMessage), [
    'metadata: Invalid value: "é\\n": invalid character U+000A (at position 2)',
  ]);
  assert.equal(validateFieldManager('x'.repeat(129), path).length, 1);
});
