import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { FakeClock, InvalidArgumentError } from '@windlass/base';
import { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
import type { Store } from './store.ts';
import { configMap, write } from './testing/objects.ts';

const MINUTE = 60_000;

function open(context: TestContext, options: MemoryStoreOptions = {}): { clock: FakeClock; store: Store } {
  const clock = new FakeClock();
  const store = createMemoryStore({ clock, ...options });
  context.after(() => store.close());
  return { clock, store };
}

async function burst(store: Store, count: number, name = 'burst'): Promise<void> {
  for (let index = 0; index < count; index++) await store.put(`/a/${name}-${index}`, configMap(''), 0);
}

describe('how long the past is kept', () => {
  test('few events are kept for ever, and without a timer', async (context) => {
    const { clock, store } = open(context);
    await burst(store, 10_000);
    assert.equal(clock.pendingTimers, 0);
    await clock.advance(24 * 60 * MINUTE);
    assert.equal(store.compactedRevision, 0);
  });

  test('many events are kept for five minutes, then all but the last ten thousand go', async (context) => {
    const { clock, store } = open(context);
    await burst(store, 12_000);
    await clock.advance(4.9 * MINUTE);
    assert.equal(store.compactedRevision, 0);
    await clock.advance(1.1 * MINUTE);
    assert.equal(store.compactedRevision, 2000);
    assert.equal((await store.list('/a/', { revision: 2000 })).items.length, 2000);
    assert.equal(clock.pendingTimers, 0);
  });

  test('what is younger than asked stays, however much it is', async (context) => {
    const { clock, store } = open(context, { historyMs: MINUTE, historyEvents: 10 });
    for (let step = 0; step < 30; step++) {
      await burst(store, 10, `step-${step}`);
      await clock.advance(10_000);
      const age = (revision: number): number => (step + 2 - Math.ceil(revision / 10)) * 10_000;
      // The first event that is left, and the last that is gone.
      assert.ok(age(store.compactedRevision + 1) <= 1.3 * MINUTE, `step ${step}: an old event is there`);
      if (store.compactedRevision > 0)
        assert.ok(age(store.compactedRevision) >= MINUTE, `step ${step}: too young`);
    }
    assert.ok(store.compactedRevision > 200);
  });

  test('a burst that is followed by silence is forgotten too', async (context) => {
    const { clock, store } = open(context, { historyMs: MINUTE, historyEvents: 0 });
    await burst(store, 100);
    await clock.runUntilIdle();
    assert.equal(store.compactedRevision, 100);
    assert.equal(clock.pendingTimers, 0);
  });

  test('memory bounds it, however young it is', async (context) => {
    const { store } = open(context, { historyBytes: 1024 * 1024 });
    const value = 'x'.repeat(10_000);
    for (let round = 0; round < 500; round++) {
      await write(store, '/a/1', `${round}${value}`);
      const kept = store.revision - store.compactedRevision;
      assert.ok(kept <= 55, `${kept} events of 10 kB are kept`);
    }
    assert.ok(store.revision - store.compactedRevision > 30);
  });

  test('objects that are only created take next to nothing of that', async (context) => {
    const { store } = open(context, { historyBytes: 1024 * 1024 });
    const value = 'x'.repeat(1000);
    for (let index = 0; index < 5000; index++) await store.put(`/a/${index}`, configMap('', value), 0);
    assert.equal(store.compactedRevision, 0);
  });

  test('closing stops the timer', async (context) => {
    const { clock, store } = open(context, { historyEvents: 1 });
    await burst(store, 5);
    assert.equal(clock.pendingTimers, 1);
    await store.close();
    assert.equal(clock.pendingTimers, 0);
  });

  test('options that make no sense are refused', () => {
    for (const name of ['historyMs', 'historyEvents', 'historyBytes']) {
      assert.throws(() => createMemoryStore({ [name]: -1 }), InvalidArgumentError);
      assert.throws(() => createMemoryStore({ [name]: Number.NaN }), InvalidArgumentError);
    }
  });
});
