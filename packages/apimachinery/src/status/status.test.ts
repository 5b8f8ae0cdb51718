import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WindlassError } from '@windlass/base';
import { type Golden, golden } from '../golden-testing.ts';
import { fieldInvalid, fieldRequired } from './field-error.ts';
import { FieldPath } from './field-path.ts';
import { isStatus } from './status.ts';
import { newAccessDenied } from './status-access.ts';
import * as constructors from './status-constructors.ts';
import { StatusError, statusErrorIn, toStatus } from './status-error.ts';
import { newGenericServerResponse, statusErrorFromResponse } from './status-response.ts';

const deployments = { group: 'apps', resource: 'deployments' };
const pods = { group: '', resource: 'pods' };
const kind = { group: 'apps', kind: 'Deployment' };
const spec = FieldPath.of('spec');
const replicas = fieldInvalid(spec.child('replicas'), -1, 'must be greater than or equal to 0');
const selector = fieldRequired(spec.child('selector'));

const EXPECTED: ReadonlyMap<string, string> = new Map(
  (golden('statuses') as Golden<{ readonly name: string; readonly status: string }>).rows.map((row) => [
    row.name,
    row.status,
  ]),
);

/** By the names that the golden table has for them. */
const MADE: Readonly<Record<string, StatusError>> = {
  notFound: constructors.newNotFound(deployments, 'web'),
  alreadyExists: constructors.newAlreadyExists(pods, 'a"b'),
  generateNameConflict: constructors.newGenerateNameConflict(pods, 'a-x', 1),
  conflict: constructors.newConflict(deployments, 'web'),
  applyConflict: constructors.newApplyConflict(
    [{ reason: 'FieldManagerConflict', message: 'm', field: '.spec' }],
    'Apply failed',
  ),
  invalid: constructors.newInvalid(kind, 'web', [replicas, selector, selector]),
  invalid1: constructors.newInvalid(kind, 'web', [replicas]),
  invalid0: constructors.newInvalid(kind, 'web', []),
  badRequest: constructors.newBadRequest('no'),
  unauthorized: constructors.newUnauthorized(),
  forbidden: constructors.newForbidden(deployments, 'web', 'why'),
  forbiddenNoName: constructors.newForbidden(deployments, '', 'why'),
  forbiddenNone: constructors.newForbidden(undefined, '', 'why'),
  methodNotSupported: constructors.newMethodNotSupported(deployments, 'patch'),
  gone: constructors.newGone('m'),
  resourceExpired: constructors.newResourceExpired('m'),
  requestEntityTooLarge: constructors.newRequestEntityTooLarge('limit is 3145728'),
  tooManyRequests: constructors.newTooManyRequests('slow', 5),
  tooManyRequests0: constructors.newTooManyRequests('slow', 0),
  internalError: constructors.newInternalError(new Error('boom')),
  serverTimeout: constructors.newServerTimeout(deployments, 'list', 2),
  serviceUnavailable: constructors.newServiceUnavailable('m'),
  timeout: constructors.newTimeout('m', 3),
  genericPost409: newGenericServerResponse(409, { method: 'POST', resource: pods }, 'unknown'),
  generic406unknown: newGenericServerResponse(406, { method: 'GET' }, 'unknown'),
};

for (const code of [400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 418, 422, 429, 500, 502, 503, 504])
  Object.assign(MADE, {
    [`generic${code}`]: newGenericServerResponse(
      code,
      { method: 'GET', resource: deployments, name: 'web' },
      'text "x"',
      7,
    ),
  });

describe('every refusal is the one that Kubernetes sends, byte by byte', () => {
  test('there is one for each of them', () => {
    assert.deepEqual(Object.keys(MADE).sort(), [...EXPECTED.keys()].sort());
  });

  for (const [name, error] of Object.entries(MADE))
    test(name, () => {
      const { kind: statusKind, apiVersion, ...rest } = error.status;
      assert.deepEqual([statusKind, apiVersion], ['Status', 'v1']);
      assert.equal(JSON.stringify(rest), EXPECTED.get(name));
      assert.equal(error.message, error.status.message);
    });
});

describe('refusals that the API server makes elsewhere', () => {
  test('a resource version from the future', () => {
    const error = constructors.newTooLargeResourceVersion('12', '9', 1);
    assert.equal(error.message, 'Timeout: Too large resource version: 12, current: 9');
    assert.deepEqual(error.status.details, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
    assert.equal(error.statusCode, 504);
  });

  test('media types', () => {
    const types = ['application/json', 'application/yaml'];
    assert.equal(
      constructors.newNotAcceptable(types).message,
      'only the following media types are accepted: application/json, application/yaml',
    );
    assert.equal(
      constructors.newUnsupportedMediaType(types).message,
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    );
  });

  test('access', () => {
    const rows = [
      [
        { user: 'u', verb: 'list', group: '', resource: 'pods', namespace: 'ns' },
        'pods is forbidden: User "u" cannot list resource "pods" in API group "" in the namespace "ns"',
      ],
      [
        { user: 'u', verb: 'get', group: 'apps', resource: 'deployments', subresource: 'scale', name: 'web' },
        'deployments.apps "web" is forbidden: User "u" cannot get resource "deployments/scale" in API group "apps" at the cluster scope',
      ],
      [{ user: '<b>&', verb: 'get', path: '/x' }, 'forbidden: User "&lt;b&gt;&amp;" cannot get path "/x"'],
    ] as const;
    for (const [attempt, message] of rows) assert.equal(newAccessDenied(attempt).message, message);
    assert.equal(
      newAccessDenied(rows[2][0], 'RBAC: <why>').message,
      'forbidden: User "&lt;b&gt;&amp;" cannot get path "/x": RBAC: <why>',
    );
    assert.deepEqual(newAccessDenied(rows[1][0]).details, {
      name: 'web',
      group: 'apps',
      kind: 'deployments',
    });
  });
});

describe('a StatusError', () => {
  const error = constructors.newServerTimeout(deployments, 'list', 2);

  test('shows what the status says', () => {
    assert.ok(error instanceof WindlassError);
    assert.equal(error.name, 'StatusError');
    assert.equal(error.code, 'STATUS_SERVER_TIMEOUT');
    assert.equal(error.reason, 'ServerTimeout');
    assert.equal(error.statusCode, 500);
    assert.equal(error.retryAfterSeconds, 2);
    assert.deepEqual(error.causes, []);
  });

  test('of an empty status has nothing to show, and does not fall', () => {
    const empty = new StatusError({});
    assert.deepEqual(
      [empty.message, empty.code, empty.reason, empty.statusCode, empty.retryAfterSeconds],
      ['', 'STATUS_UNKNOWN', '', 0, 0],
    );
  });

  test('is found below what wraps it', () => {
    const wrapped = new Error('outer', { cause: new Error('inner', { cause: error }) });
    assert.equal(statusErrorIn(wrapped), error);
    assert.equal(statusErrorIn(new Error('other')), undefined);
    assert.equal(statusErrorIn('text'), undefined);
    const loop = new Error('loop');
    loop.cause = loop;
    assert.equal(statusErrorIn(loop), undefined);
  });
});

describe('what a server answers when a handler throws', () => {
  test('the status of the refusal, made whole', () => {
    assert.deepEqual(toStatus(new StatusError({ message: 'm', reason: 'NotFound' })), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'm',
      reason: 'NotFound',
      code: 500,
    });
    assert.deepEqual(toStatus(MADE['notFound']), MADE['notFound']?.status);
  });

  test('a 500 with the message for anything else', () => {
    const status = toStatus(new TypeError('x is not a function'));
    assert.deepEqual([status.code, status.message, status.reason], [500, 'x is not a function', undefined]);
    assert.equal(toStatus('thrown text').code, 500);
  });
});

describe('an answer becomes an error', () => {
  const subject = { method: 'GET', resource: deployments, name: 'web' };
  const answer = constructors.newNotFound(deployments, 'web').status;

  test('a Status is taken at its word, whatever the HTTP status is', () => {
    const error = statusErrorFromResponse(418, answer, subject, { 'content-type': 'application/json' });
    assert.equal(error.status, answer);
    assert.equal(isStatus(answer), true);
  });

  test('a Status of success is none', () => {
    const error = statusErrorFromResponse(
      500,
      { kind: 'Status', apiVersion: 'v1', status: 'Success' },
      subject,
    );
    assert.equal(error.reason, 'InternalError');
  });

  const rows: readonly (readonly [unknown, Record<string, string>, string])[] = [
    ['  502 Bad Gateway\n', { 'content-type': 'text/html; charset=utf-8' }, '502 Bad Gateway'],
    [new TextEncoder().encode('bytes '), { 'content-type': 'TEXT/plain' }, 'bytes'],
    ['no type given', {}, 'no type given'],
    [{ some: 'json' }, { 'content-type': 'application/json' }, 'unknown'],
    [undefined, {}, ''],
    ['x'.repeat(5000), {}, 'x'.repeat(2048)],
  ];
  for (const [body, headers, text] of rows)
    test(`of ${JSON.stringify(body)?.slice(0, 30)}`, () => {
      const error = statusErrorFromResponse(502, body, subject, headers);
      assert.deepEqual(error.causes, [{ reason: 'UnexpectedServerResponse', message: text }]);
      assert.equal(error.statusCode, 502);
    });

  test('Retry-After counts when it is a number of seconds', () => {
    const seconds = (value: string) =>
      statusErrorFromResponse(429, '', subject, { 'retry-after': value }).retryAfterSeconds;
    assert.equal(seconds('7'), 7);
    assert.equal(seconds('Wed, 21 Oct 2015 07:28:00 GMT'), 0);
    assert.equal(seconds(''), 0);
  });
});

test('only a Status of the known versions is one', () => {
  assert.equal(isStatus({ kind: 'Status', apiVersion: 'meta.k8s.io/v1' }), true);
  assert.equal(isStatus({ kind: 'Status', apiVersion: 'v2' }), false);
  assert.equal(isStatus({ kind: 'Pod', apiVersion: 'v1' }), false);
  for (const value of [null, undefined, 'Status', []]) assert.equal(isStatus(value), false);
});

test('errors that each show a large value are cut where they are larger than a body', () => {
  const list = Array.from({ length: 5000 }, (_, index) => `scope-${index}`);
  const errors = list.map(() => fieldInvalid(FieldPath.of('spec', 'scopes'), list, 'unsupported scope'));
  const { status } = constructors.newInvalid({ group: '', kind: 'ResourceQuota' }, 'q', errors);
  assert.ok(JSON.stringify(status).length < 4 * 1024 * 1024);
  assert.ok((status.details?.causes ?? []).length < 100);
  assert.match(status.message ?? '', /and \d+ more\]$/);
});
