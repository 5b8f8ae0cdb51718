// The informer over real sockets, with the client's decoder between: half lines, resets, garbage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceType } from '@windlass/apimachinery';
import { type Clock, realClock, SeededRandom, sleep } from '@windlass/base';
import { runAlone, testSeeds } from '@windlass/base/testing';
import { createClient } from '@windlass/client';
import { clientListWatch } from './list-watch/client-list-watch.ts';
import { SharedInformer } from './shared/shared-informer.ts';
import { FakeCollection } from './testing/fake-collection.ts';
import { FakeServer } from './testing/fake-server.ts';
import { HttpFront } from './testing/http-front.ts';
import { Observer } from './testing/observer.ts';
import { TEST_RESOURCE, type TestObject } from './testing/test-object.ts';
import { stateOf } from './testing/timeline.ts';

const seeds = testSeeds(6);
const THING: ResourceType<TestObject> = { ...TEST_RESOURCE, namespaced: true };

/** Minutes of a server's life in a fraction of a second. */
const FAST = 200;
const fastClock: Clock = {
  now: () => realClock.now(),
  monotonic: () => realClock.monotonic() * FAST,
  setTimeout: (callback, ms, options) => realClock.setTimeout(callback, ms / FAST, options),
};

async function run(seed: number): Promise<HttpFront['broken']> {
  const random = new SeededRandom(seed);
  const collection = new FakeCollection(random);
  using server = new FakeServer({ collection, clock: fastClock, random });
  server.faults = 0.3;
  await using front = await HttpFront.start(server, random);
  await using client = createClient({
    config: { server: front.url },
    http: { responseTimeoutMs: 400, connectTimeoutMs: 400 },
    clock: fastClock,
  });
  const informer = new SharedInformer<TestObject>({
    listWatch: clientListWatch(client.resource(THING)),
    resource: THING,
    clock: fastClock,
    random,
    streaming: seed % 2 === 0,
    pageSize: 3,
  });
  const observer = new Observer({
    name: 'over sockets',
    timeline: collection.timeline,
    indexer: informer.indexer,
  });
  informer.addHandler(observer);
  informer.start();

  const write = (): TestObject | undefined => {
    const key = `ns-${random.int(2)}/größe-${random.int(8)}`;
    if (!collection.now.objects.has(key)) return collection.create(key);
    return random.int(3) === 0 ? collection.delete(key) : collection.update(key);
  };
  for (let round = 0; round < 60; round++) {
    for (let writes = random.int(5); writes > 0; writes--) write();
    if (random.int(10) === 0) front.cut();
    if (random.int(15) === 0) collection.compact();
    if (random.int(20) === 0) server.silenceStreams();
    await sleep(fastClock, 3000);
  }
  server.faults = 0;
  const last = write();
  await informer.waitForVersion(last?.metadata.resourceVersion ?? '', { timeoutMs: 20_000 * FAST });
  assert.deepEqual(observer.problems, []);
  const states = (objects: Iterable<readonly [string, unknown]>): Map<string, string | undefined> =>
    new Map([...objects].map(([key, object]) => [key, stateOf(object as TestObject)]));
  assert.deepEqual(
    states(informer.indexer.keys().map((key) => [key, informer.indexer.get(key)])),
    states(collection.now.objects),
  );
  assert.deepEqual(states(observer.known), states(collection.now.objects));
  await informer.stop();
  await client.close();
  return front.broken;
}

test(`over real sockets the cache converges and nothing illegal is told, ${seeds.length} seeds`, async () => {
  const runs = seeds.map(async (seed) => {
    try {
      return await run(seed);
    } catch (cause) {
      throw new Error(runAlone(seed), { cause });
    }
  });
  const total = { reset: 0, truncated: 0, garbage: 0 };
  for (const broken of await Promise.all(runs))
    for (const [what, times] of Object.entries(broken)) total[what as keyof typeof total] += times;
  for (const [what, times] of Object.entries(total)) assert.ok(times > 0, `nothing was broken by ${what}`);
});
