import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelledError } from '@windlass/base';
import { TransportError, type TransportErrorCode } from '../errors.ts';
import { retryAfterMs } from './retry-after.ts';
import { afterError, afterResponse } from './retry-rules.ts';

test('which answers are asked for again', () => {
  const rows: readonly (readonly [
    method: string,
    status: number,
    after: number | undefined,
    retry: boolean,
  ])[] = [
    ['GET', 429, 1000, true],
    ['POST', 429, 1000, true],
    ['POST', 429, undefined, false],
    ['GET', 503, 0, true],
    ['DELETE', 503, 1000, true],
    ['GET', 503, undefined, false],
    ['GET', 500, 1000, true],
    ['GET', 504, 1000, true],
    ['POST', 500, 1000, false],
    ['PATCH', 504, 1000, false],
    ['GET', 404, 1000, false],
    ['GET', 409, 1000, false],
  ];
  for (const [method, status, after, retry] of rows) {
    assert.equal(afterResponse(method, status, after).retry, retry, `${method} ${status} ${after}`);
  }
});

test('which failures are tried again: what was never sent, and reads', () => {
  const rows: readonly (readonly [
    method: string,
    code: TransportErrorCode,
    sent: boolean,
    retry: boolean,
  ])[] = [
    ['POST', 'CONNECTION_REFUSED', false, true],
    ['POST', 'CONNECT_TIMEOUT', false, true],
    ['POST', 'CONNECTION_LOST', false, true],
    ['POST', 'CONNECTION_LOST', true, false],
    ['PUT', 'CONNECTION_LOST', true, false],
    ['GET', 'CONNECTION_LOST', true, true],
    ['GET', 'RESPONSE_TIMEOUT', true, false],
    ['GET', 'TLS_FAILED', false, false],
    ['GET', 'TRANSPORT_CLOSED', false, false],
    ['GET', 'BAD_RESPONSE', true, false],
  ];
  for (const [method, code, sent, retry] of rows) {
    const verdict = afterError(method, new TransportError('x', { code, sent }));
    assert.equal(verdict.retry, retry, `${method} ${code} ${sent}`);
  }
  assert.equal(afterError('GET', new CancelledError()).retry, false);
  assert.equal(afterError('GET', new Error('x')).retry, false);
});

test('Retry-After in seconds, as a date, and nonsense', () => {
  const now = Date.UTC(2026, 0, 1);
  assert.equal(retryAfterMs(undefined, now), undefined);
  assert.equal(retryAfterMs('3', now), 3000);
  assert.equal(retryAfterMs('0', now), 0);
  assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now), 5000);
  assert.equal(retryAfterMs('Thu, 01 Jan 2015 00:00:05 GMT', now), 0);
  assert.equal(retryAfterMs('soon', now), undefined);
});
