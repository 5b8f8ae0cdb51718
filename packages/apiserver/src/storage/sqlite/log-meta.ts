import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { metaChecksum } from './checksums.ts';
import { DamageError } from './failures.ts';

/** What the database says of itself, in one row that every transaction replaces. */
export interface LogMeta {
  readonly id: string;
  readonly revision: number;
  readonly compactedRevision: number;
  /** How many rows the log has, and the sum of their checksums: a row that is lost shows. */
  readonly rows: number;
  readonly sum: number;
}

export const META_SCHEMA = `
  CREATE TABLE meta (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    compacted INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT`;

export class LogMetaTable {
  readonly #read: StatementSync;
  readonly #write: StatementSync;

  constructor(database: DatabaseSync) {
    this.#read = database.prepare('SELECT id, revision, compacted, rows, sum, checksum FROM meta');
    this.#write = database.prepare('INSERT OR REPLACE INTO meta VALUES (1, ?, ?, ?, ?, ?, ?)');
  }

  read(): LogMeta {
    const row = this.#read.get();
    if (row === undefined) throw new DamageError('the table meta is empty');
    const meta: LogMeta = {
      id: String(row['id']),
      revision: Number(row['revision']),
      compactedRevision: Number(row['compacted']),
      rows: Number(row['rows']),
      sum: Number(row['sum']),
    };
    if (metaChecksum(meta) !== row['checksum']) {
      throw new DamageError('the row of the table meta does not match its checksum');
    }
    return meta;
  }

  write(meta: LogMeta): void {
    const { id, revision, compactedRevision, rows, sum } = meta;
    this.#write.run(id, revision, compactedRevision, rows, sum, metaChecksum(meta));
  }
}
