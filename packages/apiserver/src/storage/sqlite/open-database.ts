import { DatabaseSync } from 'node:sqlite';
import { DamageError, FormatError } from './failures.ts';
import { LogMetaTable, META_SCHEMA } from './log-meta.ts';

/** Takes a database from the format before to its own. Runs in the transaction that opens it. */
export interface Migration {
  readonly to: number;
  readonly migrate: (database: DatabaseSync) => void;
}

export interface OpenOptions {
  /** The id of the store, if this creates it. */
  readonly newId: string;
  /** The file may not grow beyond this. */
  readonly maxBytes: number | undefined;
}

const FORMAT = 1;
const MIGRATIONS: readonly Migration[] = [];

// "Wndl": tells our databases from those of others.
const APPLICATION_ID = 0x576e646c;

// Pages of 8 KiB hold seven objects of the usual size; with 4 KiB a commit of 32 takes a sixth longer.
const PAGE_BYTES = 8192;

// The log alone: an object's present state is its last row. One row a write, appended at the end of the
// tree, is a tenth of what a table by key beside a table of events would write, and there are no two
// tables that could disagree.
const LOG_SCHEMA = `
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    value BLOB,
    checksum INTEGER NOT NULL
  ) STRICT`;

/**
 * Opens or creates the database, for this connection alone until it is closed or its process ends.
 *
 * A commit is in the write-ahead log, and synced, before it is answered: `synchronous = FULL`, and on
 * macOS `fullfsync`, without which a sync stops at the drive's cache.
 */
export function openDatabase(
  path: string,
  options: OpenOptions,
  migrations: readonly Migration[] = MIGRATIONS,
  format: number = FORMAT,
): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA checkpoint_fullfsync = ON;
      PRAGMA locking_mode = EXCLUSIVE;`);
    // Only while there is nothing: on a file that is not ours these would be a write.
    if (pragma(database, 'page_count') === 0) {
      database.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL;`);
    }
    database.exec('BEGIN EXCLUSIVE');
    prepareFormat(database, options.newId, migrations, format);
    database.exec('COMMIT');
    database.exec('PRAGMA journal_mode = WAL');
    if (pragma(database, 'journal_mode') !== 'wal') {
      throw new FormatError('SQLite does not offer a write-ahead log there; choose a local file system');
    }
    if (options.maxBytes !== undefined) {
      const pages = Math.floor(options.maxBytes / Number(pragma(database, 'page_size')));
      database.exec(`PRAGMA max_page_count = ${Math.max(1, pages)}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareFormat(
  database: DatabaseSync,
  newId: string,
  migrations: readonly Migration[],
  format: number,
): void {
  const application = Number(pragma(database, 'application_id'));
  const found = Number(pragma(database, 'user_version'));
  if (application === 0 && found === 0 && isEmpty(database)) {
    create(database, newId);
    setFormat(database, format);
    return;
  }
  if (application !== APPLICATION_ID) {
    throw new FormatError('state.db belongs to another program; choose another data directory');
  }
  if (found > format) {
    throw new FormatError(
      `it has format ${found}, and this version knows up to ${format}; use the version that wrote it, or a newer one`,
    );
  }
  for (let from = found; from < format; from++) {
    const step = migrations.find((migration) => migration.to === from + 1);
    if (step === undefined) throw new DamageError(`format ${from} was never released`);
    step.migrate(database);
  }
  if (found < format) setFormat(database, format);
}

function create(database: DatabaseSync, id: string): void {
  database.exec(LOG_SCHEMA);
  database.exec(META_SCHEMA);
  new LogMetaTable(database).write({ id, revision: 0, compactedRevision: 0, rows: 0, sum: 0 });
}

function setFormat(database: DatabaseSync, format: number): void {
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${format};`);
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

export function pragma(database: DatabaseSync, name: string): unknown {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? undefined : Object.values(row)[0];
}
