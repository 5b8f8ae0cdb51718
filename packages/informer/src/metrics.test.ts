import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newInternalError, newTooManyRequests } from '@windlass/apimachinery';
import { FakeClock, MetricsRegistry, SeededRandom, sleep } from '@windlass/base';
import { SharedInformer } from './shared/shared-informer.ts';
import { added, modified, ScriptedListWatch, thing } from './testing/scripted-list-watch.ts';
import type { TestObject } from './testing/test-object.ts';

/** The values of a registry: `name{labels}` to number, without this informer's own label. */
function valuesOf(registry: MetricsRegistry): Record<string, number> {
  const lines = registry.expose().split('\n');
  const values = lines.filter((line) => line.startsWith('informer_'));
  return Object.fromEntries(
    values.map((line) => {
      const [series = '', value = ''] = line.split(/ (?=\S+$)/);
      return [
        series.replace(/name="things\.example\.com",|,?name="things\.example\.com"/, '').replace('{}', ''),
        Number(value),
      ];
    }),
  );
}

test('every list, watch, interruption, event and waiting notification is counted, and goes with the informer', async () => {
  const clock = new FakeClock();
  const registry = new MetricsRegistry();
  const server = new ScriptedListWatch();
  const informer = new SharedInformer<TestObject>({
    listWatch: server,
    resource: { group: 'example.com', plural: 'things' },
    clock,
    random: new SeededRandom(1),
    metrics: registry,
    streaming: true,
    indexers: {
      strict: ({ metadata }) => {
        if (metadata.name === 'b') throw new Error('no');
        return [];
      },
    },
  });
  informer.addHandler({ onAdd: () => sleep(clock, 100_000) }, { name: 'slow', maxBuffered: 1 });
  informer.addHandler(
    {
      onUpdate: () => {
        throw new Error('no');
      },
    },
    { name: 'broken' },
  );
  server.refuseNextWatch(newTooManyRequests('later', 1));
  informer.start();
  await clock.advance(2000);
  server.lastWatch.send({ type: 'ERROR', object: newInternalError(new Error('etcd')).status });
  await clock.settle();
  server.waitingList.answer(10, [thing('a', 1), thing('b', 2)]);
  await clock.settle();
  server.lastWatch.send(modified(thing('a', 11)), modified(thing('a', 11)), modified(thing('a', 12)));
  server.lastWatch.send(
    { type: 'ADDED', object: { metadata: {} } },
    added(thing('c', 1_234_567_890_123_456)),
  );
  await clock.advance(4000);
  server.lastWatch.fail(new Error('reset'));
  await clock.settle();

  const values = valuesOf(registry);
  const expected: Record<string, number> = {
    'informer_requests_total{request="list"}': 1,
    'informer_requests_total{request="watch"}': 3,
    'informer_watch_reopens_total{reason="transport"}': 1,
    'informer_failures_total{kind="throttled"}': 1,
    'informer_failures_total{kind="server"}': 1,
    informer_events_total: 5,
    informer_stale_events_total: 1,
    informer_malformed_objects_total: 1,
    informer_index_errors_total: 1,
    informer_store_objects: 3,
    informer_store_resource_version: 234_567_890_123_456,
    informer_last_contact_seconds: 4,
    'informer_handler_errors_total{handler="broken"}': 2,
    'informer_handler_coalesced_total{handler="slow"}': 1,
    'informer_queued_items{handler="broken"}': 0,
    'informer_handler_lag_seconds{handler="slow"}': 4,
    'informer_handler_lag_seconds{handler="broken"}': 0,
  };
  for (const [series, value] of Object.entries(expected)) assert.equal(values[series], value, series);
  assert.ok((values['informer_queued_items{handler="slow"}'] ?? 0) >= 3);

  const stopped = informer.stop();
  await clock.advance(100_000);
  await stopped;
  assert.deepEqual(valuesOf(registry), {}, 'no series outlives its informer');
});

test('the series of a handler go with it', async () => {
  const registry = new MetricsRegistry();
  await using informer = new SharedInformer<TestObject>({
    listWatch: new ScriptedListWatch(),
    resource: { group: 'example.com', plural: 'things' },
    clock: new FakeClock(),
    metrics: registry,
  });
  const registration = informer.addHandler({}, { name: 'mine' });
  assert.match(registry.expose(), /handler="mine"/);
  await registration.remove();
  assert.doesNotMatch(registry.expose(), /handler="mine"/);
});
