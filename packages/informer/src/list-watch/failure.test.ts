import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  newBadRequest,
  newForbidden,
  newGone,
  newInternalError,
  newMethodNotSupported,
  newNotFound,
  newResourceExpired,
  newServiceUnavailable,
  newTimeout,
  newTooLargeResourceVersion,
  newTooManyRequests,
  newUnauthorized,
} from '@windlass/apimachinery';
import { NoMatchError, TransportError, WatchStreamError } from '@windlass/client';
import { classifyFailure } from './failure.ts';

const PODS = { group: '', resource: 'pods' };

test('what went wrong, by what the server or the network said', () => {
  const rows: readonly [unknown, string][] = [
    [newResourceExpired('too old'), 'expired'],
    [newGone('too old'), 'expired'],
    [newTooLargeResourceVersion(5, 3, 1), 'version-too-large'],
    [newTimeout('slow', 0), 'server'],
    [newTooManyRequests('later', 3), 'throttled'],
    [newBadRequest('what?'), 'unsupported'],
    [newNotFound(PODS, ''), 'not-found'],
    [new NoMatchError('no kind Thing'), 'not-found'],
    [newForbidden(PODS, '', 'no'), 'denied'],
    [newUnauthorized(), 'denied'],
    [newMethodNotSupported(PODS, 'watch'), 'server'],
    [newInternalError(new Error('etcd')), 'server'],
    [newServiceUnavailable('starting'), 'server'],
    [new TransportError('lost', { code: 'CONNECTION_LOST', sent: true }), 'transport'],
    [new WatchStreamError('half a line', { code: 'WATCH_TRUNCATED' }), 'transport'],
    [new TypeError('anything'), 'transport'],
    ['a string', 'transport'],
    [new Error('wrapped', { cause: newResourceExpired('too old') }), 'expired'],
  ];
  assert.deepEqual(
    rows.map(([error]) => classifyFailure(error).kind),
    rows.map(([, kind]) => kind),
  );
});

test('how long the server asks to wait', () => {
  assert.equal(classifyFailure(newTooManyRequests('later', 3)).retryAfterMs, 3000);
  assert.equal(classifyFailure(newServiceUnavailable('starting')).retryAfterMs, 0);
  assert.equal(classifyFailure(new Error('reset')).retryAfterMs, 0);
});
