import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { StoreCorruptError } from '../errors.ts';
import type { Store } from '../store.ts';
import { memoryDirectory } from '../testing/directories.ts';
import { openInThread } from '../testing/in-thread-store.ts';
import { write } from '../testing/objects.ts';
import { rowChecksum } from './checksums.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** Compacted at 8: /a/0 to /a/3 of before, then six writes. */
async function fill(store: Store): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 4; index++) await write(store, `/a/${index}`, `${round}${'x'.repeat(500)}`);
  }
  await store.compact(8);
  for (let index = 0; index < 4; index++) await write(store, `/b/${index}`, 'x'.repeat(3000 * index));
  await store.delete('/a/1', 6);
  await write(store, '/a/2', 'last');
}

async function contents(store: Store): Promise<unknown> {
  const past = [];
  for (let revision = store.compactedRevision; revision <= store.revision; revision++) {
    const { items } = await store.list('', { revision });
    past.push(items.map((item) => [item.key, item.revision, item.object]));
  }
  return past;
}

describe('damage is reported when the store is opened', () => {
  const insert = (revision: number, key: string, value: string | null): string => {
    const checksum = rowChecksum(revision, key, value);
    return `INSERT INTO log VALUES (${revision}, '${key}', ${value === null ? 'NULL' : `CAST('${value}' AS BLOB)`}, ${checksum})`;
  };
  const cases: readonly { name: string; sql: string; message: RegExp }[] = [
    {
      name: 'a value changed',
      sql: "UPDATE log SET value = CAST(replace(CAST(value AS TEXT), 'last', 'lost') AS BLOB) WHERE revision = 14",
      message: /row 14 of the log, key "\/a\/2", does not match its checksum/,
    },
    {
      name: 'a key changed',
      sql: "UPDATE log SET key = '/a/9' WHERE revision = 9",
      message: /row 9 .*"\/a\/9".*checksum/,
    },
    {
      name: 'a put made a deletion',
      sql: 'UPDATE log SET value = NULL WHERE revision = 9',
      message: /row 9 .*checksum/,
    },
    {
      name: 'a row moved',
      sql: 'UPDATE log SET revision = 15 WHERE revision = 14',
      message: /row 15 .*checksum/,
    },
    {
      name: 'a row of the history lost',
      sql: 'DELETE FROM log WHERE revision = 10',
      message: /revision 10 of the log is missing/,
    },
    {
      name: 'the last row lost',
      sql: 'DELETE FROM log WHERE revision = 14',
      message: /ends at revision 13 and should end at 14/,
    },
    {
      name: 'an old row lost',
      sql: 'DELETE FROM log WHERE revision = 5',
      message: /has 9 rows and should have 10/,
    },
    {
      name: 'an old row come back',
      sql: insert(1, '/a/0', '{}'),
      message: /row 5 .*"\/a\/0".*should have been compacted/,
    },
    { name: 'an old row added', sql: insert(1, '/c/0', '{}'), message: /has 11 rows and should have 10/ },
    {
      name: 'a deletion among the old',
      sql: insert(1, '/c/0', null),
      message: /row 1 .*should have been compacted/,
    },
    {
      name: 'a row of the future',
      sql: insert(15, '/c/0', '{}'),
      message: /ends at revision 15 and should end at 14/,
    },
    {
      name: 'a deletion of nothing',
      sql: `DELETE FROM log WHERE revision = 14; ${insert(14, '/c/0', null)}`,
      message: /row 14 .*"\/c\/0".*deletes what is not there/,
    },
    {
      name: 'another revision',
      sql: 'UPDATE meta SET revision = 13',
      message: /table meta does not match its checksum/,
    },
    {
      name: 'another id',
      sql: "UPDATE meta SET id = 'x'",
      message: /table meta does not match its checksum/,
    },
    { name: 'no meta', sql: 'DELETE FROM meta', message: /table meta is empty/ },
    { name: 'no log', sql: 'DROP TABLE log', message: /no such table/ },
  ];
  for (const { name, sql, message } of cases) {
    test(name, async (context) => {
      const directory = memoryDirectory(context);
      const store = openInThread(directory);
      await fill(store);
      await store.close();
      const database = new DatabaseSync(join(directory, 'state.db'));
      database.exec(sql);
      database.close();
      // A second start finds the same: nothing was put right in silence.
      for (let start = 0; start < 2; start++) assert.throws(() => openInThread(directory), message);
    });
  }

  test('the error names the directory and says what to do', async (context) => {
    const directory = memoryDirectory(context);
    const store = openInThread(directory);
    await fill(store);
    await store.close();
    const database = new DatabaseSync(join(directory, 'state.db'));
    database.exec('UPDATE log SET checksum = 1 WHERE revision = 9');
    database.close();
    await assert.rejects(openSqliteStore(directory), (error) => {
      assert.ok(error instanceof StoreCorruptError);
      assert.equal(
        error.message,
        `the store in ${directory} is damaged: row 9 of the log, key "/b/0", does not match its checksum; ` +
          'restore the directory from a backup, or move it away to start empty',
      );
      return true;
    });
  });

  test('what is no object is damage too', async (context) => {
    for (const [json, message] of [
      ['{"half', /is no JSON/],
      ['{"metadata":{"resourceVersion":"7"}}', /has another revision in it/],
      ['null', /has another revision in it/],
    ] as const) {
      const directory = memoryDirectory(context);
      const store = openInThread(directory);
      await write(store, '/a/1', '');
      await store.close();
      const database = new DatabaseSync(join(directory, 'state.db'));
      const meta = database.prepare('SELECT * FROM meta').get();
      const checksum = rowChecksum(1, '/a/1', json);
      const { metaChecksum } = await import('./checksums.ts');
      const sealed = metaChecksum({
        id: String(meta?.['id']),
        revision: 1,
        compactedRevision: 0,
        rows: 1,
        sum: checksum,
      });
      database.exec(`UPDATE log SET value = CAST('${json}' AS BLOB), checksum = ${checksum};
        UPDATE meta SET sum = ${checksum}, checksum = ${sealed};`);
      database.close();
      await assert.rejects(openSqliteStore(directory), (error) => {
        assert.ok(error instanceof StoreCorruptError);
        assert.match(error.message, message);
        return true;
      });
    }
  });
});

describe('a flipped byte is reported, or does no harm', () => {
  // Each run opens a damaged copy: it must refuse, or have everything.
  const check = async (
    files: ReadonlyMap<string, Buffer>,
    directory: string,
    expected: unknown,
  ): Promise<void> => {
    rmSync(directory, { recursive: true, force: true });
    cpSync(join(directory, '..', 'original'), directory, { recursive: true });
    for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes);
    let store: Store;
    try {
      store = openInThread(directory);
    } catch {
      return;
    }
    try {
      assert.deepEqual(await contents(store), expected);
    } finally {
      await store.close();
    }
  };
  const flipped = (bytes: Buffer, at: number, mask: number): Buffer => {
    const copy = Buffer.from(bytes);
    const index = Math.floor(at * bytes.length);
    copy[index] = (copy[index] ?? 0) ^ mask;
    return copy;
  };
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const mask = fc.integer({ min: 1, max: 255 });

  test('in the database', async (context) => {
    const base = memoryDirectory(context);
    const store = openInThread(join(base, 'original'));
    await fill(store);
    const expected = await contents(store);
    await store.close();
    const bytes = readFileSync(join(base, 'original', 'state.db'));
    await fc.assert(
      fc.asyncProperty(place, mask, (at, bits) =>
        check(new Map([['state.db', flipped(bytes, at, bits)]]), join(base, 'copy'), expected),
      ),
      { numRuns: 150 },
    );
  });

  test('in the write-ahead log of a store that was not closed, also when it is cut off or gone', async (context) => {
    const base = memoryDirectory(context);
    const store = openInThread(join(base, 'live'));
    await fill(store);
    const expected = await contents(store);
    cpSync(join(base, 'live'), join(base, 'original'), { recursive: true });
    await store.close();
    const bytes = readFileSync(join(base, 'original', 'state.db-wal'));
    assert.ok(bytes.length > 50_000);
    await check(new Map(), join(base, 'copy'), expected);
    assert.equal(existsSync(join(base, 'copy', 'state.db-wal.kept')), false);
    await fc.assert(
      fc.asyncProperty(place, mask, fc.boolean(), (at, bits, cut) => {
        const damaged = cut ? bytes.subarray(0, Math.floor(at * bytes.length)) : flipped(bytes, at, bits);
        return check(new Map([['state.db-wal', damaged]]), join(base, 'copy'), expected);
      }),
      { numRuns: 100 },
    );

    rmSync(join(base, 'original', 'state.db-wal'));
    cpSync(join(base, 'original'), join(base, 'gone'), { recursive: true });
    assert.throws(() => openInThread(join(base, 'gone')), /state.db-wal is damaged or missing/);
  });

  test('a damaged write-ahead log is kept, for whoever can make something of it', async (context) => {
    const base = memoryDirectory(context);
    const store = openInThread(join(base, 'live'));
    await fill(store);
    cpSync(join(base, 'live'), join(base, 'copy'), { recursive: true });
    await store.close();
    const path = join(base, 'copy', 'state.db-wal');
    const damaged = flipped(readFileSync(path), 0.5, 255);
    writeFileSync(path, damaged);
    for (let start = 0; start < 2; start++) {
      assert.throws(() => openInThread(join(base, 'copy')), /14 was durable/);
      assert.ok(readFileSync(`${path}.kept`).equals(damaged));
    }
  });
});
