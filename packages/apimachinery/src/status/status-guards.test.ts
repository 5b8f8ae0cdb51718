import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as constructors from './status-constructors.ts';
import { StatusError } from './status-error.ts';
import * as guards from './status-guards.ts';
import { newGenericServerResponse } from './status-response.ts';

const resource = { group: 'apps', resource: 'deployments' };

type Guard = (error: unknown) => boolean;

/** Each guard with the one error that it is for, and the HTTP status that is enough without a reason. */
const ROWS: readonly (readonly [string, Guard, StatusError, number | undefined])[] = [
  ['isNotFound', guards.isNotFound, constructors.newNotFound(resource, 'a'), 404],
  ['isAlreadyExists', guards.isAlreadyExists, constructors.newAlreadyExists(resource, 'a'), undefined],
  ['isConflict', guards.isConflict, constructors.newConflict(resource, 'a'), 409],
  ['isInvalid', guards.isInvalid, constructors.newInvalid({ group: '', kind: 'Pod' }, 'a', []), 422],
  ['isGone', guards.isGone, constructors.newGone('m'), 410],
  ['isResourceExpired', guards.isResourceExpired, constructors.newResourceExpired('m'), undefined],
  ['isBadRequest', guards.isBadRequest, constructors.newBadRequest('m'), 400],
  ['isUnauthorized', guards.isUnauthorized, constructors.newUnauthorized('m'), 401],
  ['isForbidden', guards.isForbidden, constructors.newForbidden(resource, 'a', 'm'), 403],
  [
    'isMethodNotSupported',
    guards.isMethodNotSupported,
    constructors.newMethodNotSupported(resource, 'x'),
    405,
  ],
  ['isNotAcceptable', guards.isNotAcceptable, constructors.newNotAcceptable([]), 406],
  ['isUnsupportedMediaType', guards.isUnsupportedMediaType, constructors.newUnsupportedMediaType([]), 415],
  ['isTooManyRequests', guards.isTooManyRequests, constructors.newTooManyRequests('m', 1), 429],
  [
    'isRequestEntityTooLarge',
    guards.isRequestEntityTooLarge,
    constructors.newRequestEntityTooLarge('m'),
    413,
  ],
  ['isInternalError', guards.isInternalError, constructors.newInternalError(new Error('m')), 500],
  ['isServerTimeout', guards.isServerTimeout, constructors.newServerTimeout(resource, 'x', 1), undefined],
  ['isServiceUnavailable', guards.isServiceUnavailable, constructors.newServiceUnavailable('m'), 503],
  ['isTimeout', guards.isTimeout, constructors.newTimeout('m', 1), 504],
];

for (const [name, guard, own, code] of ROWS)
  describe(name, () => {
    test('knows its own, also when it is wrapped, and no other', () => {
      assert.equal(guard(own), true);
      assert.equal(guard(new Error('outer', { cause: own })), true);
      for (const [, , other] of ROWS) if (other !== own) assert.equal(guard(other), false, other.reason);
      for (const value of [undefined, null, 'text', new Error('m'), {}]) assert.equal(guard(value), false);
    });

    if (code !== undefined)
      test(`takes the status ${code} without a known reason`, () => {
        assert.equal(guard(new StatusError({ code })), true);
        assert.equal(guard(new StatusError({ code, reason: 'SomethingNew' })), true);
      });
  });

test('a known reason beats the status, but for the two that proxies send', () => {
  assert.equal(guards.isNotFound(new StatusError({ code: 404, reason: 'Forbidden' })), false);
  assert.equal(guards.isTooManyRequests(new StatusError({ code: 429, reason: 'Forbidden' })), true);
  assert.equal(guards.isRequestEntityTooLarge(new StatusError({ code: 413, reason: 'Forbidden' })), true);
});

describe('a conflict is about the uid', () => {
  const WORDS = 'Precondition failed: UID in precondition: a, UID in object meta: b';
  const rows: readonly (readonly [string, StatusError, boolean])[] = [
    ['in our words', constructors.newConflict(resource, 'a', WORDS), true],
    [
      'in those of kube-apiserver',
      constructors.newConflict(
        resource,
        'a',
        `StorageError: invalid object, Code: 4, Key: /pods/a, ResourceVersion: 0, AdditionalErrorMsg: ${WORDS}`,
      ),
      true,
    ],
    [
      'but not when somebody else has written',
      constructors.newConflict(resource, 'a', 'it was modified'),
      false,
    ],
    [
      'nor for another version',
      constructors.newConflict(
        resource,
        'a',
        'Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: 2',
      ),
      false,
    ],
    ['and nothing else is one', new StatusError({ code: 404, reason: 'NotFound', message: WORDS }), false],
  ];
  for (const [title, error, expected] of rows)
    test(title, () => {
      assert.equal(guards.isUidConflict(error), expected);
      assert.equal(guards.isUidConflict(new Error('outer', { cause: error })), expected);
    });
});

test('expired has three names', () => {
  assert.equal(guards.isExpired(constructors.newGone('m')), true);
  assert.equal(guards.isExpired(constructors.newResourceExpired('m')), true);
  assert.equal(guards.isExpired(new StatusError({ code: 410 })), true);
  assert.equal(guards.isExpired(constructors.newNotFound(resource, 'a')), false);
});

describe('a resource version from the future', () => {
  const rows: readonly (readonly [string, StatusError, boolean])[] = [
    ['by its cause', constructors.newTooLargeResourceVersion(9, 5, 1), true],
    [
      "by the cause's message, as servers of 1.17 have it",
      new StatusError({
        reason: 'Timeout',
        details: { causes: [{ message: 'Too large resource version' }] },
      }),
      true,
    ],
    [
      'by the message, as older servers have it',
      new StatusError({ reason: 'Timeout', message: 'Timeout: Too large resource version: 9', details: {} }),
      true,
    ],
    ['not another timeout', constructors.newTimeout('m', 1), false],
    [
      'not without details',
      new StatusError({ reason: 'Timeout', message: 'Too large resource version' }),
      false,
    ],
    [
      'not with another reason',
      new StatusError({ reason: 'BadRequest', message: 'Too large resource version', details: {} }),
      false,
    ],
  ];
  for (const [name, error, expected] of rows)
    test(name, () => assert.equal(guards.isTooLargeResourceVersion(error), expected));
});

test('a cause is found by its type', () => {
  const error = newGenericServerResponse(502, { method: 'GET' }, 'bad gateway');
  assert.deepEqual(guards.statusCause(error, 'UnexpectedServerResponse'), {
    reason: 'UnexpectedServerResponse',
    message: 'bad gateway',
  });
  assert.equal(guards.isUnexpectedServerResponse(error), true);
  assert.equal(guards.hasStatusCause(error, 'NamespaceTerminating'), false);
  assert.equal(guards.hasStatusCause(undefined, 'NamespaceTerminating'), false);
});

describe('how long to wait', () => {
  const rows: readonly (readonly [string, unknown, number | undefined])[] = [
    ['as the server asks', constructors.newTooManyRequests('m', 5), 5],
    ['not at all', constructors.newTooManyRequests('m', 0), undefined],
    ['a server timeout always asks', constructors.newServerTimeout(resource, 'x', 0), 0],
    ['no details', constructors.newBadRequest('m'), undefined],
    ['no refusal', new Error('m'), undefined],
  ];
  for (const [name, error, seconds] of rows)
    test(name, () => assert.equal(guards.suggestedDelaySeconds(error), seconds));
});

test('the reason of anything', () => {
  assert.equal(guards.reasonForError(constructors.newGone('m')), 'Gone');
  assert.equal(guards.reasonForError(new Error('m')), '');
});
