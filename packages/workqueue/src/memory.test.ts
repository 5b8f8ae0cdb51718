// What a queue holds on to: the keys in it, and a bounded number of those that left it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { MAX_IDLE } from './slots.ts';
import { WorkQueue } from './work-queue.ts';

interface Key {
  readonly id: number;
}

const run = (queue: WorkQueue<Key, object>, key: Key): void => {
  queue.add(key, { reason: {} });
  queue.done(queue.tryGet()!);
};
const collect = async (): Promise<void> => {
  // A WeakRef keeps its target for the turn in which it was made.
  await new FakeClock().settle();
  assert.ok(globalThis.gc, 'run with --expose-gc');
  globalThis.gc();
};
const alive = (refs: readonly WeakRef<object>[]): number =>
  refs.filter((ref) => ref.deref() !== undefined).length;

/** Keys that have been through the queue, without keeping them. */
function pass(queue: WorkQueue<Key, object>, count: number): WeakRef<Key>[] {
  return Array.from({ length: count }, (_, id) => {
    const key = { id };
    run(queue, key);
    return new WeakRef(key);
  });
}

/** Keys that are queued, or delayed, and that nobody else keeps. */
function add(queue: WorkQueue<Key, object>, count: number, delayMs = 0): WeakRef<Key>[] {
  return Array.from({ length: count }, (_, id) => {
    const key = { id };
    queue.addAfter(key, delayMs, { reason: {} });
    return new WeakRef(key);
  });
}

function drain<K, R>(queue: WorkQueue<K, R>): void {
  for (let item = queue.tryGet(); item !== undefined; item = queue.tryGet()) queue.done(item);
}

test('of keys that came and went a bounded number is remembered, and none once that is passed', async () => {
  const queue = new WorkQueue<Key, object>();
  const first = pass(queue, MAX_IDLE);
  await collect();
  assert.equal(alive(first), MAX_IDLE, 'so many idle keys cost less to keep than to take out');
  const second = pass(queue, 10 * MAX_IDLE);
  await collect();
  assert.equal(alive(first), 0);
  assert.ok(alive(second) <= MAX_IDLE + 1, `${alive(second)} are alive`);
});

test('keys in use are not swept out with the others, and one new key is enough to sweep a burst', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<Key, object>({ clock });
  const held = { id: -1 };
  const delayed = { id: -2 };
  queue.add(held);
  const item = queue.tryGet()!;
  queue.addAfter(delayed, 10);
  const burst = add(queue, 5000);
  drain(queue);
  await collect();
  assert.equal(alive(burst), 5000);
  run(queue, { id: 5000 });
  await collect();
  assert.equal(alive(burst), 0);
  assert.ok(queue.isProcessing(held));
  queue.add(held);
  queue.done(item);
  await clock.advance(10);
  assert.deepEqual(
    queue.snapshot().queuedKeys.map(({ key }) => key),
    [held, delayed],
  );
});

test('neither reasons nor items are kept by the queue', async () => {
  const queue = new WorkQueue<Key, object>({ clock: new FakeClock() });
  const reasons: WeakRef<object>[] = [];
  const items: WeakRef<object>[] = [];
  const reason = (): object => {
    const made = {};
    reasons.push(new WeakRef(made));
    return made;
  };
  const key = { id: 1 };
  const scope = (): void => {
    queue.add(key, { reason: reason() });
    queue.addAfter(key, 10, { reason: reason() });
    queue.cancel(key);
    const item = queue.tryGet()!;
    items.push(new WeakRef(item));
    queue.done(item);
  };
  scope();
  await collect();
  assert.deepEqual([alive(reasons), alive(items)], [0, 0]);
});

test('a queue that has shut down keeps no key', async () => {
  const queue = new WorkQueue<Key, object>({ clock: new FakeClock() });
  const refs = pass(queue, 100);
  refs.push(...add(queue, 100), ...add(queue, 100, 10));
  await queue.shutDown();
  await collect();
  assert.equal(alive(refs), 0);
});

test('memory stays flat while millions of keys come and go, though one is delayed all the time', async () => {
  const queue = new WorkQueue<string>({ clock: new FakeClock() });
  queue.addAfter('pinned', 1000);
  const churn = (from: number, count: number): void => {
    for (let id = from; id < from + count; id++) {
      queue.add(`namespace/name-${id}`, { priority: id % 3 });
      if (id % 4 === 3) drain(queue);
    }
  };
  const used = async (): Promise<number> => {
    await collect();
    await collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  churn(0, 300_000);
  const before = await used();
  churn(300_000, 1_200_000);
  const after = await used();
  // A million keys of 20 bytes would be a hundred megabytes with their places in a Map.
  assert.ok(after - before < 2e6, `grew by ${after - before} bytes`);
});

test('the memory of a burst is given back by and by', async () => {
  const queue = new WorkQueue<number>({ clock: new FakeClock() });
  const pass = (from: number, count: number): void => {
    for (let key = from; key < from + count; key++) {
      queue.add(key);
      drain(queue);
    }
  };
  const before = await buffers();
  for (let key = 0; key < 300_000; key++) queue.add(key);
  const burst = (await buffers()) - before;
  drain(queue);
  assert.ok(burst > 300_000 * 20, `${burst} bytes`);
  pass(300_000, 30_000);
  const kept = (await buffers()) - before;
  assert.ok(kept < burst / 20, `${kept} of ${burst} bytes are kept`);
});

/** Bytes in array buffers once the collector, which frees them in a thread of its own, has come to rest. */
async function buffers(): Promise<number> {
  let last = Number.NaN;
  for (let look = 0; look < 50; look++) {
    await collect();
    const now = process.memoryUsage().arrayBuffers;
    if (now === last) return now;
    last = now;
  }
  return last;
}
