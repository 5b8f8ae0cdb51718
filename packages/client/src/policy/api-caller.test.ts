import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { StatusError } from '@windlass/apimachinery';
import {
  CancelledError,
  createLogger,
  DeadlineError,
  FakeClock,
  MetricsRegistry,
  memoryWriter,
  SeededRandom,
} from '@windlass/base';
import { type ClientOptions, createClient } from '../client.ts';
import { TransportError } from '../errors.ts';
import { type FakeAnswer, FakeTransport } from '../testing/index.ts';
import type { RequestReport } from './request-reports.ts';
import type { ApiWarning } from './warnings.ts';

/** A client whose answers are given in order; the last one repeats. */
function setUp(answers: readonly (FakeAnswer | Error)[], options: ClientOptions = {}) {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  let next = 0;
  const transport = new FakeTransport({
    onRequest: () => {
      const answer = answers[Math.min(next++, answers.length - 1)];
      if (answer === undefined) throw new Error('no answer was prepared');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const client = createClient({ transport, clock, metrics, random: new SeededRandom(1), ...options });
  return { clock, metrics, transport, client };
}

const get = { method: 'GET', path: '/x' } as const;
const post = { method: 'POST', path: '/x', body: {} } as const;
const busy = (retryAfter?: string): FakeAnswer => ({
  status: 429,
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'TooManyRequests',
    code: 429,
    message: 'busy',
  },
});
const lost = (sent: boolean) => new TransportError('lost', { code: 'CONNECTION_LOST', sent });

test('a Retry-After is waited for, then the request is sent again', async () => {
  const { client, clock, transport, metrics } = setUp([busy('2'), { body: { ok: true } }]);
  const done = client.request(post);
  await clock.advance(1999);
  assert.equal(transport.requests.length, 1);
  await clock.advance(1);
  assert.deepEqual((await done).body, { ok: true });
  assert.match(
    metrics.expose(),
    /^rest_client_request_retries_total\{code="429",host="in-process",verb="POST"\} 1$/m,
  );
  assert.match(
    metrics.expose(),
    /^rest_client_requests_total\{code="200",host="in-process",method="POST"\} 1$/m,
  );
  assert.match(
    metrics.expose(),
    /^rest_client_requests_total\{code="429",host="in-process",method="POST"\} 1$/m,
  );
});

test('a Retry-After is capped, and so is the number of retries; then the refusal is thrown', async () => {
  const { client, clock, transport } = setUp([busy('86400')], { maxRetries: 2, maxRetryAfterMs: 1000 });
  const outcome = assert.rejects(client.request(get), (error: unknown) => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.reason, 'TooManyRequests');
    return true;
  });
  await clock.advance(2000);
  await outcome;
  assert.equal(transport.requests.length, 3);
});

test('without a Retry-After a refusal is thrown at once', async () => {
  const { client, transport } = setUp([busy()]);
  await assert.rejects(client.request(post), { reason: 'TooManyRequests' });
  assert.equal(transport.requests.length, 1);
});

test('a lost connection: a read is repeated, at most three times, a write that was sent never', async () => {
  const reading = setUp([lost(true)]);
  const outcome = assert.rejects(reading.client.request(get), { code: 'CONNECTION_LOST' });
  await reading.clock.runUntilIdle();
  await outcome;
  assert.equal(reading.transport.requests.length, 4);
  const waited = reading.clock.monotonic();
  assert.ok(
    waited >= 700 && waited <= 1400,
    `waited ${waited} ms: 100, 200, 400 and as much again by chance`,
  );

  const writing = setUp([lost(true)]);
  await assert.rejects(writing.client.request(post), { code: 'CONNECTION_LOST' });
  assert.equal(writing.transport.requests.length, 1);

  const unsent = setUp([lost(false), { body: {} }]);
  const sent = unsent.client.request(post);
  await unsent.clock.runUntilIdle();
  assert.equal((await sent).status, 200);
});

test('a deadline covers the waiting between attempts and leaves no timer behind', async () => {
  const { client, clock } = setUp([busy('30')], { timeoutMs: 5000 });
  const outcome = assert.rejects(client.request(get), (error: unknown) => {
    assert.ok(error instanceof DeadlineError);
    assert.equal(error.message, 'GET /x took longer than 5000 ms');
    return true;
  });
  await clock.advance(5000);
  await outcome;
  assert.equal(clock.pendingTimers, 0);
  const quick = setUp([{ body: {} }], { timeoutMs: 5000 });
  await quick.client.request(get);
  assert.equal(quick.clock.pendingTimers, 0);
});

test('a call has its own deadline, and zero takes the one of the client away', async () => {
  const { client, clock } = setUp([busy('3'), { body: {} }], { timeoutMs: 1000 });
  const patient = client.request(get, { timeoutMs: 0 });
  await clock.advance(3000);
  assert.equal((await patient).status, 200);
});

test('an abort ends the waiting for a retry', async () => {
  const { client, clock } = setUp([busy('30')]);
  const controller = new AbortController();
  const done = client.request(get, { signal: controller.signal });
  await clock.settle();
  controller.abort();
  await assert.rejects(done, CancelledError);
  assert.equal(clock.pendingTimers, 0);
});

test('qps and burst hold requests back; retries count as well', async () => {
  const { client, clock, transport, metrics } = setUp([{ body: {} }], { qps: 1, burst: 2 });
  const all = Promise.all([client.request(get), client.request(get), client.request(get)]);
  await clock.settle();
  assert.equal(transport.requests.length, 2);
  await clock.advance(1000);
  await all;
  assert.match(metrics.expose(), /^rest_client_rate_limiter_duration_seconds_sum\{[^}]*\} 1$/m);
  assert.match(metrics.expose(), /^rest_client_rate_limiter_duration_seconds_count\{[^}]*\} 3$/m);
  assert.match(metrics.expose(), /^rest_client_request_duration_seconds_count\{[^}]*\} 3$/m);
});

test('a failure without an answer is counted as <error>', async () => {
  const { client, metrics } = setUp([new TransportError('x', { code: 'TLS_FAILED', sent: false })]);
  await assert.rejects(client.request(get), { code: 'TLS_FAILED' });
  assert.match(
    metrics.expose(),
    /^rest_client_requests_total\{code="<error>",host="in-process",method="GET"\} 1$/m,
  );
});

test('warnings go to the callback, or else to the log', async () => {
  const answer = { body: {}, headers: { warning: '299 - "a is deprecated", 299 - "b"' } };
  const heard: ApiWarning[] = [];
  await setUp([answer], { onWarning: (warning) => heard.push(warning) }).client.request(get);
  assert.deepEqual(
    heard.map(({ text }) => text),
    ['a is deprecated', 'b'],
  );
  const log = memoryWriter();
  await setUp([answer], { logger: createLogger(log) }).client.request(get);
  assert.deepEqual(log.records[0], {
    level: 'warn',
    message: 'the API server warns',
    fields: { warning: 'a is deprecated', method: 'GET', path: '/x' },
  });
});

test('an error without a Status still says what happened', async () => {
  const { client } = setUp([
    { status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>bad gateway</h1>') },
  ]);
  await assert.rejects(client.request(get), { statusCode: 502, message: /bad gateway/ });
});

test('neither or both of config and transport are refused', () => {
  assert.throws(() => createClient({}), /either config or transport/);
  assert.throws(
    () => createClient({ transport: new FakeTransport(), config: { server: 'http://x' } }),
    /either config or transport/,
  );
});

test('a call is published when it begins and when it has ended, with what came of it', async (t) => {
  const seen: string[] = [];
  let began: unknown;
  const onStart = (message: unknown): void => {
    began = message;
    const { request, response } = message as RequestReport;
    seen.push(`start ${request.path} ${response?.status}`);
  };
  const onEnd = (message: unknown): void => {
    assert.equal(message, began, 'it is the same object');
    const { response, error, tookMs } = message as RequestReport;
    const why = error instanceof Error ? error.message : 'nothing';
    seen.push(`end ${response?.status} ${why} ${tookMs}`);
  };
  channel('windlass:request:start').subscribe(onStart);
  channel('windlass:request:end').subscribe(onEnd);
  t.after(() => {
    channel('windlass:request:start').unsubscribe(onStart);
    channel('windlass:request:end').unsubscribe(onEnd);
  });
  const lost = new TransportError('lost', { code: 'CONNECTION_LOST', sent: true });
  const { client } = setUp([{ status: 200, body: {} }, { status: 404, body: {} }, lost]);
  await client.request(get);
  await assert.rejects(client.request(get), StatusError);
  await assert.rejects(client.request(post), TransportError);
  assert.deepEqual(seen, [
    'start /x undefined',
    'end 200 nothing 0',
    'start /x undefined',
    'end 404 nothing 0',
    'start /x undefined',
    'end undefined lost 0',
  ]);
});

test('a listener may add headers to a call, and set what holds while it is sent', async (t) => {
  const seen: string[] = [];
  const onStart = (message: unknown): void => {
    const report = message as RequestReport; // the channel has no other messages
    assert.equal(report.server, undefined, 'a transport has no address');
    report.headers = { traceparent: '00-1-2-01' };
    report.around = (body) => {
      seen.push('sending');
      return body();
    };
  };
  channel('windlass:request:start').subscribe(onStart);
  t.after(() => channel('windlass:request:start').unsubscribe(onStart));
  const { client, transport, clock } = setUp([busy('1'), { body: {} }]);
  const request = { ...get, headers: { accept: 'text/plain' } };
  const done = client.request(request);
  await clock.runUntilIdle();
  await done;
  const headers = { accept: 'text/plain', traceparent: '00-1-2-01' };
  assert.deepEqual(
    transport.requests.map((sent) => sent.headers),
    [headers, headers],
    'the retry too',
  );
  assert.deepEqual(seen, ['sending']);
  assert.deepEqual(request.headers, { accept: 'text/plain' }, "the caller's object is as it was");
});
