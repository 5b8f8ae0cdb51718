import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiWatchResponse, RawWatchEvent, Transport } from '@windlass/apimachinery';
import { FakeClock, nextTurn, SeededRandom } from '@windlass/base';
import { Disturbances } from './disturbances.ts';

const get = { method: 'GET', path: '/x' } as const;

function setUp() {
  const clock = new FakeClock();
  const given: ((batch: readonly RawWatchEvent[] | undefined) => void)[] = [];
  let returned = false;
  const events: AsyncIterable<readonly RawWatchEvent[]> = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          given.push((batch) =>
            resolve(batch === undefined ? { done: true, value: undefined } : { done: false, value: batch }),
          );
        }),
      return: async () => {
        returned = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const inner: Transport = {
    request: async () => ({ status: 200, headers: {}, body: undefined }),
    watch: async (): Promise<ApiWatchResponse> => ({ status: 200, headers: {}, events }),
    [Symbol.asyncDispose]: async () => {},
  };
  const disturbances = new Disturbances(inner, { clock, random: new SeededRandom(1) });
  const give = (name: string): void => given.shift()?.([{ type: 'ADDED', object: { metadata: { name } } }]);
  return { clock, disturbances, give, isReturned: () => returned };
}

async function watched(disturbances: Disturbances) {
  const { events } = await disturbances.watch(get);
  assert.ok(events !== undefined);
  const iterator = events[Symbol.asyncIterator]();
  const seen: unknown[] = [];
  const readOne = (): void =>
    void iterator.next().then((result) => {
      seen.push(result.value?.length ?? 'end');
      readOne();
    });
  readOne();
  return { seen, iterator };
}

test('requests pass while nobody asks for trouble', async () => {
  const { disturbances } = setUp();
  for (let sent = 0; sent < 100; sent++) assert.equal((await disturbances.request(get)).status, 200);
});

test('a share of the requests is lost for a while', async () => {
  const { clock, disturbances } = setUp();
  disturbances.dropRequests(0.3, 5000);
  const lostOf = async (): Promise<number> => {
    let lost = 0;
    for (let sent = 0; sent < 1000; sent++)
      await disturbances.request(get).catch((error: unknown) => {
        assert.match(String(error), /as somebody asked/);
        lost++;
      });
    return lost;
  };
  const lost = await lostOf();
  assert.ok(lost > 250 && lost < 350, `${lost} of 1000`);
  await clock.advance(5000);
  assert.equal(await lostOf(), 0);
});

test('watches tell nothing for a while, and then everything', async () => {
  const { clock, disturbances, give } = setUp();
  const { seen } = await watched(disturbances);
  give('a');
  await nextTurn();
  assert.deepEqual(seen, [1]);
  disturbances.holdWatches(1000);
  give('b');
  await nextTurn();
  assert.deepEqual(seen, [1]);
  // A second wish makes it longer.
  await clock.advance(900);
  disturbances.holdWatches(1000);
  await clock.advance(900);
  assert.deepEqual(seen, [1]);
  await clock.advance(100);
  await nextTurn();
  assert.deepEqual(seen, [1, 1]);
  give('c');
  await nextTurn();
  assert.deepEqual(seen, [1, 1, 1]);
});

test('a watch that is held ends when it is closed, and does not wait for the end of the hold', async () => {
  const { disturbances, give, isReturned } = setUp();
  const { seen, iterator } = await watched(disturbances);
  disturbances.holdWatches(60_000);
  give('a');
  await nextTurn();
  assert.deepEqual(seen, []);
  await iterator.return?.();
  assert.equal(isReturned(), true);
  await nextTurn();
  assert.deepEqual(seen, ['end'], 'who waits for the next event is told that there is none');
});

test('the end makes all well', async () => {
  const { clock, disturbances, give } = setUp();
  const { seen } = await watched(disturbances);
  disturbances.holdWatches(60_000);
  disturbances.dropRequests(1, 60_000);
  give('a');
  await nextTurn();
  assert.deepEqual(seen, []);
  disturbances.end();
  await nextTurn();
  assert.deepEqual(seen, [1]);
  assert.equal((await disturbances.request(get)).status, 200);
  assert.equal(clock.pendingTimers, 0);
});
