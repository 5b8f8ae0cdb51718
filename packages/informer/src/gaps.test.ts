// Where client-go's informers are weak, ours must not be: one test for each gap that is known of them,
// named after it. The tests of the single parts go further; these show that the whole has it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  newInternalError,
  newServerTimeout,
  newServiceUnavailable,
  type RawWatchEvent,
} from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { FakeClock, MetricsRegistry, SeededRandom, sleep } from '@windlass/base';
import { createClient } from '@windlass/client';
import type { Report } from './reflector/reflector-state.ts';
import { SharedInformer } from './shared/shared-informer.ts';
import { SharedInformerFactory } from './shared/shared-informer-factory.ts';
import type { SharedInformerOptions } from './shared/shared-informer-options.ts';
import { ApiTransport } from './testing/api-transport.ts';
import {
  added,
  bookmark,
  marker,
  modified,
  ScriptedListWatch,
  thing,
} from './testing/scripted-list-watch.ts';
import type { TestObject } from './testing/test-object.ts';

class Subject implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly server = new ScriptedListWatch();
  readonly reports: Report[] = [];
  readonly informer: SharedInformer<TestObject>;

  constructor(options: Partial<SharedInformerOptions<TestObject>> = {}) {
    this.informer = new SharedInformer<TestObject>({
      listWatch: this.server,
      resource: { group: 'example.com', plural: 'things' },
      clock: this.clock,
      random: new SeededRandom(1),
      streaming: false,
      onReport: (report) => this.reports.push(report),
      ...options,
    });
  }

  async synced(...objects: readonly TestObject[]): Promise<this> {
    this.informer.start();
    await this.clock.settle();
    this.server.waitingList.answer(10, objects);
    await this.clock.settle();
    return this;
  }

  async send(...batch: RawWatchEvent[]): Promise<void> {
    this.server.lastWatch.send(...batch);
    await this.clock.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = this.informer.stop();
    await this.clock.advance(200_000);
    await stopped;
  }
}

// ---- section 1, reflector

test('GAP 1.4: a server that never sends the end of a streaming list does not hang the informer', async () => {
  await using subject = new Subject({ streaming: true });
  const { server, clock, informer } = subject;
  informer.start();
  await clock.settle();
  await subject.send(added(thing('a', 1)));
  await clock.advance(10_000);
  server.waitingList.answer(10, [thing('a', 1)]);
  await informer.synced();
  assert.deepEqual(
    subject.reports.map(({ what }) => what),
    ['stream-failed'],
  );
});

test('GAP 1.5: an error in mid-stream reaches the user`s hook, with its cause', async () => {
  await using subject = await new Subject().synced();
  const { status } = newInternalError(new Error('etcd is not well'));
  await subject.send(added(thing('a', 11)), { type: 'ERROR', object: status });
  const [report] = subject.reports;
  assert.equal(report?.what, 'reopen');
  assert.match(report?.failure?.error.message ?? '', /etcd is not well/);
});

test('GAP 1.5: a reset, a timeout, a 5xx or a lost name resume the watch, and nothing is listed again', async () => {
  const failures: readonly Error[] = [
    new Error('read ECONNRESET'),
    new Error('connect ETIMEDOUT'),
    new Error('getaddrinfo ENOTFOUND'),
    newInternalError(new Error('etcd')),
    newServiceUnavailable('starting'),
    newServerTimeout({ group: '', resource: 'things' }, 'watch', 0),
  ];
  await using subject = await new Subject({ backoff: { maxMs: 1000 } }).synced();
  const { server, clock } = subject;
  for (const [index, error] of failures.entries()) {
    const version = 11 + index;
    await subject.send(bookmark(version));
    // Both when it is running and when it is opened.
    server.lastWatch.fail(error);
    server.refuseNextWatch(error);
    await clock.advance(5000);
    assert.equal(server.log.at(-1), `watch ${version}`, error.message);
  }
  assert.deepEqual(
    server.log.filter((line) => line.startsWith('list')),
    ['list 0 limit 500'],
  );
});

test('GAP 1.5: a connection that died in silence is noticed without the help of HTTP/2', async () => {
  await using subject = await new Subject().synced();
  const dead = subject.server.lastWatch;
  await subject.clock.advance(150_000);
  subject.server.waitingList.answer(10);
  await subject.clock.settle();
  assert.deepEqual([dead.isOver, subject.server.log.at(-1)], [true, 'watch 10']);
});

test('GAP 1.1: pauses do not start over while the server still fails', async () => {
  await using subject = await new Subject({ backoff: { jitter: 0 } }).synced();
  const { server, clock } = subject;
  const pauses: number[] = [];
  for (let round = 0; round < 12; round++) {
    server.lastWatch.fail(new Error('reset'));
    const [requests, from] = [server.log.length, clock.monotonic()];
    while (server.log.length === requests) await clock.advance(200);
    pauses.push(clock.monotonic() - from);
  }
  assert.deepEqual(
    pauses,
    [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000],
  );
});

test('GAP 1.9: lists, watches and the reasons of relists and reopenings are counted', async () => {
  const metrics = new MetricsRegistry();
  await using subject = await new Subject({ metrics }).synced();
  subject.server.lastWatch.fail(new Error('reset'));
  await subject.clock.advance(2000);
  subject.informer.relist();
  await subject.clock.settle();
  const exposed = metrics.expose();
  for (const line of [
    'informer_requests_total{name="things.example.com",request="list"} 2',
    'informer_requests_total{name="things.example.com",request="watch"} 2',
    'informer_relists_total{name="things.example.com",reason="asked"} 1',
    'informer_watch_reopens_total{name="things.example.com",reason="transport"} 1',
  ])
    assert.ok(exposed.includes(line), line);
});

// ---- section 3, store

test('GAP 3: a Replace indexes what changed, not everything', async () => {
  let calls = 0;
  await using subject = new Subject({
    indexers: {
      name: ({ metadata }) => {
        calls++;
        return [metadata.name];
      },
    },
  });
  const objects = Array.from({ length: 1000 }, (_, index) => thing(`object-${index}`, 1));
  await subject.synced(...objects);
  calls = 0;
  subject.informer.relist();
  await subject.clock.settle();
  subject.server.waitingList.answer(20, [
    ...objects.slice(2).map((o) => structuredClone(o)),
    thing('object-0', 15),
  ]);
  await subject.clock.settle();
  // One object changed, before and after; one went.
  assert.equal(calls, 3);
  assert.deepEqual(subject.informer.indexer.indexKeys('name', 'object-1'), []);
});

test('GAP 3: an index function that fails does not end the process or lose the object', async () => {
  await using subject = new Subject({
    indexers: {
      bad: () => {
        throw new Error('no');
      },
    },
  });
  await subject.synced(thing('a', 1));
  await subject.send(added(thing('b', 11)));
  assert.deepEqual(subject.informer.indexer.keys(), ['ns/a', 'ns/b']);
});

// ---- section 4, handlers and factories

test('GAP 4.3: what waits for a slow handler is bounded by the number of keys, and shows in metrics', async () => {
  const metrics = new MetricsRegistry();
  await using subject = await new Subject({ metrics }).synced(thing('a', 1), thing('b', 2));
  const { clock, informer } = subject;
  const seen: string[] = [];
  const registration = informer.addHandler(
    {
      onUpdate: (_, now) => {
        seen.push(`${now.metadata.name}@${now.metadata.resourceVersion}`);
        return sleep(clock, 100_000);
      },
    },
    { name: 'slow', maxBuffered: 10 },
  );
  for (let version = 11; version < 10_011; version++)
    subject.server.lastWatch.send(modified(thing(version % 2 === 0 ? 'a' : 'b', version)));
  await clock.settle();
  assert.ok(registration.pending <= 10 + 2 + 1, `${registration.pending} wait`);
  const exposed = metrics.expose();
  assert.match(exposed, new RegExp(`informer_queued_items\\{handler="slow",.*\\} ${registration.pending}\n`));
  assert.match(exposed, /informer_handler_coalesced_total\{handler="slow",.*\} 99\d\d\n/);
  await clock.advance(20 * 100_000);
  assert.deepEqual(new Set(seen.slice(-2)), new Set(['a@10010', 'b@10009']), 'the newest state arrives');
});

test('GAP 4.3: keys that come and go while a handler is slow leave nothing behind', async () => {
  await using subject = await new Subject().synced();
  const { clock, informer } = subject;
  const registration = informer.addHandler({ onAdd: () => sleep(clock, 100_000) }, { maxBuffered: 1 });
  await subject.send(added(thing('busy', 11)));
  for (let version = 12; version < 5012; version += 2) {
    const object = thing('a', version, { uid: String(version) });
    subject.server.lastWatch.send(added(object), {
      type: 'DELETED',
      object: thing('a', version + 1, { uid: String(version) }),
    });
  }
  await clock.settle();
  assert.ok(registration.pending <= 3, `${registration.pending} wait`);
});

test('GAP 4.3: a handler that throws takes no process down, and its next call is not held up', async () => {
  await using subject = await new Subject().synced(thing('a', 1), thing('b', 1));
  let calls = 0;
  subject.informer.addHandler({
    onAdd: () => {
      calls++;
      throw new Error('a bug in a handler');
    },
  });
  await subject.clock.settle();
  assert.equal(calls, 2);
});

test('GAP 4.4: with no resync, a relist does not repeat unchanged objects to every handler', async () => {
  await using subject = await new Subject().synced(thing('a', 1), thing('b', 1));
  let updates = 0;
  subject.informer.addHandler({ onUpdate: () => void updates++ });
  subject.informer.relist();
  await subject.clock.settle();
  subject.server.waitingList.answer(20, [thing('a', 1), thing('b', 1)]);
  await subject.clock.settle();
  assert.equal(updates, 0);
});

test('GAP 4.4: a handler that comes after the start may have any resync period', async () => {
  await using subject = await new Subject().synced(thing('a', 1));
  let syncs = 0;
  subject.informer.addHandler({ onUpdate: () => void syncs++ }, { resyncMs: 1000 });
  await subject.clock.advance(3000);
  assert.equal(syncs, 3);
});

test('GAP 4.1: an object that was deleted and made again is never taken for an update', async () => {
  await using subject = await new Subject().synced(thing('a', 1, { uid: 'first' }));
  const told: string[] = [];
  subject.informer.addHandler({
    onAdd: ({ metadata }) => void told.push(`add ${metadata.uid}`),
    onUpdate: () => void told.push('update'),
    onDelete: ({ metadata }) => void told.push(`delete ${metadata.uid}`),
  });
  subject.informer.relist();
  await subject.clock.settle();
  subject.server.waitingList.answer(20, [thing('a', 15, { uid: 'second' })]);
  await subject.clock.settle();
  assert.deepEqual(told, ['add first', 'delete first', 'add second']);
});

test('GAP 4.7: one informer of a factory can be stopped, when its last user leaves', async () => {
  const clock = new FakeClock();
  const transport = new ApiTransport({ '/api/v1/pods': { listKind: 'PodList', items: [] } });
  await using factory = new SharedInformerFactory({
    client: createClient({ transport, clock }),
    clock,
    streaming: false,
  });
  const [first, second] = [factory.informer(Pod), factory.informer(Pod)];
  factory.start();
  await factory.waitForCacheSync();
  await clock.settle();
  await first.release();
  assert.equal(transport.openWatches, 1);
  await second.release();
  assert.deepEqual([transport.openWatches, factory.informers, clock.pendingTimers], [0, [], 0]);
});

// ---- what users of informers ask for (section 11)

test('PAIN 2: a caller reads its own write after a wait with a deadline', async () => {
  await using subject = await new Subject().synced(thing('a', 1));
  const waited = subject.informer.waitForVersion('11', { timeoutMs: 1000 });
  await subject.send(modified(thing('a', 11)));
  await waited;
  assert.equal(subject.informer.indexer.get('ns/a')?.metadata.resourceVersion, '11');
});

test('PAIN 19: a restart of the API server costs no relist and repeats nothing', async () => {
  await using subject = new Subject({ streaming: true, backoff: { maxMs: 5000 } });
  const { server, clock, informer } = subject;
  let told = 0;
  informer.addHandler({ onAdd: () => void told++, onUpdate: () => void told++ });
  informer.start();
  await clock.settle();
  await subject.send(added(thing('a', 1)), marker(10));
  server.lastWatch.fail(new Error('read ECONNRESET'));
  for (let refused = 0; refused < 5; refused++) {
    server.refuseNextWatch(new Error('connect ECONNREFUSED'));
    await clock.advance(10_000);
  }
  await clock.advance(10_000);
  assert.deepEqual(new Set(server.log), new Set(['stream newest', 'watch 10']));
  assert.equal(told, 1);
});
