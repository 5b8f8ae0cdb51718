import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { silentLogger } from '@windlass/base';
import { StorageFailedError } from '../errors.ts';
import { StoredState } from '../states/stored-state.ts';
import { WriteEvent } from '../states/write-event.ts';
import type { Store } from '../store.ts';
import { memoryDirectory } from '../testing/directories.ts';
import { openInThread } from '../testing/in-thread-store.ts';
import { configMap, keysOf, valueOf } from '../testing/objects.ts';
import { SqliteJournal } from './sqlite-journal.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** Writes until one is refused; returns how many were not. */
async function fillUp(store: Store, value: string): Promise<number> {
  for (let index = 0; ; index++) {
    try {
      await store.put(`/full/${index}`, configMap('', value), 0);
    } catch (error) {
      assert.ok(error instanceof StorageFailedError);
      assert.equal(error.recoverable, true);
      assert.match(error.message, /was not stored: .* has no room .*; free some, and it works again/);
      return index;
    }
  }
}

describe('a full disk', () => {
  test('refuses writes whole, loses nothing, and takes writes again when there is room', async (context) => {
    const directory = memoryDirectory(context);
    const store = await openSqliteStore(directory, { maxBytes: 1024 * 1024 });
    const value = 'x'.repeat(20_000);
    const count = await fillUp(store, value);
    assert.ok(count > 20 && count < 55, `${count} writes of 20 kB went into 1 MiB`);
    assert.equal(store.revision, count);
    assert.equal(store.failure, undefined);
    assert.match((await store.problem()) ?? '', /has no room/);
    assert.equal((await store.list('/full/')).items.length, count);

    // Concurrent writes share the failure, and none is half there.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => store.put(`/more/${index}`, configMap('', value), 0)),
    );
    assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'));
    assert.equal(store.revision, count);
    assert.deepEqual((await store.list('/more/')).items, []);

    // A deletion is small enough for what is left; forgetting then makes room.
    for (let index = 0; index < 10; index++) await store.delete(`/full/${index}`, index + 1);
    await store.compact(store.revision);
    const again = await store.put('/more/1', configMap('1', value), 0);
    assert.equal(again.revision, count + 11);
    assert.equal(await store.problem(), undefined);
    await store.close();
    assert.deepEqual(new Set(readdirSync(directory)), new Set(['state.db', 'state.mark', 'state.owner']));

    const reopened = openInThread(directory);
    assert.equal(reopened.revision, count + 11);
    assert.equal((await reopened.list('/full/')).items.length, count - 10);
    assert.equal(valueOf(await reopened.get('/more/1')), value);
    await reopened.close();
  });
});

describe('what is on the disk', () => {
  test('compaction leaves a row for each object and each event, and gives the room back', async (context) => {
    const directory = memoryDirectory(context);
    const store = openInThread(directory);
    const value = 'x'.repeat(2000);
    for (let round = 0; round < 3; round++) {
      const puts = Array.from({ length: 3000 }, async (_, index) => {
        const key = `/a/${index}`;
        await store.put(key, configMap('', value), (await store.get(key))?.revision ?? 0);
      });
      await Promise.all(puts);
    }
    const { items } = await store.list('/a/');
    await Promise.all(items.slice(100).map((item) => store.delete(item.key, item.revision)));
    await store.compact(store.revision);
    await store.put('/b/1', configMap('1'), 0);
    const kept = keysOf((await store.list('')).items);
    await store.close();

    const path = join(directory, 'state.db');
    const database = new DatabaseSync(path);
    assert.deepEqual({ ...database.prepare('SELECT count(*) AS rows FROM log').get() }, { rows: 101 });
    database.close();
    // 9,000 rows of 2 kB were there.
    assert.ok(statSync(path).size < 10_000_000, `the file still has ${statSync(path).size} bytes`);
    const reopened = openInThread(directory);
    assert.deepEqual(keysOf((await reopened.list('')).items), kept);
    await reopened.close();
  });
});

describe('a thread that dies', () => {
  const event = new WriteEvent('put', StoredState.of('/a/1', configMap('1'), 1), undefined);

  for (const [name, program, message] of [
    ['exits', 'process.exit(3)', /has ended: it exited with code 3; start again/],
    ['throws', 'throw new Error("out of luck")', /has ended: out of luck; start again/],
  ] as const) {
    test(`when it ${name}, writes fail for good and closing works`, async () => {
      const worker = new Worker(`require('worker_threads').parentPort.on('message', () => { ${program} })`, {
        eval: true,
      });
      const journal = new SqliteJournal('/data', worker, silentLogger);
      for (let attempt = 0; attempt < 2; attempt++) {
        await assert.rejects(journal.append([event]), (error) => {
          assert.ok(error instanceof StorageFailedError);
          assert.equal(error.recoverable, false);
          assert.match(error.message, message);
          return true;
        });
      }
      assert.match(journal.failure?.message ?? '', message);
      await journal.close();
    });
  }

  test('it is known also when nobody writes', async () => {
    const worker = new Worker('process.exit(3)', { eval: true });
    const journal = new SqliteJournal('/data', worker, silentLogger);
    await once(worker, 'exit');
    assert.match(journal.failure?.message ?? '', /has ended: it exited with code 3/);
  });
});
