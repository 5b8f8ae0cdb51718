import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newForbidden, newInternalError, newNotFound, type RawWatchEvent } from '@windlass/apimachinery';
import {
  CancelledError,
  createLogger,
  FakeClock,
  InvalidArgumentError,
  isCancelled,
  type LogRecord,
  SeededRandom,
  sleep,
} from '@windlass/base';
import { CacheSyncError, InformerStoppedError } from '../errors.ts';
import type { HandlerOptions } from '../handlers/handler-options.ts';
import type { EventHandler } from '../handlers/notification.ts';
import type { Registration } from '../handlers/registration.ts';
import {
  added,
  bookmark,
  deleted,
  modified,
  ScriptedListWatch,
  thing,
} from '../testing/scripted-list-watch.ts';
import type { TestObject } from '../testing/test-object.ts';
import { SharedInformer } from './shared-informer.ts';
import type { SharedInformerOptions } from './shared-informer-options.ts';

/** An informer with a server whose answers the test gives. */
class Subject implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly server = new ScriptedListWatch();
  readonly logged: LogRecord[] = [];
  readonly informer: SharedInformer<TestObject>;

  constructor(options: Partial<SharedInformerOptions<TestObject>> = {}) {
    this.informer = new SharedInformer<TestObject>({
      listWatch: this.server,
      resource: { group: 'example.com', plural: 'things' },
      clock: this.clock,
      random: new SeededRandom(1),
      logger: createLogger((record) => this.logged.push(record), 'debug'),
      streaming: false,
      ...options,
    });
  }

  /** Runs, and has a list. */
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

  /** A handler that writes down what it is told. */
  listen(options: HandlerOptions = {}, more: Partial<EventHandler<TestObject>> = {}) {
    const told: string[] = [];
    const registration = this.informer.addHandler(
      {
        onAdd: ({ metadata }, { isInInitialList }) =>
          void told.push(
            `add ${metadata.name}@${metadata.resourceVersion}${isInInitialList ? ' initial' : ''}`,
          ),
        onUpdate: (old, now) =>
          void told.push(
            old === now
              ? `sync ${now.metadata.name}`
              : `update ${now.metadata.name}@${old.metadata.resourceVersion}-${now.metadata.resourceVersion}`,
          ),
        onDelete: ({ metadata }, { isFinalStateUnknown }) =>
          void told.push(`delete ${metadata.name}${isFinalStateUnknown ? ' unknown' : ''}`),
        ...more,
      },
      options,
    );
    return { told, registration };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.informer.stop();
    assert.equal(this.clock.pendingTimers, 0, 'a timer is left');
    assert.equal(this.server.openWatches, 0, 'a watch is left');
  }
}

// ---- what handlers see

test('a handler is told of the list, then of changes, and the cache is ahead of it', async () => {
  await using subject = new Subject();
  const { informer } = subject;
  const cached: (string | undefined)[] = [];
  const { told } = subject.listen(
    {},
    { onDelete: (_, { key }) => void cached.push(informer.indexer.get(key)?.kind) },
  );
  await subject.synced(thing('a', 1), thing('b', 2));
  await subject.send(modified(thing('a', 11)), added(thing('c', 12)), deleted(thing('b', 13)));
  assert.deepEqual(told, ['add a@1 initial', 'add b@2 initial', 'update a@1-11', 'add c@12']);
  assert.deepEqual(cached, [undefined]);
  assert.deepEqual(informer.indexer.keys(), ['ns/a', 'ns/c']);
});

test('a handler is never called before addHandler has returned', async () => {
  await using subject = await new Subject().synced(thing('a', 1));
  const registration: Registration = subject.informer.addHandler({
    // Would throw if the constant were not there yet.
    onAdd: () => void registration.name,
  });
  await registration.synced();
  assert.deepEqual(
    subject.logged.filter(({ level }) => level === 'error'),
    [],
  );
});

test('who comes late is told of what there is, then of what happens, and misses nothing between', async () => {
  await using subject = await new Subject().synced(thing('a', 1));
  const { told, registration } = subject.listen();
  subject.server.lastWatch.send(modified(thing('a', 11)), added(thing('b', 12)));
  await subject.clock.settle();
  assert.deepEqual(told, ['add a@1 initial', 'update a@1-11', 'add b@12']);
  assert.equal(registration.hasSynced, true);
});

test('a handler added by a handler is told of the whole batch once', async () => {
  await using subject = await new Subject().synced();
  let late: string[] = [];
  subject.informer.addHandler({
    onAdd: ({ metadata }) => {
      if (metadata.name === 'a') late = subject.listen().told;
    },
  });
  await subject.send(added(thing('a', 11)), added(thing('b', 12)));
  assert.deepEqual(late, ['add a@11 initial', 'add b@12 initial']);
});

test('who is removed is told nothing more, also in the middle of a batch', async () => {
  await using subject = await new Subject().synced();
  const second: string[] = [];
  subject.informer.addHandler({ onAdd: () => void other.remove() });
  const other = subject.informer.addHandler({ onAdd: ({ metadata }) => void second.push(metadata.name) });
  await subject.send(added(thing('a', 11)), added(thing('b', 12)));
  assert.deepEqual(second, []);
  await other.remove();
});

test('remove waits for the call that is under way', async () => {
  await using subject = await new Subject().synced(thing('a', 1), thing('b', 1));
  const { clock } = subject;
  let calls = 0;
  const registration = subject.informer.addHandler({
    onAdd: () => sleep(clock, 1000).then(() => void calls++),
  });
  await clock.settle();
  let isRemoved = false;
  const removed = registration.remove().then(() => {
    isRemoved = true;
  });
  await clock.settle();
  assert.equal(isRemoved, false);
  await clock.advance(1000);
  await removed;
  assert.equal(calls, 1);
  await assert.rejects(registration.synced(), CancelledError);
});

test('a slow handler and one that throws hold nobody up', async () => {
  await using subject = new Subject();
  const { clock } = subject;
  const slow = subject.listen({}, { onAdd: () => sleep(clock, 60_000) });
  subject.listen(
    {},
    {
      onAdd: () => {
        throw new Error('broken');
      },
    },
  );
  const { told } = subject.listen();
  await subject.synced(thing('a', 1), thing('b', 1));
  assert.deepEqual(told, ['add a@1 initial', 'add b@1 initial']);
  assert.equal(slow.registration.pending, 2 + 1, 'the call, what waits, and the mark of the list`s end');
  void subject.informer.stop();
  await clock.advance(60_000);
});

test('a registration has synced when its handler is done with the list, not before', async () => {
  await using subject = new Subject();
  const { clock, informer } = subject;
  const { registration } = subject.listen({}, { onAdd: () => sleep(clock, 1000) });
  await subject.synced(thing('a', 1), thing('b', 1));
  assert.deepEqual([informer.hasSynced, registration.hasSynced], [true, false]);
  await subject.send(added(thing('c', 11)));
  await clock.advance(2000);
  assert.equal(registration.hasSynced, true);
  await registration.synced();
  await clock.advance(1000);
});

test('an empty list is a list', async () => {
  await using subject = new Subject();
  const { registration } = subject.listen();
  await subject.synced();
  assert.deepEqual([subject.informer.hasSynced, registration.hasSynced], [true, true]);
});

// ---- relists and resyncs

test('after a relist deletions that were missed are told, unchanged objects only to who asks', async () => {
  await using subject = new Subject();
  const curious = subject.listen({ wantsUnchanged: true });
  const normal = subject.listen();
  await subject.synced(thing('same', 1), thing('changed', 2), thing('gone', 3));
  curious.told.length = 0;
  normal.told.length = 0;
  subject.informer.relist();
  await subject.clock.settle();
  subject.server.waitingList.answer(20, [thing('same', 1), thing('changed', 12), thing('new', 13)]);
  await subject.clock.settle();
  assert.deepEqual(normal.told, ['delete gone unknown', 'update changed@2-12', 'add new@13']);
  assert.deepEqual(curious.told, ['delete gone unknown', 'sync same', 'update changed@2-12', 'add new@13']);
});

test('a resync reminds each handler in its own time, of what is there now', async () => {
  await using subject = new Subject({ resyncMs: 5000 });
  const [often, seldom, never] = [
    subject.listen({ resyncMs: 2000 }),
    subject.listen(),
    subject.listen({ resyncMs: 0 }),
  ];
  await subject.synced(thing('a', 1));
  for (const { told } of [often, seldom, never]) told.length = 0;
  await subject.clock.advance(3000);
  await subject.send(modified(thing('a', 11)));
  await subject.clock.advance(2500);
  assert.deepEqual(often.told, ['sync a', 'update a@1-11', 'sync a']);
  assert.deepEqual(seldom.told, ['update a@1-11', 'sync a']);
  assert.deepEqual(never.told, ['update a@1-11']);
  assert.equal(subject.server.log.length, 2, 'a resync asks the server nothing');
});

test('nobody is reminded of anything before the first list', async () => {
  await using subject = new Subject();
  const { told } = subject.listen({ resyncMs: 1000 });
  subject.informer.start();
  await subject.clock.advance(5000);
  assert.deepEqual(told, []);
});

// ---- waiting

test('synced resolves with the first list, for whoever waits and whoever comes later', async () => {
  await using subject = new Subject();
  const early = subject.informer.synced();
  await subject.synced();
  await early;
  await subject.informer.synced();
});

test('who stops waiting hears why it has not synced', async () => {
  const rows: readonly [Error, RegExp][] = [
    [
      newForbidden(
        { group: 'example.com', resource: 'things' },
        '',
        'User "jane" cannot list resource "things"',
      ),
      /things\.example\.com \(things\.example\.com is forbidden: User "jane" cannot list.*verbs list and watch\)/,
    ],
    [newNotFound({ group: 'example.com', resource: 'things' }, ''), /not found; is it installed\?/],
    [new Error('connect ECONNREFUSED'), /connect ECONNREFUSED/],
  ];
  for (const [error, message] of rows) {
    await using subject = new Subject();
    const controller = new AbortController();
    const waited = subject.informer.synced(controller.signal);
    subject.informer.start();
    await subject.clock.settle();
    subject.server.waitingList.fail(error);
    await subject.clock.settle();
    assert.equal(subject.informer.lastError, error);
    controller.abort();
    await assert.rejects(waited, (thrown: Error) => {
      assert.ok(thrown instanceof CacheSyncError);
      assert.match(thrown.message, message);
      assert.ok(isCancelled(thrown), 'who aborts has not failed');
      return true;
    });
  }
});

test('why it has not synced, in every state', async () => {
  const subject = new Subject();
  const { informer } = subject;
  assert.equal(informer.whyNotSynced(), 'not started');
  informer.start();
  assert.match(informer.whyNotSynced(), /no answer from the server yet, listing/);
  await subject.synced();
  assert.equal(informer.whyNotSynced(), 'synced');
  await informer.stop();
  const stopped = new Subject().informer;
  await stopped.stop();
  assert.equal(stopped.whyNotSynced(), 'stopped');
});

test('an error is forgotten when the server is heard again', async () => {
  await using subject = await new Subject().synced();
  subject.server.lastWatch.fail(new Error('reset'));
  await subject.clock.advance(2000);
  assert.equal(subject.informer.lastError?.message, 'reset');
  await subject.send(bookmark(11));
  assert.equal(subject.informer.lastError, undefined);
});

test('one reads one`s own writes', async () => {
  await using subject = await new Subject().synced(thing('a', 1));
  const { informer } = subject;
  const waited = informer.waitForVersion('12');
  let read: string | undefined;
  const reading = waited.then(() => {
    read = informer.lister.get('a', 'ns').metadata.resourceVersion;
  });
  await subject.send(bookmark(11));
  assert.equal(read, undefined);
  await subject.send(modified(thing('a', 12)));
  await reading;
  assert.equal(read, '12');
  assert.equal(informer.resourceVersion, '12');
});

// ---- life and death

test('start twice is start once, and after stop it is an error', async () => {
  const subject = await new Subject().synced();
  subject.informer.start();
  await subject.clock.settle();
  assert.deepEqual(subject.server.log, ['list 0 limit 500', 'watch 10']);
  await subject.informer.stop();
  await subject.informer.stop();
  assert.throws(() => subject.informer.start(), InformerStoppedError);
  assert.throws(() => subject.informer.addHandler({}), InformerStoppedError);
  assert.throws(() => subject.informer.addIndexers({}), InformerStoppedError);
});

test('stop tells whoever waits, and what was cached can still be read', async () => {
  const unsynced = new Subject();
  unsynced.informer.start();
  const waits = [unsynced.informer.synced(), unsynced.informer.waitForVersion('5')];
  const rejected = Promise.all(waits.map((wait) => assert.rejects(wait, InformerStoppedError)));
  await unsynced.informer.stop();
  await rejected;
  const subject = await new Subject().synced(thing('a', 1));
  await subject.informer.stop();
  assert.equal(subject.informer.indexer.size, 1);
});

test('stop in the middle of a batch tells nobody the rest', async () => {
  const subject = await new Subject().synced();
  const told: string[] = [];
  subject.informer.addHandler({
    onAdd: ({ metadata }) => {
      told.push(metadata.name);
      void subject.informer.stop();
    },
  });
  await subject.send(added(thing('a', 11)), added(thing('b', 12)));
  assert.deepEqual(told, ['a']);
  await subject.informer.stop();
});

test('a handler that was added and an informer that was stopped in one turn call nobody', async () => {
  const subject = await new Subject().synced(thing('a', 1));
  const { told } = subject.listen();
  await subject.informer.stop();
  assert.deepEqual(told, []);
});

// ---- odds and ends

test('what is cached goes through the transform, of lists and of events', async () => {
  await using subject = new Subject({
    transform: (object) => ({ ...object, data: { writes: 7 } }),
    freeze: true,
  });
  await subject.synced(thing('a', 1));
  await subject.send(added(thing('b', 11)));
  for (const object of subject.informer.indexer.values()) {
    assert.equal(object.data.writes, 7);
    assert.ok(Object.isFrozen(object.data));
  }
});

test('what a relist found unchanged is not transformed again', async () => {
  let transformed = 0;
  await using subject = new Subject({
    transform: (object) => {
      transformed++;
      return object;
    },
  });
  await subject.synced(thing('a', 1));
  subject.server.lastWatch.end();
  await subject.clock.advance(2000);
  const { status } = newExpired();
  await subject.send({ type: 'ERROR', object: status });
  await subject.clock.advance(2000);
  assert.equal(subject.server.log.at(-1), 'list 10 limit 0');
  subject.server.waitingList.answer(20, [thing('a', 1), thing('b', 12)]);
  await subject.clock.settle();
  assert.equal(transformed, 2);
});

test('a transform that takes the version away does not lose the place in the stream', async () => {
  await using subject = new Subject({
    transform: (object) => {
      object.metadata.resourceVersion = '';
      return object;
    },
  });
  await subject.synced();
  await subject.send(added(thing('a', 11)));
  await subject.clock.advance(2000);
  subject.server.lastWatch.end();
  await subject.clock.settle();
  assert.equal(subject.server.log.at(-1), 'watch 11');
});

test('an index function that throws is logged, and the object is there', async () => {
  await using subject = new Subject({
    indexers: {
      strict: () => {
        throw new Error('no');
      },
    },
  });
  await subject.synced(thing('a', 1));
  assert.equal(subject.informer.indexer.size, 1);
  const error = subject.logged.find(({ level }) => level === 'error');
  assert.deepEqual([error?.fields['index'], error?.fields['key']], ['strict', 'ns/a']);
});

test('what a user`s report hook throws is logged and harms nothing', async () => {
  await using subject = new Subject({
    onReport: () => {
      throw new Error('mine');
    },
  });
  await subject.synced();
  subject.server.lastWatch.fail(new Error('reset'));
  await subject.clock.advance(2000);
  assert.equal(subject.server.log.at(-1), 'watch 10');
  assert.ok(subject.logged.some(({ message }) => message === 'onReport threw'));
});

test('an object without a name is logged and left out', async () => {
  await using subject = await new Subject().synced();
  await subject.send({ type: 'ADDED', object: { kind: 'Thing', metadata: {} } }, added(thing('a', 12)));
  assert.deepEqual(subject.informer.indexer.keys(), ['ns/a']);
  assert.ok(subject.logged.some(({ message, level }) => level === 'error' && /without a name/.test(message)));
});

test('options are checked by name', () => {
  assert.throws(() => new Subject({ resyncMs: -1 }), InvalidArgumentError);
  const { informer } = new Subject();
  assert.throws(() => informer.addHandler({}, { resyncMs: Number.NaN }), InvalidArgumentError);
  assert.throws(() => informer.addHandler({}, { maxBuffered: 0 }), InvalidArgumentError);
});

test('interruptions are logged as warnings with their error, what is routine is not', async () => {
  await using subject = await new Subject().synced();
  await subject.clock.advance(2000);
  subject.server.lastWatch.end();
  await subject.clock.settle();
  subject.server.refuseNextWatch(newInternalError(new Error('etcd')));
  await subject.clock.advance(2000);
  subject.server.lastWatch.end();
  await subject.clock.advance(1000);
  const levels = subject.logged.map(
    ({ level, fields }) => `${level} ${String(fields['what'])} ${String(fields['reason'])}`,
  );
  assert.deepEqual(levels, ['debug reopen closed', 'debug reopen closed', 'warn reopen server']);
});

function newExpired() {
  return { status: { status: 'Failure', reason: 'Expired', code: 410, message: 'too old' } };
}
