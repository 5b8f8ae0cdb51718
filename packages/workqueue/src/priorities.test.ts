import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { DEFAULT_AGEING_MS } from './queue-options.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

interface Fixture {
  readonly clock: FakeClock;
  readonly queue: WorkQueue;
  /** Adds at a time, in milliseconds from the start. */
  readonly at: (ms: number, key: string, priority?: number) => Promise<void>;
}

const setUp = (options: Omit<WorkQueueOptions<string>, 'clock'> = {}): Fixture => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock, ...options });
  const at = async (ms: number, key: string, priority = 0): Promise<void> => {
    await clock.advance(ms - clock.monotonic());
    queue.add(key, { priority });
  };
  return { clock, queue, at };
};
const order = (queue: WorkQueue): string => {
  let keys = '';
  for (let item = queue.tryGet(); item !== undefined; item = queue.tryGet()) {
    keys += item.key;
    queue.done(item);
  }
  return keys;
};

test('higher goes first, and first come first served within one', () => {
  const { queue } = setUp();
  const adds = [
    ['a', 0],
    ['b', 5],
    ['c', -100],
    ['d', 5],
    ['e', 0],
    ['f', 0.5],
  ] as const;
  for (const [key, priority] of adds) queue.add(key, { priority });
  assert.equal(order(queue), 'bdfaec');
});

test('a point of priority is worth the ageing time, and no more', async () => {
  const cases: readonly (readonly [later: number, expected: string])[] = [
    [DEFAULT_AGEING_MS * 2 - 1, 'hl'],
    [DEFAULT_AGEING_MS * 2, 'hl'],
    [DEFAULT_AGEING_MS * 2 + 1, 'lh'],
  ];
  for (const [later, expected] of cases) {
    const { queue, at } = setUp();
    await at(0, 'l', -1);
    await at(later, 'h', 1);
    assert.equal(order(queue), expected, `${later} ms later`);
  }
});

test('a low key waits no longer than the bound behind a flood of high ones', async () => {
  const { clock, queue, at } = setUp({ ageingMs: 10 });
  await at(0, 'low', -100);
  const ahead: string[] = [];
  // Two high keys come for each one that is worked off: without ageing the low one would wait for ever.
  for (let ms = 0; ms < 5000; ms += 5) {
    await at(ms, `h${ms}`);
    queue.add(`i${ms}`);
    const item = queue.tryGet()!;
    queue.done(item);
    if (item.key === 'low') break;
    ahead.push(item.key);
  }
  assert.ok(clock.monotonic() < 5000, 'the low key starved');
  // Whoever went first came within 100 points * 10 ms.
  assert.ok(ahead.every((key) => Number(key.slice(1)) <= 1000));
  assert.equal(ahead.at(-1), 'i1000');
});

test('without ageing the order is strict', async () => {
  const { queue, at } = setUp({ ageingMs: Number.POSITIVE_INFINITY });
  await at(0, 'l', -1e308);
  await at(1e9, 'h', 1e308);
  assert.equal(order(queue), 'hl');
});

test('a queued key keeps the higher of two priorities, at the end of the higher', () => {
  const { queue } = setUp();
  for (const [key, priority] of [
    ['a', 0],
    ['b', 1],
    ['a', 1],
    ['b', 0],
    ['c', 1],
  ] as const)
    queue.add(key, { priority });
  assert.equal(order(queue), 'bac');
});

test('a key that was added while it ran has the priority of those adds, not of its run', () => {
  const { queue } = setUp();
  queue.add('a', { priority: 9 });
  const first = queue.tryGet()!;
  queue.add('a', { priority: -3 });
  queue.add('a', { priority: -2 });
  queue.add('b');
  queue.done(first);
  assert.equal(first.priority, 9);
  queue.done(queue.tryGet()!);
  assert.equal(queue.tryGet()?.priority, -2);
});

test('setPriority moves a queued key up or down, and one that runs for its next run', () => {
  const { queue } = setUp();
  for (const key of ['a', 'b', 'c']) queue.add(key);
  assert.equal(queue.setPriority('c', 1), true);
  assert.equal(queue.setPriority('a', -1), true);
  assert.equal(queue.setPriority('b', 0), true, 'no change, and no loss of place');
  const first = queue.tryGet()!;
  assert.equal(first.key, 'c');
  queue.add('c');
  assert.equal(queue.setPriority('c', -2), true);
  queue.done(first);
  assert.equal(order(queue), 'bac');
});

test('setPriority says false for a key that is not queued', () => {
  const { queue } = setUp();
  assert.equal(queue.setPriority('a', 1), false);
  queue.addAfter('a', 10);
  assert.equal(queue.setPriority('a', 1), false, 'its time has not come');
  queue.add('b');
  queue.tryGet();
  assert.equal(queue.setPriority('b', 1), false, 'it runs');
});

test('what a key has waited still counts after a change of priority', async () => {
  const { queue, at } = setUp();
  await at(0, 'a', 0);
  await at(500, 'b', 0);
  queue.setPriority('a', -1);
  assert.equal(order(queue), 'ab');
});

test('a key whose priority changes all the time loses no turn', () => {
  const { queue } = setUp();
  queue.add('a');
  queue.add('b');
  for (let time = 1; time <= 100_000; time++) queue.setPriority('a', time % 2);
  assert.equal(queue.length, 2);
  assert.equal(order(queue), 'ba');
});

test('any number of priorities may be in use: adding and getting do not become slow', () => {
  const { queue } = setUp();
  const count = 40_000;
  const started = process.cpuUsage();
  for (let index = 0; index < count; index++) queue.add(String(index), { priority: (index * 7919) % count });
  let last = Number.POSITIVE_INFINITY;
  for (let item = queue.tryGet(); item !== undefined; item = queue.tryGet()) {
    assert.ok(item.priority < last);
    last = item.priority;
    queue.done(item);
  }
  assert.equal(last, 0);
  // A search through the priorities would take ten seconds.
  assert.ok(process.cpuUsage(started).user < 2e6);
});
