import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { newInternalError, newResourceExpired, type RawWatchEvent } from '@windlass/apimachinery';
import { FakeClock, InvalidArgumentError, SeededRandom } from '@windlass/base';
import { WatchStreamError } from '@windlass/client';
import {
  added,
  bookmark,
  deleted,
  marker,
  modified,
  ScriptedListWatch,
  thing,
} from '../testing/scripted-list-watch.ts';
import type { TestObject } from '../testing/test-object.ts';
import { Reflector } from './reflector.ts';
import type { ReflectorTuning } from './reflector-options.ts';
import type { Report } from './reflector-state.ts';

/** A reflector that runs, and everything it says and hands on. */
class Running implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly server = new ScriptedListWatch();
  readonly seen: string[] = [];
  readonly reports: string[] = [];
  readonly stop = new AbortController();
  readonly known = new Map<string, TestObject>();
  replaced = new Map<string, TestObject>();
  onEvents = (): void => {};
  readonly reflector: Reflector<TestObject>;
  readonly #ended: Promise<void>;

  constructor(tuning: ReflectorTuning = { streaming: false }, { hangs = false } = {}) {
    this.server.hangs = hangs;
    this.reflector = new Reflector<TestObject>({
      listWatch: this.server,
      clock: this.clock,
      random: new SeededRandom(1),
      onReport: (report) => this.reports.push(textOf(report)),
      sink: {
        replace: (objects, version, unique) => {
          this.replaced = objects;
          this.seen.push(`replace ${[...objects.keys()].join(' ')} @${version}${unique ? '' : ' in doubt'}`);
        },
        known: (key) => this.known.get(key),
        events: (events) => {
          this.seen.push(events.map(brief).join(', '));
          this.onEvents();
        },
        malformed: () => this.seen.push('malformed'),
      },
      ...tuning,
    });
    this.#ended = this.reflector.run(this.stop.signal);
  }

  settle(): Promise<void> {
    return this.clock.settle();
  }

  /** Lists, and watches from there. */
  async watching(version = 5): Promise<this> {
    await this.settle();
    this.server.waitingList.answer(version);
    await this.settle();
    return this;
  }

  async send(...batch: RawWatchEvent[]): Promise<void> {
    this.server.lastWatch.send(...batch);
    await this.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await this.#ended;
    assert.equal(this.clock.pendingTimers, 0, 'a timer is left');
    assert.equal(this.server.openWatches, 0, 'a watch is left');
    assert.equal(getEventListeners(this.stop.signal, 'abort').length, 0, 'a listener is left');
  }
}

function textOf(report: Report): string {
  return `${report.what}${'reason' in report ? ` ${report.reason}` : ''}`;
}

function brief({ type, object }: RawWatchEvent): string {
  const { name, resourceVersion } = (object as TestObject).metadata;
  return `${type}${name === undefined ? '' : ` ${name}`} ${resourceVersion}`;
}

test('pages are collected and handed on at once', async () => {
  await using running = new Running();
  const { server, seen } = running;
  await running.settle();
  server.waitingList.answer(5, [thing('a', 1), thing('b', 2)], 'more');
  await running.settle();
  assert.deepEqual(seen, []);
  assert.equal(server.waitingList.request.continueToken, 'more');
  server.waitingList.answer(9, [thing('c', 3)]);
  await running.settle();
  assert.deepEqual(seen, ['replace ns/a ns/b ns/c @5']);
  assert.deepEqual(server.log, ['list 0 limit 500', 'next page', 'watch 5']);
});

test('pages of a list that failed are forgotten', async () => {
  await using running = new Running();
  const { server, seen, clock } = running;
  await running.settle();
  server.waitingList.answer(5, [thing('a', 1)], 'more');
  await running.settle();
  server.waitingList.fail(new Error('reset'));
  await clock.advance(2000);
  server.waitingList.answer(6, [thing('b', 2)]);
  await running.settle();
  assert.deepEqual(seen, ['replace ns/b @6']);
});

test('changes are handed on as they came, and the watch goes on from the last one', async () => {
  await using running = new Running();
  await running.watching();
  await running.send(added(thing('a', 6)), modified(thing('a', 7)), deleted(thing('a', 8)));
  await running.send(bookmark(20));
  assert.deepEqual(running.seen.slice(1), ['ADDED a 6, MODIFIED a 7, DELETED a 8', 'BOOKMARK 20']);
  await running.clock.advance(2000);
  running.server.lastWatch.end();
  await running.settle();
  assert.equal(running.server.log.at(-1), 'watch 20');
  assert.deepEqual(running.reports, ['reopen closed']);
});

test('what comes before an error in one batch counts; the error is next', async () => {
  await using running = new Running();
  await running.watching();
  const { status } = newInternalError(new Error('etcd'));
  await running.send(added(thing('a', 6)), { type: 'ERROR', object: status }, added(thing('never', 7)));
  await running.clock.advance(2000);
  assert.deepEqual(running.seen.slice(1), ['ADDED a 6']);
  assert.deepEqual([running.reports, running.server.log.at(-1)], [['reopen server'], 'watch 6']);
});

test('a streaming list: the state until the marker, the changes behind it in the same batch', async () => {
  await using running = new Running({ streaming: true });
  await running.settle();
  await running.send(added(thing('a', 3)), added(thing('b', 1)));
  await running.send(
    modified(thing('a', 4)),
    deleted(thing('b', 5)),
    bookmark(5),
    marker(6),
    added(thing('c', 7)),
    bookmark(8),
  );
  assert.deepEqual(running.seen, ['replace ns/a @6', 'ADDED c 7, BOOKMARK 8']);
  assert.deepEqual(running.server.log, ['stream newest']);
});

test('an error before the marker throws what was collected away', async () => {
  await using running = new Running({ streaming: true });
  await running.settle();
  await running.send(added(thing('a', 3)), {
    type: 'ERROR',
    object: newInternalError(new Error('RequestWatchProgress is disabled')).status,
  });
  running.server.waitingList.answer(9, [thing('b', 4)]);
  await running.settle();
  assert.deepEqual(running.seen, ['replace ns/b @9']);
  assert.deepEqual(running.server.log, ['stream newest', 'list 0 limit 500', 'watch 9']);
});

test('a marker without a version is none', async () => {
  await using running = new Running({ streaming: true });
  await running.settle();
  await running.send(added(thing('a', 3)), marker(''));
  await running.clock.advance(10_000);
  assert.deepEqual(running.reports, ['stream-failed silent']);
  assert.equal(running.server.log.at(-1), 'list 0 limit 500');
});

test('a server that sends changes for ever and no marker does not hold up a list', async () => {
  await using running = new Running({ streaming: true });
  await running.settle();
  await running.send(added(thing('a', 3)));
  for (let version = 4; running.reports.length === 0 && version < 100; version++) {
    await running.send(modified(thing('a', version)));
    await running.clock.advance(1000);
  }
  assert.deepEqual(running.reports, ['stream-failed silent']);
  assert.ok(running.clock.monotonic() <= 12_000);
});

test('a slow but steady stream of objects is let finish', async () => {
  await using running = new Running({ streaming: true });
  await running.settle();
  for (let count = 1; count <= 10; count++) {
    await running.send(added(thing(`object-${count}`, count)));
    await running.clock.advance(9000);
  }
  await running.send(marker(99));
  assert.deepEqual([running.reports, running.seen.length], [[], 1]);
});

test('a bookmark that comes late, in one batch with a newer change, does not take the watch back', async () => {
  for (const batch of [
    [modified(thing('a', 9)), bookmark(7)],
    [modified(thing('a', 9)), bookmark(8), bookmark(7)],
    [bookmark(6), modified(thing('a', 9)), bookmark(7)],
    [bookmark(9), bookmark(7)],
  ]) {
    await using running = await new Running().watching();
    await running.send(...batch);
    await running.clock.advance(2000);
    running.server.lastWatch.end();
    await running.settle();
    assert.equal(running.server.log.at(-1), 'watch 9', batch.map(brief).join(', '));
  }
});

test('silence is noticed, the watch is let go of, and another is opened', async () => {
  await using running = new Running();
  await running.watching();
  const { server, clock } = running;
  const dead = server.lastWatch;
  await clock.advance(100_000);
  await running.send(bookmark(6));
  // Bookmarks come about every minute, so that one is missing.
  await clock.advance(74_999);
  assert.equal(dead.isOver, false, 'the bookmark was a sign of life');
  await clock.advance(1);
  assert.deepEqual([running.reports, dead.isOver], [['reopen silent'], true]);
  assert.equal(server.log.at(-1), 'list 6 limit 1');
  server.waitingList.answer(6, [thing('any', 1)]);
  await running.settle();
  assert.equal(server.log.at(-1), 'watch 6');
  assert.equal(running.seen.length, 2, 'what the probe found is not handed on');
});

test('a server that sends no bookmarks may be silent for longer', async () => {
  await using running = new Running();
  await running.watching();
  const { server, clock } = running;
  const quiet = server.lastWatch;
  await running.send(added(thing('a', 6)));
  await clock.advance(149_999);
  assert.equal(quiet.isOver, false);
  await clock.advance(1);
  assert.equal(quiet.isOver, true);
});

test('silence that the transport has noticed is silence: the server may be behind us', async () => {
  await using running = await new Running().watching(5);
  running.server.lastWatch.fail(new WatchStreamError('nothing came', { code: 'WATCH_IDLE' }));
  await running.settle();
  assert.deepEqual([running.reports, running.server.log.at(-1)], [['reopen silent'], 'list 5 limit 1']);
  // Its data was restored from a copy: a watch from 5 would wait for ever.
  running.server.waitingList.answer(3);
  await running.settle();
  assert.equal(running.reports.at(-1), 'relist version-went-back');
});

test('a server that does not answer a streaming list is given up for a plain one, and its request ended', async () => {
  await using running = new Running({ streaming: true }, { hangs: true });
  await running.clock.advance(9999);
  assert.deepEqual([running.reports, running.reflector.phase], [[], 'opening-stream']);
  await running.clock.advance(1);
  assert.deepEqual(running.reports, ['stream-failed silent']);
  assert.equal(running.server.log.at(-1), 'list 0 limit 500');
  assert.equal(running.server.hangingWatch?.aborted, true);
});

test('a relist interrupts a watch that is being opened', async () => {
  await using running = new Running({ streaming: true }, { hangs: true });
  await running.settle();
  const first = running.server.hangingWatch;
  running.reflector.relist();
  await running.settle();
  assert.equal(first?.aborted, true);
  assert.deepEqual(
    [running.reports, running.server.log],
    [['relist asked'], ['stream newest', 'stream newest']],
  );
});

test('a watch from nowhere sends the state in any order: its versions do not count', async () => {
  await using running = new Running();
  await running.settle();
  running.server.waitingList.answer('', [thing('a', 50)]);
  await running.settle();
  await running.send(added(thing('a', 50)), added(thing('b', 3)));
  await running.clock.advance(2000);
  running.server.lastWatch.end();
  await running.clock.advance(2000);
  assert.deepEqual(running.reports, ['relist no-version']);
  running.server.waitingList.answer('', []);
  await running.settle();
  // The first change ends the unordered part.
  await running.send(added(thing('a', 50)), modified(thing('b', 51)));
  await running.clock.advance(2000);
  running.server.lastWatch.end();
  await running.settle();
  assert.equal(running.server.log.at(-1), 'watch 51');
});

test('a relist that is asked for by whoever is told of a change counts that change', async () => {
  await using running = new Running();
  await running.watching();
  running.onEvents = () => running.reflector.relist();
  await running.send(added(thing('a', 9)));
  assert.deepEqual([running.server.log.at(-1), running.reports], ['list newest limit 500', ['relist asked']]);
  running.server.waitingList.answer(8, []);
  await running.settle();
  assert.deepEqual(running.seen.slice(1), ['ADDED a 9', 'replace  @8 in doubt']);
});

test('a relist interrupts a list that is under way, but not a pause', async () => {
  await using running = new Running();
  const { server, clock } = running;
  await running.settle();
  const interrupted = server.waitingList;
  running.reflector.relist();
  await running.settle();
  assert.equal(interrupted.request.signal.aborted, true);
  assert.deepEqual([server.log.at(-1), running.reports], ['list newest limit 500', ['relist asked']]);
  server.waitingList.fail(new Error('reset'));
  await running.settle();
  running.reflector.relist();
  await running.settle();
  assert.equal(server.log.length, 2, 'the server gets its rest');
  await clock.advance(2000);
  assert.equal(server.log.length, 3);
});

test('a list of what is known already takes no second room', async () => {
  await using running = new Running();
  const [same, changed] = [thing('same', 1), thing('changed', 2)];
  running.known.set('ns/same', same);
  running.known.set('ns/changed', changed);
  await running.settle();
  const newer = thing('changed', 3);
  running.server.waitingList.answer(5, [thing('same', 1), newer]);
  await running.settle();
  assert.equal(running.replaced.get('ns/same'), same);
  assert.equal(running.replaced.get('ns/changed'), newer);
  // Where versions are in doubt, nothing is taken for known.
  running.reflector.relist();
  await running.settle();
  running.server.waitingList.answer(6, [thing('same', 1)]);
  await running.settle();
  assert.notEqual(running.replaced.get('ns/same'), same);
});

test('an object without a name is left out, of lists and of streams', async () => {
  await using running = new Running();
  await running.settle();
  const nameless = [{ metadata: {} }, {}, null, { metadata: { name: '' } }, { metadata: { name: 7 } }];
  running.server.waitingList.answer(5, [...(nameless as TestObject[]), thing('a', 1)]);
  await running.settle();
  assert.deepEqual(running.seen, [...nameless.map(() => 'malformed'), 'replace ns/a @5']);
});

test('each watch ends after a random time between one and two of the least', async () => {
  await using running = new Running({ streaming: false, minWatchSeconds: 100 });
  await running.watching();
  const timeouts = new Set<number>();
  for (let round = 0; round < 20; round++) {
    timeouts.add(running.server.lastWatch.request.timeoutSeconds);
    await running.clock.advance(2000);
    running.server.lastWatch.end();
    await running.settle();
  }
  for (const seconds of timeouts) assert.ok(seconds >= 100 && seconds < 200, String(seconds));
  assert.ok(timeouts.size > 10);
});

test('pauses grow with failures and start over only after a healthy stretch', async () => {
  await using running = new Running({ streaming: false, backoff: { jitter: 0 } });
  const { server, clock } = running;
  await running.watching();
  const pause = async (): Promise<number> => {
    server.lastWatch.fail(new Error('reset'));
    const requests = server.log.length;
    const from = clock.monotonic();
    while (server.log.length === requests) await clock.advance(100);
    return clock.monotonic() - from;
  };
  assert.deepEqual([await pause(), await pause(), await pause()], [800, 1600, 3200]);
  await clock.advance(119_000);
  assert.equal(await pause(), 6400, 'not long enough well');
  await clock.advance(121_000);
  assert.equal(await pause(), 800);
});

test('a stop in any phase ends the run and leaves nothing', async () => {
  const phases: readonly ((running: Running) => Promise<void>)[] = [
    async () => {},
    async (running) => running.settle(),
    async (running) => void (await running.watching()),
    async (running) => {
      await running.settle();
      running.server.waitingList.fail(newResourceExpired('x'));
      await running.settle();
      running.server.waitingList.fail(newResourceExpired('x'));
      await running.settle();
    },
    async (running) => {
      await running.watching();
      await running.clock.advance(150_000);
    },
  ];
  for (const reach of phases) {
    await using running = new Running();
    await reach(running);
  }
});

test('options are checked by name', () => {
  const bad: readonly ReflectorTuning[] = [
    { pageSize: 0 },
    { silenceMs: Number.NaN },
    { minWatchSeconds: -1 },
    { streamSilenceMs: Number.POSITIVE_INFINITY },
  ];
  for (const tuning of bad) assert.throws(() => new Running(tuning), InvalidArgumentError);
});
