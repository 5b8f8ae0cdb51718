import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@windlass/base';
import { createClient } from '@windlass/client';
import { type FakeAnswer, FakeTransport } from '@windlass/client/testing';
import { PodWriter } from './pod-writer.ts';
import { NOW, testPod, testRecord } from './testing.ts';

const { signal } = new AbortController();

function setUp(answer: FakeAnswer) {
  const transport = new FakeTransport({ onRequest: () => answer });
  const clock = new FakeClock({ start: NOW });
  const writer = new PodWriter({ client: createClient({ transport, clock }), clock, hostIP: '10.0.0.1' });
  return { transport, writer };
}

const status = (code: number, reason: string, message = reason): FakeAnswer => ({
  status: code,
  body: { apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason, message },
});
const LEFT_ALONE = [
  status(404, 'NotFound'),
  status(409, 'Conflict', 'Precondition failed: UID in precondition: u, UID in object meta: v'),
];
const TRIED_AGAIN = [status(403, 'Forbidden'), status(409, 'Conflict')];
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('the status of a pod', () => {
  it('is written for this pod and no other of its name, and then known', async () => {
    const { transport, writer } = setUp({
      body: { ...testPod({}, { resourceVersion: '9' }), status: { phase: 'Running' } },
    });
    const pod = testPod();
    const record = testRecord(pod, { a: 'run!' });
    await writer.writeStatus(pod, record, signal);
    const [request] = transport.requests;
    assert.equal(request?.path, '/api/v1/namespaces/default/pods/p/status');
    assert.deepEqual(Object(request?.body).metadata, { uid: 'u' });
    assert.deepEqual([record.written, record.writtenVersion], [{ phase: 'Running' }, '9']);
  });

  it('is not written when the server knows it', async () => {
    const { transport, writer } = setUp({ status: 500 });
    const pod = testPod();
    const record = testRecord(pod, { a: 'run!' });
    const first = setUp({ body: testPod() });
    await first.writer.writeStatus(pod, record, signal);
    const patch = Object(first.transport.requests[0]?.body).status;
    record.written = patch;
    await writer.writeStatus(pod, record, signal);
    assert.deepEqual(transport.requests, []);
  });

  it('of a pod that is gone or another one is let be; anything else is an error', async () => {
    const pod = testPod();
    for (const answer of LEFT_ALONE)
      await setUp(answer).writer.writeStatus(pod, testRecord(pod, { a: 'run!' }), signal);
    for (const answer of TRIED_AGAIN)
      await assert.rejects(setUp(answer).writer.writeStatus(pod, testRecord(pod, { a: 'run!' }), signal), {
        message: /Forbidden|Conflict/,
      });
  });
});

describe('a pod that has ended', () => {
  it('is removed when somebody deletes it, at once and only this very one', async () => {
    const { transport, writer } = setUp({ body: testPod() });
    await writer.remove(testPod({}, GOING), signal);
    const [request] = transport.requests;
    assert.deepEqual([request?.method, request?.path], ['DELETE', '/api/v1/namespaces/default/pods/p']);
    const { gracePeriodSeconds, preconditions } = Object(request?.body);
    assert.deepEqual([gracePeriodSeconds, preconditions], [0, { uid: 'u' }]);
  });

  it('stays when nobody deletes it', async () => {
    const { transport, writer } = setUp({ body: testPod() });
    await writer.remove(testPod(), signal);
    assert.deepEqual(transport.requests, []);
  });

  it('may be gone already; anything else is an error', async () => {
    for (const answer of LEFT_ALONE) await setUp(answer).writer.remove(testPod({}, GOING), signal);
    for (const answer of TRIED_AGAIN)
      await assert.rejects(setUp(answer).writer.remove(testPod({}, GOING), signal), {
        message: /Forbidden|Conflict/,
      });
  });
});
