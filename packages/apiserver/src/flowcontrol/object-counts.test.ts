import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { requestInfoOf } from '../request/request-info.ts';
import { createMemoryStore } from '../storage/index.ts';
import { ObjectCounts } from './object-counts.ts';

describe('the counts of objects', () => {
  test('are known from the second question on, and counted anew after a time', async () => {
    const clock = new FakeClock();
    const store = createMemoryStore({});
    await using server = new ApiServer({ store, clock });
    const api = server.transport();
    const make = async (name: string) =>
      api.request({
        method: 'POST',
        path: '/api/v1/namespaces/default/secrets',
        body: { metadata: { name }, data: { x: 'x'.repeat(10_000) } },
      });
    for (let at = 0; at < 50; at++) assert.equal((await make(`secret-${at}`)).status, 201);
    const counts = new ObjectCounts(store, server.catalog, clock);
    const secrets = requestInfoOf({ method: 'GET', path: '/api/v1/secrets' });
    assert.equal(counts.of(secrets), undefined);
    await clock.advance(1);
    const stats = counts.of(secrets);
    assert.equal(stats?.count, 50);
    assert.ok((stats?.averageBytes ?? 0) > 10_000 && (stats?.averageBytes ?? 0) < 11_000);
    await make('one-more');
    assert.equal(counts.of(secrets)?.count, 50);
    await clock.advance(10_000);
    counts.of(secrets);
    await clock.advance(1);
    assert.equal(counts.of(secrets)?.count, 51);
  });

  test('are not known of what is not served, or when the store is closed', async () => {
    const clock = new FakeClock();
    const store = createMemoryStore({});
    const server = new ApiServer({ store, clock });
    await server.ready();
    const counts = new ObjectCounts(store, server.catalog, clock);
    const of = async (path: string) => {
      counts.of(requestInfoOf({ method: 'GET', path }));
      await clock.advance(1);
      return counts.of(requestInfoOf({ method: 'GET', path }));
    };
    assert.equal(await of('/api/v1/nothings'), undefined);
    await server.close();
    assert.equal(await of('/api/v1/pods'), undefined);
  });
});
