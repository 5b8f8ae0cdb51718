import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { StorageFailedError, StoreCorruptError, StoreFormatError, StoreLockedError } from '../errors.ts';
import { memoryDirectory } from '../testing/directories.ts';
import { openInThread } from '../testing/in-thread-store.ts';
import { write } from '../testing/objects.ts';
import { type Migration, openDatabase, pragma } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

const STORE = JSON.stringify(new URL('./sqlite-store.ts', import.meta.url).href);

/** Runs a program that has `open` and `directory`; what it prints comes back. */
function child(directory: string, program: string): ReturnType<typeof spawn> {
  const source = `const { openSqliteStore: open } = await import(${STORE});
    const directory = ${JSON.stringify(directory)};
    ${program}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('opening', () => {
  test('one store, one owner: a second open in this process is refused', async (context) => {
    const directory = memoryDirectory(context);
    const store = await openSqliteStore(directory);
    await assert.rejects(openSqliteStore(directory), (error) => {
      assert.ok(error instanceof StoreLockedError);
      assert.equal(error.directory, directory);
      assert.equal(error.pid, process.pid);
      return true;
    });
    await write(store, '/a/1', 'unharmed');
    await store.close();
    const again = await openSqliteStore(directory);
    assert.equal(again.revision, 1);
    await again.close();
  });

  test('another process is named, and when it dies its lock dies with it', async (context) => {
    const directory = memoryDirectory(context);
    const owner = child(
      directory,
      'await open(directory); console.log("open"); setInterval(() => {}, 1000);',
    );
    assert.ok(owner.stdout);
    await once(owner.stdout, 'data');
    await assert.rejects(openSqliteStore(directory), (error) => {
      assert.ok(error instanceof StoreLockedError);
      assert.equal(error.pid, owner.pid);
      assert.match(error.message, new RegExp(`is open in process ${owner.pid}; stop it`));
      return true;
    });
    const dead = once(owner, 'exit');
    owner.kill('SIGKILL');
    await dead;
    await (await openSqliteStore(directory)).close();
  });

  test('an idle store does not keep a process alive, a write under way does', async (context) => {
    const directory = memoryDirectory(context);
    const program = 'const store = await open(directory); void store.put("/a/1", { kind: "Left" }, 0);';
    const [code] = await once(child(directory, program), 'exit');
    assert.equal(code, 0);
    const store = openInThread(directory);
    assert.equal((await store.get('/a/1'))?.object.kind, 'Left');
    await store.close();
  });

  test('a newer format is refused, and left as it is', async (context) => {
    const directory = memoryDirectory(context);
    await openInThread(directory).close();
    const database = new DatabaseSync(join(directory, 'state.db'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    const before = readFileSync(join(directory, 'state.db'));
    await assert.rejects(openSqliteStore(directory), (error) => {
      assert.ok(error instanceof StoreFormatError);
      assert.match(
        error.message,
        /it has format 99, and this version knows up to 1; use the version that wrote it/,
      );
      return true;
    });
    assert.ok(readFileSync(join(directory, 'state.db')).equals(before));
  });

  test("another program's database is refused, and left as it is", async (context) => {
    const directory = memoryDirectory(context);
    const database = new DatabaseSync(join(directory, 'state.db'));
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    const before = readFileSync(join(directory, 'state.db'));
    await assert.rejects(openSqliteStore(directory), StoreFormatError);
    assert.ok(readFileSync(join(directory, 'state.db')).equals(before));
  });

  test('what is no database at all is damage', async (context) => {
    const directory = memoryDirectory(context);
    writeFileSync(join(directory, 'state.db'), 'x'.repeat(100_000));
    await assert.rejects(openSqliteStore(directory), (error) => {
      assert.ok(error instanceof StoreCorruptError);
      assert.match(error.message, /file is not a database.*restore the directory from a backup/);
      return true;
    });
  });

  test('a directory that cannot be is named', async (context) => {
    const directory = memoryDirectory(context);
    writeFileSync(join(directory, 'file'), '');
    await assert.rejects(openSqliteStore(join(directory, 'file', 'data')), (error) => {
      assert.ok(error instanceof StorageFailedError);
      assert.match(
        error.message,
        /file\/data cannot be opened: .*; check the disk and that the directory can be/,
      );
      return true;
    });
    mkdirSync(join(directory, 'taken', 'state.db'), { recursive: true });
    await assert.rejects(openSqliteStore(join(directory, 'taken')), StorageFailedError);
  });

  test('commits are synced to a write-ahead log that nobody else has', (context) => {
    const path = join(memoryDirectory(context), 'state.db');
    const database = openDatabase(path, { newId: 'test', maxBytes: undefined });
    const settings = ['synchronous', 'journal_mode', 'locking_mode', 'fullfsync', 'auto_vacuum', 'page_size'];
    assert.deepEqual(
      settings.map((name) => pragma(database, name)),
      [2, 'wal', 'exclusive', 1, 2, 8192],
    );
    database.close();
  });

  test('what it creates is for its owner only', { skip: process.platform === 'win32' }, async (context) => {
    const directory = join(memoryDirectory(context), 'deep', 'data');
    const store = await openSqliteStore(directory);
    await write(store, '/a/1', 'secret');
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    for (const name of ['state.db', 'state.db-wal', 'state.owner']) {
      assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
    }
    await store.close();
  });
});

describe('migration', () => {
  const options = { newId: 'test', maxBytes: undefined };
  const addNotes: Migration = {
    to: 2,
    migrate: (database) => database.exec('CREATE TABLE notes (x); INSERT INTO notes VALUES (1)'),
  };

  test('an older format is brought up to date, once', async (context) => {
    const directory = memoryDirectory(context);
    const path = join(directory, 'state.db');
    const store = openInThread(directory);
    await write(store, '/a/1', '');
    await store.close();
    for (let time = 0; time < 2; time++) {
      const database = openDatabase(path, options, [addNotes], 2);
      assert.equal(pragma(database, 'user_version'), 2);
      assert.equal(database.prepare('SELECT * FROM notes').all().length, 1);
      assert.equal(database.prepare('SELECT * FROM log').all().length, 1);
      database.close();
    }
  });

  test('several steps in their order, and one that fails leaves everything as it was', async (context) => {
    const path = join(memoryDirectory(context), 'state.db');
    openDatabase(path, options).close();
    const failing: Migration = {
      to: 3,
      migrate: () => {
        throw new Error('no way');
      },
    };
    assert.throws(() => openDatabase(path, options, [failing, addNotes], 3), /no way/);
    const database = openDatabase(path, options);
    assert.equal(pragma(database, 'user_version'), 1);
    database.close();
    const renameNotes: Migration = { to: 3, migrate: (on) => on.exec('ALTER TABLE notes RENAME TO memos') };
    const migrated = openDatabase(path, options, [renameNotes, addNotes], 3);
    assert.equal(migrated.prepare('SELECT * FROM memos').all().length, 1);
    migrated.close();
  });
});
