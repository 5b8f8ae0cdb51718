import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { until } from '@windlass/base/testing/until';
import { HttpsApi, statusOf } from '../testing/https-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const HOLD = { timeout: 60_000 };

/** A server with some megabytes of objects. */
async function filled(requestTimeoutMs?: number): Promise<HttpsApi> {
  const api = await HttpsApi.start(requestTimeoutMs === undefined ? {} : { requestTimeoutMs });
  const admin = api.server.transport();
  await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      admin.request({
        method: 'POST',
        path: MAPS,
        body: { metadata: { name: `map-${index}` }, data: { text: 'x'.repeat(20_000) } },
      }),
    ),
  );
  return api;
}

describe('a long list', () => {
  test('arrives whole, plain and packed', HOLD, async () => {
    await using api = await filled();
    const plain = await api.ask(MAPS, { token: 'bob' });
    assert.equal(JSON.parse(plain.body).items.length, 300);
    const session = api.session();
    const stream = session.request({
      ':path': MAPS,
      authorization: 'Bearer bob',
      'accept-encoding': 'gzip',
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    assert.equal(gunzipSync(Buffer.concat(chunks)).toString(), plain.body);
  });

  test('to a client that does not read is not made, and holds up nobody', HOLD, async () => {
    await using api = await filled();
    const before = process.memoryUsage();
    const session = api.session({ settings: { initialWindowSize: 1000 } });
    // 100 of 6 MB each: made at once they would take 600 MB.
    const streams = Array.from({ length: 100 }, () => api.open(session, MAPS, { token: 'bob' }).pause());
    assert.deepEqual(new Set(await Promise.all(streams.map(statusOf))), new Set([200]));
    assert.equal((await api.ask('/readyz')).status, 200);
    const { external, arrayBuffers } = process.memoryUsage();
    const grown = external + arrayBuffers - before.external - before.arrayBuffers;
    assert.ok(grown < 200 * 2 ** 20, `${Math.round(grown / 2 ** 20)} MB more`);
  });

  test('to a client that does not read is given up after a time', HOLD, async () => {
    await using api = await filled(100);
    const session = api.session({ settings: { initialWindowSize: 1000 } });
    const stream = api.open(session, MAPS, { token: 'bob' }).pause();
    assert.equal(await statusOf(stream), 200);
    await until('the stream has ended', () => stream.aborted || stream.destroyed);
    assert.equal((await api.ask(MAPS, { token: 'bob' })).status, 200);
  });
});
