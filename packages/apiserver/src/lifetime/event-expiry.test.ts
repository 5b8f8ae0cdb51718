import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KubeObject } from '@windlass/apimachinery';
import { FakeClock, MetricsRegistry, silentLogger } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { EventExpiry } from './event-expiry.ts';

const HOUR = 3_600_000;
const EVENTS = '//events/default/';
const event = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'default', ...metadata },
});
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
};

async function setUp(existing: readonly KubeObject[] = []) {
  const clock = new FakeClock({ start: Date.parse('2030-01-01T00:00:00Z') });
  const metrics = new MetricsRegistry();
  const store = createMemoryStore({ clock });
  for (const object of existing) await store.put(`${EVENTS}${object.metadata?.name ?? ''}`, object, 0);
  const expiry = new EventExpiry({ store, clock, metrics, logger: silentLogger });
  await expiry.start();
  const names = async (): Promise<string[]> =>
    (await store.list(EVENTS)).items.map(({ object }) => object.metadata?.name ?? '');
  const advance = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await turns();
  };
  return { clock, metrics, store, expiry, names, advance };
}

describe('the expiry of events', () => {
  it('deletes an event an hour after it was written, and not before', async () => {
    const { store, expiry, names, advance, metrics } = await setUp();
    await using _ = expiry;
    await store.put(`${EVENTS}a`, event('a'), 0);
    await turns();
    await advance(HOUR - 1000);
    assert.deepEqual(await names(), ['a']);
    await advance(1000);
    assert.deepEqual(await names(), []);
    assert.match(metrics.expose(), /windlass_expired_events_total 1/);
  });

  it('counts anew from every write', async () => {
    const { store, expiry, names, advance } = await setUp();
    await using _ = expiry;
    const first = await store.put(`${EVENTS}a`, event('a'), 0);
    await store.put(`${EVENTS}b`, event('b'), 0);
    await turns();
    await advance(HOUR / 2);
    await store.put(`${EVENTS}a`, event('a'), first.revision);
    await turns();
    await advance(HOUR / 2);
    assert.deepEqual(await names(), ['a']);
    await advance(HOUR / 2);
    assert.deepEqual(await names(), []);
  });

  it('tells watchers, and leaves other kinds alone', async () => {
    const { store, expiry, advance } = await setUp();
    await using _ = expiry;
    await store.put('//pods/default/p', { metadata: { name: 'p' } }, 0);
    const stored = await store.put(`${EVENTS}a`, event('a'), 0);
    await turns();
    const watch = store.watch('/', { fromRevision: stored.revision });
    const next = watch.next();
    await advance(HOUR);
    const { value } = await next;
    assert.deepEqual(
      value?.map(({ type, key }) => [type, key]),
      [['delete', `${EVENTS}a`]],
    );
    await watch.return();
    assert.ok((await store.get('//pods/default/p')) !== undefined);
  });

  it('knows after a restart how old an event is', async () => {
    const managed = (time: string) => ({ manager: 'm', operation: 'Update' as const, time });
    const { expiry, names, advance } = await setUp([
      event('old', { creationTimestamp: '2029-12-31T22:00:00Z' }),
      event('renewed', {
        creationTimestamp: '2029-12-31T20:00:00Z',
        managedFields: [managed('2029-12-31T23:30:00Z')],
      }),
      event('young', { creationTimestamp: '2029-12-31T23:59:00Z' }),
      event('future', { creationTimestamp: '2031-01-01T00:00:00Z' }),
      event('unknown'),
    ]);
    await using _ = expiry;
    await advance(1000);
    assert.deepEqual(await names(), ['future', 'renewed', 'unknown', 'young']);
    await advance(HOUR / 2);
    assert.deepEqual(await names(), ['future', 'unknown', 'young']);
    await advance(HOUR / 2);
    assert.deepEqual(await names(), []);
  });

  it('deletes many, a batch at a time', async () => {
    const { store, expiry, names, advance, metrics } = await setUp();
    await using _ = expiry;
    await Promise.all(
      Array.from({ length: 1000 }, (_unused, index) =>
        store.put(`${EVENTS}e${index}`, event(`e${index}`), 0),
      ),
    );
    await turns();
    await advance(HOUR);
    for (let turn = 0; turn < 50 && (await names()).length > 0; turn++) await turns();
    assert.deepEqual(await names(), []);
    assert.match(metrics.expose(), /windlass_expired_events_total 1000/);
  });

  it('is part of the server, for both groups of events', async () => {
    const clock = new FakeClock({ start: Date.parse('2030-01-01T00:00:00Z') });
    await using server = new ApiServer({ store: createMemoryStore({ clock }), clock, eventTtlMs: 60_000 });
    await server.ready();
    const api = server.transport();
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
    const core = await api.request({
      method: 'POST',
      path: '/api/v1/namespaces/default/events',
      body: { metadata: { name: 'core' }, involvedObject, reason: 'r', type: 'Normal' },
    });
    assert.equal(core.status, 201, JSON.stringify(core.body));
    const newer = await api.request({
      method: 'POST',
      path: '/apis/events.k8s.io/v1/namespaces/default/events',
      body: {
        metadata: { name: 'newer' },
        eventTime: '2030-01-01T00:00:00.000000Z',
        reportingController: 'example.org/x',
        reportingInstance: 'i',
        action: 'a',
        reason: 'r',
        type: 'Normal',
        regarding: involvedObject,
      },
    });
    assert.equal(newer.status, 201, JSON.stringify(newer.body));
    await turns();
    const count = async (): Promise<number> => {
      const { body } = await api.request({ method: 'GET', path: '/api/v1/events' });
      return (body as { items: unknown[] }).items.length;
    };
    assert.equal(await count(), 2);
    await clock.advance(61_000);
    await turns();
    assert.equal(await count(), 0);
  });
});
