import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { FakeClock, noMetrics, silentLogger } from '@windlass/base';
import { StorageFailedError } from './errors.ts';
import { createMemoryStore } from './memory-store.ts';
import { MvccStore } from './mvcc-store.ts';
import { ManualJournal } from './testing/manual-journal.ts';
import { configMap } from './testing/objects.ts';

const FULL = new StorageFailedError('no room', { recoverable: true });
const BROKEN = new StorageFailedError('damaged', { recoverable: false });

function open(context: TestContext): { store: MvccStore; journal: ManualJournal; clock: FakeClock } {
  const journal = new ManualJournal();
  const clock = new FakeClock();
  const contents = { id: 'test', revision: 0, compactedRevision: 0, writes: [] };
  const store = new MvccStore(journal, contents, { clock, logger: silentLogger, metrics: noMetrics });
  context.after(() => store.close());
  return { store, journal, clock };
}

describe('what keeps writes from being stored', () => {
  test('is nothing in memory', async () => {
    await using store = createMemoryStore();
    assert.equal(await store.problem(), undefined);
  });

  test('is known without a try when a write has just worked', async (context) => {
    const { store, journal, clock } = open(context);
    const write = store.put('/a/1', configMap('1'), 0);
    await journal.succeed();
    await write;
    await clock.advance(29_999);
    assert.equal(await store.problem(), undefined);
  });

  test('is tried when nobody has written for half a minute, once for all who ask', async (context) => {
    const { store, journal, clock } = open(context);
    await clock.advance(30_000);
    const asked = [store.problem(), store.problem()];
    assert.equal((await journal.succeed()).bytes, 0);
    assert.deepEqual(await Promise.all(asked), [undefined, undefined]);
    assert.equal(await store.problem(), undefined);
  });

  test('is told from the first write that fails, until one of its size works', async (context) => {
    const { store, journal } = open(context);
    const large = store.put('/a/1', configMap('1', 'x'.repeat(5000)), 0);
    await Promise.all([journal.fail(FULL), assert.rejects(large, FULL)]);
    assert.equal(store.failure, undefined);

    // A try that fails changes nothing.
    const still = store.problem();
    const { bytes = 0 } = await journal.fail(FULL);
    assert.ok(bytes > 5000, `it tried ${bytes} bytes`);
    assert.equal(await still, 'no room');

    // A small write finds room where a large one does not.
    const small = store.put('/a/2', configMap('2'), 0);
    await journal.succeed();
    await small;
    const afterSmall = store.problem();
    await journal.fail(FULL);
    assert.equal(await afterSmall, 'no room');

    const again = store.problem();
    await journal.succeed();
    assert.equal(await again, undefined);
    assert.equal(await store.problem(), undefined, 'no more tries are needed');
  });

  test('ends with a write of that size, too', async (context) => {
    const { store, journal } = open(context);
    const first = store.put('/a/1', configMap('1', 'x'.repeat(5000)), 0);
    await Promise.all([journal.fail(FULL), assert.rejects(first)]);
    const second = store.put('/a/1', configMap('1', 'x'.repeat(5000)), 0);
    await journal.succeed();
    await second;
    assert.equal(await store.problem(), undefined);
  });

  test('is a write that does not come to its end', async (context) => {
    const { store, journal, clock } = open(context);
    const write = store.put('/a/1', configMap('1'), 0);
    await journal.next();
    await clock.advance(4999);
    assert.equal(await store.problem(), undefined);
    await clock.advance(60_001);
    assert.equal(await store.problem(), 'a write has been under way for 65 s; check the disk');
    await journal.succeed();
    await write;
    assert.equal(await store.problem(), undefined);
  });

  test('is a try that does not come to its end: whoever asks does not wait for it', async (context) => {
    const { store, journal, clock } = open(context);
    await clock.advance(30_000);
    const asked = store.problem();
    await journal.next();
    await clock.advance(1000);
    assert.equal(await asked, undefined, 'a slow disk is not a stuck one');
    await clock.advance(4000);
    assert.match((await store.problem()) ?? '', /under way for 5 s/);
    await journal.succeed();
  });

  test('is a journal that has ended while nobody wrote', async (context) => {
    const { store, journal } = open(context);
    journal.failure = BROKEN;
    assert.equal(await store.problem(), 'damaged');
    assert.equal(store.failure, BROKEN);
  });

  test('is final when a try finds that the disk is broken', async (context) => {
    const { store, journal, clock } = open(context);
    await clock.advance(30_000);
    const asked = store.problem();
    await journal.fail(BROKEN);
    assert.equal(await asked, 'damaged');
    assert.equal(store.failure, BROKEN);
    await assert.rejects(store.put('/a/1', configMap('1'), 0), BROKEN);
    assert.equal(await store.problem(), 'damaged');
  });

  test('is that it is closed', async (context) => {
    const { store } = open(context);
    await store.close();
    assert.equal(await store.problem(), 'the store is closed');
  });
});
