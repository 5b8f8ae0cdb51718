import assert from 'node:assert/strict';
import { DeadlineError, FakeClock, type Random, SeededRandom, silentLogger, sleep } from '@windlass/base';
import type { Registration } from '../handlers/registration.ts';
import { SharedInformer } from '../shared/shared-informer.ts';
import { FakeCollection } from './fake-collection.ts';
import { FakeServer } from './fake-server.ts';
import { Observer } from './observer.ts';
import { TEST_RESOURCE, type TestObject } from './test-object.ts';
import { type State, stateOf } from './timeline.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** A silence, the longest pause between two tries, and some more. */
const CONVERGES_WITHIN = 20 * MINUTE;

/**
 * One random story, told by a seed: writes, handlers that come and go, and a server that does everything
 * wrong. In the end the faults stop, and all must be as it should be.
 */
export class ChaosScenario {
  /** How often each thing was reported; for the proof that the faults were felt. */
  readonly reported: Map<string, number>;
  readonly #random: Random;
  readonly #clock = new FakeClock();
  readonly #collection: FakeCollection;
  readonly #server: FakeServer;
  readonly #informer: SharedInformer<TestObject>;
  readonly #observers: { readonly observer: Observer; readonly registration: Registration }[] = [];
  readonly #readBacks: Promise<void>[] = [];
  readonly #problems: string[] = [];
  #observerCount = 0;
  #isHistoryLost = false;

  constructor(seed: number, reported = new Map<string, number>()) {
    const random = new SeededRandom(seed);
    const clock = this.#clock;
    this.reported = reported;
    this.#random = random;
    this.#collection = new FakeCollection(random);
    this.#server = new FakeServer({
      collection: this.#collection,
      clock,
      random,
      futureWatch: pick(random, ['silent', 'error', 'eager'] as const),
      streaming: pick(random, ['yes', 'yes', 'yes', 'refused', 'error-event', 'no-marker'] as const),
    });
    this.#server.faults = random.next() * 0.6;
    this.#informer = new SharedInformer<TestObject>({
      listWatch: this.#server,
      resource: TEST_RESOURCE,
      clock,
      random,
      // Its handlers throw on purpose, tens of thousands of times.
      logger: silentLogger,
      streaming: random.int(3) > 0,
      pageSize: 1 + random.int(6),
      freeze: random.int(2) === 0,
      indexers: { color: (object) => [object.metadata.labels?.['color'] ?? 'none'] },
      onReport: (report) => {
        const why = 'reason' in report ? report.reason : report.failure.kind;
        const text = `${report.what} ${why}`;
        reported.set(text, (reported.get(text) ?? 0) + 1);
      },
    });
  }

  async run(): Promise<void> {
    for (let writes = this.#random.int(8); writes > 0; writes--) this.#write();
    for (let handlers = 1 + this.#random.int(3); handlers > 0; handlers--) this.#addHandler();
    this.#informer.start();
    for (let acts = 10 + this.#random.int(30); acts > 0; acts--) await this.#act();
    this.#server.faults = 0;
    await this.#converge();
    // All is well now: what happens from here on is seen as it happens.
    for (let writes = 0; writes < 5; writes++) this.#write();
    await this.#converge();
    this.#addHandler();
    // Slow handlers need their time.
    await this.#clock.advance(3 * MINUTE);
    await Promise.all(this.#readBacks);
    this.#check();
    await this.#end();
  }

  async #act(): Promise<void> {
    const [random, server, collection] = [this.#random, this.#server, this.#collection];
    switch (random.int(24)) {
      case 0:
        return server.restart(random.int(40 * SECOND));
      case 1:
        return server.breakStreams();
      case 2:
        return server.silenceStreams();
      case 3:
        return collection.compact();
      case 4:
        return server.expireStreams();
      case 5:
        return collection.backUp();
      case 6:
        if (!collection.restore()) return undefined;
        this.#isHistoryLost = true;
        return server.restart(random.int(20 * SECOND));
      case 7:
        return this.#kindGoesAndComesBack();
      case 8:
        return this.#addHandler();
      case 9:
        return this.#removeHandler();
      case 10:
        return this.#informer.relist();
      case 11:
        return collection.tick();
      case 12:
      case 13:
      case 14:
        return this.#clock.advance(10 ** (random.next() * 5));
      default:
        for (let writes = random.int(6); writes >= 0; writes--) this.#write();
        return this.#clock.advance(random.int(3) * 300);
    }
  }

  #write(): void {
    const collection = this.#collection;
    const key = `ns-${this.#random.int(2)}/thing-${this.#random.int(5)}`;
    let written: TestObject | undefined;
    if (!collection.now.objects.has(key)) written = collection.create(key);
    else if (this.#random.int(3) === 0) written = collection.delete(key);
    else written = collection.update(key);
    if (written !== undefined && this.#random.int(4) === 0) this.#readBack(key, written);
  }

  /** Once the wait is over the cache has that state or a later one. */
  #readBack(key: string, written: TestObject): void {
    const { timeline, now } = this.#collection;
    const { resourceVersion } = written.metadata;
    const from = timeline.find(key, stateOf(now.objects.get(key)), timeline.length(key) - 1);
    const wait = this.#informer.waitForVersion(resourceVersion, { timeoutMs: 20 * SECOND });
    const checked = wait.then(
      () => {
        const cached = this.#cachedState(key);
        if (this.#isHistoryLost || timeline.find(key, cached, from) !== -1) return;
        this.#problems.push(`${key} is read back as ${cached}, older than ${resourceVersion}`);
      },
      (error: unknown) => assert.ok(error instanceof DeadlineError),
    );
    this.#readBacks.push(checked);
  }

  #addHandler(): void {
    const random = this.#random;
    const kind = pick(random, ['sync', 'slow', 'throwing', 'failing'] as const);
    const name = `observer-${++this.#observerCount} (${kind})`;
    const afterwards = {
      sync: () => {},
      slow: () => sleep(this.#clock, random.int(3 * SECOND)),
      throwing: () => {
        if (random.int(3) === 0) throw new Error('a handler that throws');
      },
      failing: async () => {
        if (random.int(3) === 0) throw new Error('a handler that rejects');
      },
    }[kind];
    const observer = new Observer({
      name,
      timeline: this.#collection.timeline,
      afterwards,
      ...(kind === 'sync' && { indexer: this.#informer.indexer }),
    });
    const registration = this.#informer.addHandler(observer, {
      name,
      maxBuffered: 1 + random.int(10),
      resyncMs: pick(random, [0, 0, 30 * SECOND]),
      wantsUnchanged: random.int(4) === 0,
    });
    this.#observers.push({ observer, registration });
  }

  async #removeHandler(): Promise<void> {
    const [gone] = this.#observers.splice(this.#random.int(this.#observers.length + 1), 1);
    if (gone === undefined) return;
    const removed = gone.registration.remove();
    await this.#clock.advance(3 * SECOND);
    await removed;
    const before = { ...gone.observer.told };
    this.#write();
    await this.#clock.advance(SECOND);
    assert.deepEqual(gone.observer.told, before, 'told after it was removed');
    this.#problems.push(...gone.observer.problems);
  }

  async #kindGoesAndComesBack(): Promise<void> {
    const [random, server, collection] = [this.#random, this.#server, this.#collection];
    const areObjectsDeleted = random.int(2) === 0;
    // Watchers may hear of the deletions or not.
    if (areObjectsDeleted && random.int(2) === 0) server.silenceStreams();
    if (areObjectsDeleted) for (const key of collection.now.objects.keys()) collection.delete(key);
    server.serveKind(false);
    await this.#clock.advance(random.int(2 * MINUTE));
    server.serveKind(true);
  }

  async #converge(): Promise<void> {
    const deadline = this.#clock.monotonic() + CONVERGES_WITHIN;
    while (!this.#isEqual() && this.#clock.monotonic() < deadline) await this.#clock.advance(10 * SECOND);
    const { indexer } = this.#informer;
    const cached = new Map(indexer.keys().map((key) => [key, indexer.get(key)]));
    assert.deepEqual(cached, new Map(this.#collection.now.objects), this.#informer.whyNotSynced());
    assert.ok(this.#informer.hasSynced);
  }

  #isEqual(): boolean {
    const { objects } = this.#collection.now;
    if (!this.#informer.hasSynced || this.#informer.indexer.size !== objects.size) return false;
    for (const [key, object] of objects) if (this.#cachedState(key) !== stateOf(object)) return false;
    return true;
  }

  #cachedState(key: string): State {
    return stateOf(this.#informer.indexer.get(key) as TestObject | undefined);
  }

  #check(): void {
    const { indexer } = this.#informer;
    for (const { observer } of this.#observers) this.#problems.push(...observer.problems);
    assert.deepEqual(this.#problems, []);
    const cached = new Map(indexer.keys().map((key) => [key, this.#cachedState(key)]));
    for (const { observer, registration } of this.#observers) {
      const known = new Map([...observer.known].map(([key, seen]) => [key, stateOf(seen as TestObject)]));
      assert.deepEqual(known, cached, `${observer.name} does not know what the cache has`);
      assert.ok(registration.hasSynced, `${observer.name} has not synced`);
    }
    for (const namespace of ['ns-0', 'ns-1']) {
      const expected = indexer.keys().filter((key) => key.startsWith(`${namespace}/`));
      assert.deepEqual(new Set(indexer.indexKeys('namespace', namespace)), new Set(expected));
    }
    for (const color of ['none', 'red', 'green', 'blue']) {
      const expected = indexer
        .list()
        .filter((object) => (object.metadata.labels?.['color'] ?? 'none') === color);
      assert.deepEqual(new Set(indexer.byIndex('color', color)), new Set(expected));
    }
  }

  async #end(): Promise<void> {
    const stopped = this.#informer.stop();
    await this.#clock.advance(3 * SECOND);
    await stopped;
    this.#server.requireNothingLeft();
    this.#server[Symbol.dispose]();
    assert.equal(this.#clock.pendingTimers, 0, 'a timer is left behind');
  }
}

function pick<I>(random: Random, items: readonly I[]): I {
  return items[random.int(items.length)] as I;
}
