import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Random, systemRandom, WindlassError } from '@windlass/base';
import type { SnapshotObject } from '../snapshots/snapshot.ts';
import { addToSum, rowChecksum } from './checksums.ts';
import { createPrivately, syncDirectory } from './files.ts';
import { LogMetaTable } from './log-meta.ts';
import { openDatabase } from './open-database.ts';

/**
 * A restored store goes on so far above the revision of its snapshot, as etcd's restore can be told to. Clients may have
 * seen revisions after the snapshot; those must not come again with other objects. It is what a cluster with 30 writes a
 * second needs a year for.
 */
export const REVISIONS_AFTER_RESTORE = 1_000_000_000;

/** How a store is written from a snapshot. */
export interface RestoreOptions {
  /** At which the snapshot was taken. */
  readonly revision: number;
  /** In any order. When it throws, there is no store. */
  readonly objects: AsyncIterable<SnapshotObject> | Iterable<SnapshotObject>;
  /** Where the id of the store comes from: it is a new line of revisions. @default the system's */
  readonly random?: Random;
}

/** There is a store already. */
class StoreExistsError extends WindlassError {
  constructor(directory: string) {
    super(`there is a store in ${directory} already; restore into an empty directory`, {
      code: 'STORE_EXISTS',
    });
  }
}

/**
 * Makes a store of a snapshot: every object with the revision that it had. All of it or nothing. Opening it checks it.
 * Blocks while it writes.
 */
export async function restoreSqliteStore(
  directory: string,
  { revision, objects, random = systemRandom }: RestoreOptions,
): Promise<void> {
  const folder = resolve(directory);
  const path = join(folder, 'state.db');
  createPrivately(folder, path);
  const database = openDatabase(path, { newId: random.uuid(), maxBytes: undefined });
  try {
    if (new LogMetaTable(database).read().revision !== 0) throw new StoreExistsError(folder);
  } catch (error) {
    database.close();
    throw error;
  }
  try {
    await writeAll(database, revision, objects);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    syncDirectory(folder);
  } catch (error) {
    if (database.isOpen) database.close();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function writeAll(
  database: DatabaseSync,
  revision: number,
  objects: RestoreOptions['objects'],
): Promise<void> {
  const metaTable = new LogMetaTable(database);
  const { id } = metaTable.read();
  const insert = database.prepare('INSERT INTO log VALUES (?, ?, ?, ?)');
  let [rows, sum] = [0, 0];
  database.exec('BEGIN IMMEDIATE');
  for await (const { key, revision: written, json } of objects) {
    const value = Buffer.from(json);
    const checksum = rowChecksum(written, key, value);
    insert.run(written, key, value, checksum);
    rows++;
    sum = addToSum(sum, checksum);
  }
  const last = revision + REVISIONS_AFTER_RESTORE;
  // The past is not in a snapshot: it begins here.
  metaTable.write({ id, revision: last, compactedRevision: last, rows, sum });
  database.exec('COMMIT');
}
