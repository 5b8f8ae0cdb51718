import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  aggregateFieldErrors,
  type FieldError,
  fieldDuplicate,
  fieldErrorBody,
  fieldErrorMessage,
  fieldForbidden,
  fieldInternalError,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooFew,
  fieldTooLong,
  fieldTooLongCharacters,
  fieldTooMany,
  fieldTooShort,
  fieldTypeInvalid,
} from './field-error.ts';
import { FieldPath } from './field-path.ts';

const path = FieldPath.of('spec', 'x');

describe('messages are those of Kubernetes', () => {
  const rows: readonly (readonly [FieldError, string])[] = [
    [fieldInvalid(path, 'v', 'msg'), 'spec.x: Invalid value: "v": msg'],
    [fieldInvalid(path, -1, 'msg'), 'spec.x: Invalid value: -1: msg'],
    [fieldInvalid(path, 1.5, ''), 'spec.x: Invalid value: 1.5'],
    [fieldInvalid(path, 12345678.25, ''), 'spec.x: Invalid value: 1.234567825e+07'],
    [fieldInvalid(path, 0.00001, ''), 'spec.x: Invalid value: 1e-05'],
    [fieldInvalid(path, true, 'msg'), 'spec.x: Invalid value: true: msg'],
    [fieldInvalid(path, 9007199254740993n, 'msg'), 'spec.x: Invalid value: 9007199254740993: msg'],
    [fieldInvalid(path, null, 'msg'), 'spec.x: Invalid value: null: msg'],
    [fieldInvalid(path, undefined, 'msg'), 'spec.x: Invalid value: msg'],
    [fieldInvalid(path, { a: '<&>' }, 'msg'), 'spec.x: Invalid value: {"a":"\\u003c\\u0026\\u003e"}: msg'],
    [fieldInvalid(path, ['a', 1], 'msg'), 'spec.x: Invalid value: ["a",1]: msg'],
    [fieldInvalid(path, 'a"\u0007\né', 'msg'), 'spec.x: Invalid value: "a\\"\\a\\né": msg'],
    [fieldTypeInvalid(path, 'string', 'must be integer'), 'spec.x: Invalid value: "string": must be integer'],
    [fieldRequired(path), 'spec.x: Required value'],
    [fieldRequired(path, 'because'), 'spec.x: Required value: because'],
    [fieldForbidden(path, 'no'), 'spec.x: Forbidden: no'],
    [fieldNotFound(path, 'a'), 'spec.x: Not found: "a"'],
    [fieldDuplicate(path, 'a'), 'spec.x: Duplicate value: "a"'],
    [fieldNotSupported(path, 'c', ['a', 'b']), 'spec.x: Unsupported value: "c": supported values: "a", "b"'],
    [fieldNotSupported(path, 'c', []), 'spec.x: Unsupported value: "c"'],
    [fieldTooLong(path, 63), 'spec.x: Too long: may not be more than 63 bytes'],
    [fieldTooLong(path, 1), 'spec.x: Too long: may not be more than 1 byte'],
    [fieldTooLongCharacters(path, 2), 'spec.x: Too long: may not be more than 2 characters'],
    [fieldTooShort(path, 1), 'spec.x: Too short: must be at least 1 character'],
    [fieldTooMany(path, 3, 2), 'spec.x: Too many: 3: must have at most 2 items'],
    [fieldTooMany(path, undefined, 1), 'spec.x: Too many: must have at most 1 item'],
    [fieldTooFew(path, 0, 1), 'spec.x: Too few: 0: must have at least 1 item'],
    [fieldInternalError(path, new Error('boom')), 'spec.x: Internal error: boom'],
    [fieldRequired(undefined), '<nil>: Required value'],
  ];
  for (const [error, message] of rows) test(message, () => assert.equal(fieldErrorMessage(error), message));

  test('the body leaves out the field', () => {
    assert.equal(fieldErrorBody(fieldInvalid(path, 'v', 'msg')), 'Invalid value: "v": msg');
  });
});

describe('several errors', () => {
  test('none have no message', () => assert.equal(aggregateFieldErrors([]), ''));

  test('one stands alone, also when it was found twice', () => {
    const one = fieldRequired(path);
    assert.equal(aggregateFieldErrors([one]), 'spec.x: Required value');
    assert.equal(aggregateFieldErrors([one, one]), 'spec.x: Required value');
  });

  test('more are bracketed, in their order', () => {
    const errors = [fieldRequired(path), fieldForbidden(path, 'no'), fieldRequired(path)];
    assert.equal(aggregateFieldErrors(errors), '[spec.x: Required value, spec.x: Forbidden: no]');
  });
});

test('paths', () => {
  const containers = FieldPath.of('spec').child('template', 'spec').child('containers');
  assert.equal(containers.index(0).child('name').toString(), 'spec.template.spec.containers[0].name');
  assert.equal(FieldPath.of('metadata', 'labels').key('a.b/c').toString(), 'metadata.labels[a.b/c]');
  assert.equal(containers.toString(), 'spec.template.spec.containers', 'children do not change their parent');
});
