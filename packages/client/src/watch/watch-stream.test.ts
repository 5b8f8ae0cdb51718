import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawWatchEvent, Transport } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { CancelledError, FakeClock, orAbort } from '@windlass/base';
import { createClient } from '../client.ts';
import { TransportError } from '../errors.ts';
import type { WatchOptions } from '../resource/options.ts';
import { FakeTransport, type FakeTransportOptions, type FakeWatch } from '../testing/index.ts';
import { SilenceTimer } from './silence-timer.ts';
import { isInitialEventsEnd } from './watch-event.ts';
import { WatchStream, type WatchStreamOptions } from './watch-stream.ts';

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
  assert.equal((await unopened.return?.())?.done, true);
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

test('an event without what its type promises ends the watch, after those before it', async () => {
  const start = 'the watch stream has the event';
  const end = 'is this a Kubernetes API server?';
  const rows: readonly (readonly [event: RawWatchEvent, message: string])[] = [
    [
      { type: 'MODIFIED', object: { kind: 'Pod', metadata: {} } },
      `${start} MODIFIED with a "Pod" without metadata.name: ${end}`,
    ],
    [{ type: 'DELETED', object: {} }, `${start} DELETED with an object without metadata.name: ${end}`],
    [
      { type: 'BOOKMARK', object: { metadata: {} } },
      `${start} BOOKMARK with an object without metadata.resourceVersion: ${end}`,
    ],
  ];
  for (const [bad, message] of rows) {
    const { transport, pods } = setUp();
    const iterator = pods.watch();
    const first = iterator.next();
    const watch = await opened(transport);
    watch.send(pod('a'), bad, pod('b'));
    assert.equal((await first).value?.object.metadata.name, 'a');
    await assert.rejects(iterator.next(), { code: 'WATCH_GARBAGE', message });
    assert.equal((await iterator.next()).done, true);

    const lenient = pods.watchBatches({ allowNameless: true });
    const batch = lenient.next();
    (await opened(transport)).send(pod('a'), bad, pod('b'));
    assert.equal((await batch).value?.length, 3);
    await lenient.return?.();
  }
});

test('the bookmark that ends the initial events', () => {
  const bookmark = (annotations?: Record<string, string>) => ({
    type: 'BOOKMARK' as const,
    object: { metadata: { resourceVersion: '1', ...(annotations === undefined ? {} : { annotations }) } },
  });
  assert.equal(isInitialEventsEnd(bookmark({ 'k8s.io/initial-events-end': 'true' })), true);
  assert.equal(isInitialEventsEnd(bookmark()), false);
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  assert.equal(isInitialEventsEnd({ type: 'ADDED', object: { metadata } }), false);
});

// ---- silence, and sources that do not do as they are told

type Events = Awaited<ReturnType<WatchStreamOptions['open']>>;

/** A source that says nothing and does not even end when it is told to. */
class Hanging implements AsyncIterableIterator<readonly RawWatchEvent[]> {
  returned = 0;
  next = (): Promise<never> => new Promise<never>(() => {});

  async return(): Promise<IteratorResult<readonly RawWatchEvent[]>> {
    this.returned++;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function streamOf(events: Events | Promise<Events>, clock: FakeClock, ms: number, signal?: AbortSignal) {
  return new WatchStream({ open: async () => events, signal, silence: { clock, ms } });
}

test('a source that hangs holds up nobody: not an abort, not a return, not the silence', async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const aborted = streamOf(new Hanging(), clock, 1000, controller.signal);
  const first = assert.rejects(aborted.next(), CancelledError);
  await turn();
  controller.abort();
  await first;
  assert.equal((await aborted.next()).done, true);

  const source = new Hanging();
  const returned = streamOf(source, clock, 1000);
  const second = returned.next();
  await turn();
  await returned.return();
  assert.equal((await second).done, true);
  assert.equal(source.returned, 1);

  const silent = assert.rejects(streamOf(new Hanging(), clock, 1000).next(), { code: 'WATCH_IDLE' });
  await turn();
  await clock.advance(1000);
  await silent;
  assert.equal(clock.pendingTimers, 0);
});

test('silence counts from the request on, also when the server does not answer it', async () => {
  const clock = new FakeClock();
  let request: AbortSignal | undefined;
  const stream = new WatchStream({
    open: (signal) => {
      request = signal;
      return new Promise<never>(() => {});
    },
    signal: undefined,
    silence: { clock, ms: 1000 },
  });
  const outcome = assert.rejects(stream.open(), { code: 'WATCH_IDLE' });
  await clock.advance(999);
  assert.equal(request?.aborted, false);
  await clock.advance(1);
  await outcome;
  assert.equal(request?.aborted, true, 'the request is over, too');
});

test('a source that comes when the stream is over is closed', async () => {
  const clock = new FakeClock();
  const late = Promise.withResolvers<Events>();
  const stream = streamOf(late.promise, clock, 1000);
  const outcome = assert.rejects(stream.next(), { code: 'WATCH_IDLE' });
  await clock.advance(1000);
  await outcome;
  const source = new Hanging();
  late.resolve(source);
  await turn();
  assert.equal(source.returned, 1);
  assert.equal(clock.pendingTimers, 0);
});

test('a stranger`s source may have a silence of its own', async () => {
  const clock = new FakeClock();
  const source = Object.assign(new Hanging(), { silence: 'golden' });
  const outcome = assert.rejects(streamOf(source, clock, 1000).next(), { code: 'WATCH_IDLE' });
  await turn();
  await clock.advance(1000);
  await outcome;
});

test('a stream that was left gives nothing more, though events of its last batch were not read', async () => {
  const { transport, pods } = setUp();
  const iterator = pods.watch();
  const first = iterator.next();
  (await opened(transport)).send(pod('a'), pod('b'));
  await first;
  assert.equal((await iterator.return?.())?.done, true);
  assert.equal((await iterator.next()).done, true);
});

test('what is too much silence may change, and what is a sign of life the reader says', async () => {
  const clock = new FakeClock();
  const transport = new FakeTransport();
  const open = async (): Promise<Events> => {
    const { events } = await transport.watch({ method: 'GET', path: '/' });
    assert.ok(events !== undefined);
    return events;
  };
  const stream = new WatchStream({ open, signal: undefined, silence: { clock, ms: 1000 } });
  const first = stream.next();
  const watch = await opened(transport);
  watch.send(pod('a'));
  await first;
  await clock.advance(5000);
  stream.heard();
  const second = stream.next();
  await clock.advance(999);
  watch.send(pod('b'));
  assert.equal(
    (await second).value?.[0]?.object.metadata.name,
    'b',
    'silence counts only while somebody reads',
  );
  stream.allowSilence(3000);
  const raised = stream.next();
  await clock.advance(2999);
  watch.send(pod('c'));
  assert.equal((await raised).done, false, 'the limit before no longer counts');
  stream.allowSilence(300);
  const third = assert.rejects(stream.next(), { code: 'WATCH_IDLE' });
  await clock.advance(299);
  assert.equal(clock.pendingTimers, 1);
  await clock.advance(1);
  await third;
});

test('what came before the connection fell silent can still be read', async () => {
  const clock = new FakeClock();
  const batches: (readonly RawWatchEvent[])[] = [[pod('a')], [pod('b')]];
  let end: AbortSignal | undefined;
  const source: Events = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = batches.shift();
        if (value !== undefined) return { done: false, value };
        throw new CancelledError('told to end');
      },
    }),
  };
  const silence = new SilenceTimer(() => assert.fail('the stream has taken it over'));
  silence.add({ what: 'bytes', clock, ms: 1000, silentMs: () => clock.monotonic() });
  const stream = new WatchStream({
    open: async (signal) => {
      end = signal;
      return Object.assign(source, { silence });
    },
    signal: undefined,
  });
  assert.equal((await stream.next()).value?.length, 1);
  await clock.advance(1000);
  assert.equal(end?.aborted, true);
  assert.equal((await stream.next()).value?.length, 1);
  await assert.rejects(stream.next(), { code: 'WATCH_IDLE', message: /^bytes: nothing came for 1000 ms/ });
  assert.equal((await stream.next()).done, true);
});

test('a stream of a stream that nobody has read is one stream', async () => {
  const { transport, pods } = setUp();
  const controller = new AbortController();
  let checked = 0;
  const outer = new WatchStream({
    open: async (signal) => pods.watchBatches({ signal }),
    signal: controller.signal,
    check: () => void checked++,
  });
  const first = outer.next();
  const watch = await opened(transport);
  // The inner one would end at an object without a name; the outer one decides.
  watch.send({ type: 'ADDED', object: {} }, expired);
  assert.equal((await first).value?.length, 1);
  await assert.rejects(outer.next(), { code: 'STATUS_EXPIRED' });
  assert.equal(checked, 1);
  assert.equal(watch.closed, true);
});

test('an ERROR is told by its code when its kind was lost, and is of no known form without one', async () => {
  for (const [object, code] of [
    [{ reason: 'Expired', code: 410, message: 'too old' }, 'STATUS_EXPIRED'],
    [{ reason: 'Expired' }, 'STATUS_UNKNOWN'],
  ] as const) {
    const { transport, pods } = setUp();
    const outcome = assert.rejects(pods.watch().next(), { code });
    (await opened(transport)).send({ type: 'ERROR', object });
    await outcome;
  }
});
