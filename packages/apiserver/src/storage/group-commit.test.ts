import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MetricsRegistry, noMetrics, realClock, silentLogger } from '@windlass/base';
import { RevisionConflictError, StorageFailedError } from './errors.ts';
import { MvccStore } from './mvcc-store.ts';
import { ManualJournal } from './testing/manual-journal.ts';
import { configMap, keysOf, take, valueOf } from './testing/objects.ts';

const FULL = new StorageFailedError('no room', { recoverable: true });
const BROKEN = new StorageFailedError('damaged', { recoverable: false });

function open(context: TestContext, metrics = noMetrics): { store: MvccStore; journal: ManualJournal } {
  const journal = new ManualJournal();
  const contents = { id: 'test', revision: 0, compactedRevision: 0, writes: [] };
  const store = new MvccStore(journal, contents, { clock: realClock, logger: silentLogger, metrics });
  context.after(() => store.close());
  return { store, journal };
}

/** Whether the promise has settled by the next turn. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, turn(false)]);
}

describe('group commit', () => {
  test('nobody sees a write before the journal has it', async (context) => {
    const { store, journal } = open(context);
    const watch = store.watch('/a/', { fromRevision: 0 }).next();
    const wait = store.waitFor(1);
    const write = store.put('/a/1', configMap('1', 'v'), 0);
    await journal.next();
    for (const promise of [watch, wait, write]) assert.equal(await isSettled(promise), false);
    assert.equal(store.revision, 0);
    assert.equal(await store.get('/a/1'), undefined);
    assert.deepEqual((await store.list('/a/')).items, []);

    await journal.succeed();
    assert.equal((await write).revision, 1);
    assert.equal((await watch).value?.[0]?.key, '/a/1');
    await wait;
    assert.equal(valueOf(await store.get('/a/1')), 'v');
  });

  test('writes of one turn share a batch, and those that come meanwhile the next one', async (context) => {
    const { store, journal } = open(context);
    const first = [store.put('/a/1', configMap('1'), 0), store.put('/a/2', configMap('2'), 0)];
    await journal.next();
    const second = Array.from({ length: 20 }, (_, index) => store.put(`/b/${index}`, configMap(''), 0));
    await turn();
    assert.deepEqual(keysOf((await journal.succeed()).writes), ['/a/1', '/a/2']);
    const { writes } = await journal.succeed();
    assert.deepEqual(
      writes.map((event) => event.revision),
      Array.from({ length: 20 }, (_, index) => index + 3),
    );
    await Promise.all([...first, ...second]);
  });

  test('a batch is bounded in writes and in bytes', async (context) => {
    const { store, journal } = open(context);
    const many = Array.from({ length: 1500 }, (_, index) => store.put(`/a/${index}`, configMap(''), 0));
    assert.equal((await journal.succeed()).writes.length, 1000);
    assert.equal((await journal.succeed()).writes.length, 500);
    const large = 'x'.repeat(3 * 1024 * 1024);
    const heavy = Array.from({ length: 5 }, (_, index) => store.put(`/b/${index}`, configMap('', large), 0));
    assert.equal((await journal.succeed()).writes.length, 2);
    assert.equal((await journal.succeed()).writes.length, 2);
    assert.equal((await journal.succeed()).writes.length, 1);
    await Promise.all([...many, ...heavy]);
  });

  test('a conflict with a write that is not durable is answered when that one is', async (context) => {
    const { store, journal } = open(context);
    const winner = store.put('/a/1', configMap('1', 'winner'), 0);
    const loser = store.put('/a/1', configMap('1', 'loser'), 0);
    const outcome = assert.rejects(
      loser,
      (error) => error instanceof RevisionConflictError && valueOf(error.current) === 'winner',
    );
    await journal.next();
    assert.equal(await isSettled(loser), false);
    await journal.succeed();
    await winner;
    await outcome;
  });

  test('a write that became durable does not hide the next one of its key', async (context) => {
    const { store, journal } = open(context);
    const first = store.put('/a/1', configMap('1', 'first'), 0);
    await journal.next();
    const second = store.put('/a/1', configMap('1', 'second'), 1);
    await journal.succeed();
    await first;
    // The second is on its way. Who knows only the first must not write over it.
    const third = store.put('/a/1', configMap('1', 'third'), 1);
    const outcome = assert.rejects(
      third,
      (error) => error instanceof RevisionConflictError && valueOf(error.current) === 'second',
    );
    await journal.succeed();
    assert.equal((await second).revision, 2);
    assert.equal(await isSettled(third), true);
    await outcome;
    assert.equal(valueOf(await store.get('/a/1')), 'second');
  });

  test('when the write in the way is lost, the one that waited takes its place', async (context) => {
    const { store, journal } = open(context);
    const lost = assert.rejects(store.put('/a/1', configMap('1', 'lost'), 0), FULL);
    const waited = store.put('/a/1', configMap('1', 'waited'), 0);
    await journal.fail(FULL);
    await lost;
    await journal.succeed();
    assert.equal((await waited).revision, 1);
    assert.equal(valueOf(await store.get('/a/1')), 'waited');
  });

  test('a conflict with what is durable is answered at once, whatever is pending', async (context) => {
    const { store, journal } = open(context);
    const created = store.put('/a/1', configMap('1'), 0);
    await journal.succeed();
    await created;
    const update = store.put('/a/1', configMap('1', '2'), 1);
    await journal.next();
    await assert.rejects(store.put('/a/1', configMap('1'), 0), RevisionConflictError);
    await journal.succeed();
    await update;
  });

  test('a failure takes everything that was accepted, and nothing of it shows', async (context) => {
    const registry = new MetricsRegistry();
    const { store, journal } = open(context, registry);
    const kept = store.put('/a/1', configMap('1', 'kept'), 0);
    await journal.succeed();
    await kept;
    const watch = store.watch('/a/', { fromRevision: 1 });
    const failing = [store.put('/a/1', configMap('1', 'lost'), 1), store.put('/a/2', configMap('2'), 0)];
    await journal.next();
    // Stands on a write that will be lost.
    failing.push(store.delete('/a/1', 2), store.put('/a/3', configMap('3'), 0));
    const outcomes = failing.map((write) => assert.rejects(write, FULL));
    await journal.fail(FULL);
    await Promise.all(outcomes);
    assert.equal(store.revision, 1);
    assert.equal(store.failure, undefined);
    assert.deepEqual((await store.list('/a/')).items.map(valueOf), ['kept']);

    // The condition has cleared: revisions go on without a gap, and the watch saw nothing of it.
    const again = store.put('/a/2', configMap('2', 'again'), 0);
    await journal.succeed();
    assert.equal((await again).revision, 2);
    assert.deepEqual(keysOf(await take(watch, 1)), ['/a/2']);
    assert.match(registry.expose(), /windlass_store_failed_commits_total 1\n/);
  });

  test('after damage the store takes no more writes, and still reads', async (context) => {
    const { store, journal } = open(context);
    const kept = store.put('/a/1', configMap('1', 'kept'), 0);
    await journal.succeed();
    await kept;
    const lost = [store.put('/a/2', configMap('2'), 0), store.put('/a/3', configMap('3'), 0)];
    const outcomes = lost.map((write) => assert.rejects(write, BROKEN));
    await journal.fail(BROKEN);
    await Promise.all(outcomes);
    assert.equal(store.failure, BROKEN);
    await assert.rejects(store.put('/a/4', configMap('4'), 0), BROKEN);
    await assert.rejects(store.delete('/a/1', 1), BROKEN);
    await assert.rejects(store.compact(1), BROKEN);
    assert.equal(valueOf(await store.get('/a/1')), 'kept');
    await store.close();
    assert.equal(journal.closed, true);
  });

  test('an error that no journal should throw counts as damage', async (context) => {
    const { store, journal } = open(context);
    const cause = new TypeError('oops');
    const write = assert.rejects(
      store.put('/a/1', configMap('1'), 0),
      (error) => error instanceof StorageFailedError && !error.recoverable && error.cause === cause,
    );
    await journal.fail(cause);
    await write;
    assert.ok(store.failure);
  });

  test('an object that is no JSON is refused and leaves no trace', async (context) => {
    const { store, journal } = open(context);
    const cyclic: { metadata: object; self?: unknown } = { metadata: {} };
    cyclic.self = cyclic;
    await assert.rejects(store.put('/a/1', cyclic, 0), TypeError);
    const write = store.put('/a/1', configMap('1'), 0);
    await journal.succeed();
    assert.equal((await write).revision, 1);
  });

  test('close waits for what is on its way', async (context) => {
    const { store, journal } = open(context);
    const write = store.put('/a/1', configMap('1'), 0);
    const closing = store.close();
    assert.equal(await isSettled(closing), false);
    await journal.succeed();
    await write;
    await closing;
    assert.equal(journal.closed, true);
  });
});

describe('compaction through the journal', () => {
  test('names what nobody can read any more, after the writes that wait', async (context) => {
    const { store, journal } = open(context);
    const steps = [
      () => store.put('/a/1', configMap('1'), 0),
      () => store.put('/a/1', configMap('1'), 1),
      () => store.put('/a/2', configMap('2'), 0),
      () => store.delete('/a/2', 3),
      () => store.put('/a/1', configMap('1'), 2),
    ];
    for (const step of steps) {
      const write = step();
      await journal.succeed();
      await write;
    }
    const compacting = store.compact(4);
    const write = store.put('/a/3', configMap('3'), 0);
    assert.equal((await journal.succeed()).writes.length, 1);
    await write;
    assert.equal(store.compactedRevision, 0);
    // Of the first key the second state is still what it was at revision 4.
    assert.deepEqual((await journal.succeed()).compaction, { revision: 4, drop: [1, 3, 4] });
    await compacting;
    assert.equal(store.compactedRevision, 4);
  });

  test('goes in parts, with writes in between', async (context) => {
    const { store, journal } = open(context);
    const writes = Array.from({ length: 2500 }, (_, index) => store.put(`/a/${index}`, configMap(''), 0));
    for (let batch = 0; batch < 3; batch++) await journal.succeed();
    await Promise.all(writes);
    const compacting = store.compact(2400);
    await journal.next();
    const between = store.put('/b/1', configMap('1'), 0);
    assert.equal((await journal.succeed()).compaction?.revision, 1000);
    assert.equal((await journal.succeed()).writes.length, 1);
    await between;
    assert.equal((await journal.succeed()).compaction?.revision, 2000);
    assert.equal((await journal.succeed()).compaction?.revision, 2400);
    await compacting;
  });

  test('its failure harms no write, and it can be tried again', async (context) => {
    const { store, journal } = open(context);
    const first = store.put('/a/1', configMap('1'), 0);
    await journal.succeed();
    await first;
    const failing = assert.rejects(store.compact(1), FULL);
    await journal.next();
    const write = store.put('/a/2', configMap('2'), 0);
    await journal.fail(FULL);
    await failing;
    await journal.succeed();
    assert.equal((await write).revision, 2);
    assert.equal(store.compactedRevision, 0);
    const again = store.compact(1);
    await journal.succeed();
    await again;
    assert.equal(store.compactedRevision, 1);
  });

  test('it fails with the store when a write before it finds damage', async (context) => {
    const { store, journal } = open(context);
    const first = store.put('/a/1', configMap('1'), 0);
    await journal.succeed();
    await first;
    const write = assert.rejects(store.put('/a/2', configMap('2'), 0), BROKEN);
    const compacting = assert.rejects(store.compact(1), BROKEN);
    await journal.fail(BROKEN);
    await Promise.all([write, compacting]);
  });

  test('damage that it finds stops the store', async (context) => {
    const { store, journal } = open(context);
    const first = store.put('/a/1', configMap('1'), 0);
    await journal.succeed();
    await first;
    const failing = assert.rejects(store.compact(1), BROKEN);
    await journal.next();
    const write = assert.rejects(store.put('/a/2', configMap('2'), 0), BROKEN);
    await journal.fail(BROKEN);
    await Promise.all([failing, write]);
    assert.equal(store.failure, BROKEN);
  });
});
