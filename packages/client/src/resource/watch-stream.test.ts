import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawWatchEvent, Transport } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { CancelledError, orAbort } from '@windlass/base';
import { createClient } from '../client.ts';
import { TransportError } from '../errors.ts';
import { FakeTransport, type FakeTransportOptions, type FakeWatch } from '../testing/index.ts';
import type { WatchOptions } from './options.ts';
import { isInitialEventsEnd } from './watch-event.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function setUp(options: FakeTransportOptions = {}) {
  const transport = new FakeTransport(options);
  const pods = createClient({ transport }).resource(Pod);
  return { transport, pods };
}

async function opened(transport: FakeTransport): Promise<FakeWatch> {
  await turn();
  const watch = transport.watches.at(-1);
  assert.ok(watch !== undefined);
  return watch;
}

const pod = (name: string): RawWatchEvent => ({ type: 'ADDED', object: { metadata: { name } } });
const expired: RawWatchEvent = {
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Expired',
    code: 410,
    message: 'too old',
  },
};

test('the query of a watch', async () => {
  const rows: readonly (readonly [options: WatchOptions, query: object])[] = [
    [{}, { watch: 'true' }],
    [{ resourceVersion: '0' }, { watch: 'true', resourceVersion: '0' }],
    [{ resourceVersion: '7' }, { watch: 'true', resourceVersion: '7', allowWatchBookmarks: 'true' }],
    [{ allowWatchBookmarks: true }, { watch: 'true', allowWatchBookmarks: 'true' }],
    [
      {
        resourceVersion: '7',
        timeoutSeconds: 300,
        labelSelector: 'a',
        fieldSelector: 'b',
        allowWatchBookmarks: false,
      },
      { watch: 'true', resourceVersion: '7', timeoutSeconds: '300', labelSelector: 'a', fieldSelector: 'b' },
    ],
    [
      { sendInitialEvents: true },
      {
        watch: 'true',
        allowWatchBookmarks: 'true',
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
      },
    ],
    [
      { sendInitialEvents: false, resourceVersion: '0' },
      {
        watch: 'true',
        sendInitialEvents: 'false',
        resourceVersionMatch: 'NotOlderThan',
        resourceVersion: '0',
      },
    ],
  ];
  for (const [options, query] of rows) {
    const { transport, pods } = setUp();
    const iterator = pods.watch(options);
    void iterator.next();
    const { request } = await opened(transport);
    assert.deepEqual(JSON.parse(JSON.stringify(request.query)), query);
    await iterator.return?.();
  }
});

test('nothing is sent until somebody reads; events come singly or as they arrived', async () => {
  const { transport, pods } = setUp();
  const single = pods.namespace('a').watch();
  await turn();
  assert.equal(transport.requests.length, 0);
  const first = single.next();
  const watch = await opened(transport);
  assert.equal(watch.request.path, '/api/v1/namespaces/a/pods');
  watch.send(pod('a'), pod('b'));
  watch.send(pod('c'));
  const names = [(await first).value, (await single.next()).value, (await single.next()).value];
  assert.deepEqual(
    names.map((event) => event?.object.metadata?.name),
    ['a', 'b', 'c'],
  );

  const batches = pods.watchBatches();
  const batch = batches.next();
  const events = [pod('a'), pod('b')];
  (await opened(transport)).send(...events);
  assert.deepEqual((await batch).value, events);
});

test('an ERROR is thrown after the events before it, and the watch is closed', async () => {
  const { transport, pods } = setUp();
  const batches = pods.watchBatches();
  const first = batches.next();
  const watch = await opened(transport);
  watch.send(pod('a'), expired, pod('never'));
  assert.deepEqual((await first).value, [pod('a')]);
  await assert.rejects(batches.next(), { code: 'STATUS_EXPIRED', message: 'too old' });
  assert.equal(watch.closed, true);
  assert.equal((await batches.next()).done, true);

  const alone = pods.watch();
  const only = alone.next();
  (await opened(transport)).send(expired);
  await assert.rejects(only, { code: 'STATUS_EXPIRED' });
});

test('a refused watch, a broken one and one that ends', async () => {
  const { object: body } = expired;
  const refused = setUp({ onWatch: () => ({ status: 410, body }) });
  await assert.rejects(refused.pods.watch().next(), { code: 'STATUS_EXPIRED' });

  const { transport, pods } = setUp();
  const broken = pods.watch();
  const waiting = broken.next();
  (await opened(transport)).fail(new TransportError('lost', { code: 'CONNECTION_LOST', sent: true }));
  await assert.rejects(waiting, { code: 'CONNECTION_LOST' });

  const ending = pods.watch();
  const last = ending.next();
  (await opened(transport)).end();
  assert.equal((await last).done, true);
});

test('leaving the loop closes the watch; so does return while a next waits', async () => {
  const { transport, pods } = setUp();
  const loop = (async () => {
    for await (const event of pods.watch()) if (event.type === 'ADDED') break;
  })();
  const watch = await opened(transport);
  watch.send(pod('a'));
  await loop;
  assert.equal(watch.closed, true);

  const iterator = pods.watchBatches();
  const waiting = iterator.next();
  const second = await opened(transport);
  await iterator.return?.();
  assert.equal((await waiting).done, true);
  assert.equal(second.closed, true);

  const opening = Promise.withResolvers<AbortSignal>();
  const slow: Transport = {
    request: () => Promise.reject(new Error('not asked for')),
    watch: ({ signal }) => {
      assert.ok(signal !== undefined);
      opening.resolve(signal);
      return orAbort(new Promise<never>(() => {}), signal);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const early = createClient({ transport: slow }).resource(Pod).watch();
  const never = early.next();
  await opening.promise;
  await early.return?.();
  assert.equal((await never).done, true);

  const unopened = pods.watch();
  await unopened.return?.();
  assert.equal((await unopened.next()).done, true);
});

test('the signal ends it with an error, before and after it is established', async () => {
  const { transport, pods } = setUp();
  await assert.rejects(pods.watch({ signal: AbortSignal.abort() }).next(), CancelledError);
  const controller = new AbortController();
  const waiting = pods.watch({ signal: controller.signal }).next();
  await opened(transport);
  controller.abort();
  await assert.rejects(waiting, CancelledError);
});

test('the bookmark that ends the initial events', () => {
  const bookmark = (annotations?: Record<string, string>) => ({
    type: 'BOOKMARK' as const,
    object: { metadata: { resourceVersion: '1', ...(annotations === undefined ? {} : { annotations }) } },
  });
  assert.equal(isInitialEventsEnd(bookmark({ 'k8s.io/initial-events-end': 'true' })), true);
  assert.equal(isInitialEventsEnd(bookmark()), false);
  assert.equal(isInitialEventsEnd({ type: 'ADDED', object: {} }), false);
});
