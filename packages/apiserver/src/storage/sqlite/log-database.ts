import { basename, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Compaction } from '../journal.ts';
import { addToSum, rowChecksum, takeFromSum } from './checksums.ts';
import { DamageError, isBusy, LockedError, type LostWrites, LostWritesError, report } from './failures.ts';
import { createPrivately, forgetKeptWal, keepWal, syncDirectory, writeAndRemove } from './files.ts';
import { type LogMeta, LogMetaTable } from './log-meta.ts';
import { type LogRow, LogVerifier } from './log-verifier.ts';
import { openDatabase, pragma } from './open-database.ts';
import { OwnerFile, readOwner } from './owner-file.ts';
import type { PackedWrites } from './packed-writes.ts';
import { REVISIONS_TO_SKIP, RevisionMark, readMark } from './revision-mark.ts';

export interface LogDatabaseOptions {
  readonly directory: string;
  readonly newId: string;
  readonly maxBytes: number | undefined;
  /** Where the second witness of the revision is. @default state.mark in the directory */
  readonly markPath?: string | undefined;
  /** Go on when writes are lost, instead of refusing. @default false */
  readonly acceptsLoss?: boolean;
}

// Free pages are given back when they are a quarter of the file, some at a time.
const VACUUM_LEAST_PAGES = 256;
const VACUUM_PAGES = 512;

/** No write has it. */
const NO_REVISION = -1;

/** The log on the disk. Everything here blocks, for as long as the disk takes. */
export class LogDatabase {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #metaTable: LogMetaTable;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #owner: OwnerFile;
  readonly #mark: RevisionMark;
  readonly #lost: LostWrites | undefined;
  #meta: LogMeta;

  constructor(options: LogDatabaseOptions) {
    const { directory, newId, maxBytes } = options;
    const path = join(directory, 'state.db');
    const ownerPath = join(directory, 'state.owner');
    this.#path = path;
    createPrivately(directory, path);
    const kept = keepWal(path);
    try {
      this.#database = openDatabase(path, { newId, maxBytes });
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (kept) forgetKeptWal(path);
      throw new LockedError(readOwner(ownerPath)?.pid);
    }
    try {
      this.#metaTable = new LogMetaTable(this.#database);
      this.#meta = this.#metaTable.read();
      const markPath = options.markPath ?? join(directory, 'state.mark');
      this.#lost = lostWrites(this.#meta.revision, ownerPath, markPath);
      if (this.#lost !== undefined && options.acceptsLoss !== true) throw new LostWritesError(this.#lost);
      this.#insert = this.#database.prepare('INSERT INTO log VALUES (?, ?, ?, ?)');
      this.#remove = this.#database.prepare('DELETE FROM log WHERE revision = ? RETURNING checksum');
      if (this.#lost !== undefined) this.#skipTo(this.#lost.reached + REVISIONS_TO_SKIP);
      this.#owner = new OwnerFile(ownerPath);
      this.#owner.write({ pid: process.pid, revision: this.#meta.revision });
      this.#mark = new RevisionMark(markPath);
      this.#mark.write(this.#meta.revision);
      syncDirectory(directory);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  get meta(): LogMeta {
    return this.#meta;
  }

  /** What was missing when it was opened, and was accepted. */
  get lost(): LostWrites | undefined {
    return this.#lost;
  }

  /** Every row in order, checked; then the file itself. Throws a DamageError when something is wrong. */
  *load(): IterableIterator<LogRow> {
    const verifier = new LogVerifier(this.#meta);
    const all = this.#database.prepare(
      'SELECT revision, key, CAST(value AS TEXT), checksum FROM log ORDER BY revision',
    );
    all.setReturnArrays(true);
    for (const columns of all.iterate()) {
      // With setReturnArrays a row is an array; the types do not say so.
      const [revision, key, value, checksum] = columns as unknown as [number, string, string | null, number];
      const row = { revision, key, value };
      verifier.row(row, checksum);
      yield row;
    }
    verifier.end();
  }

  /** SQLite's own check of the file's structure. */
  check(): void {
    const answer = pragma(this.#database, 'quick_check(1)');
    if (answer !== 'ok') throw new DamageError(`SQLite's check says "${String(answer)}"`);
    forgetKeptWal(this.#path);
  }

  append(writes: PackedWrites): void {
    let { revision, rows, sum } = this.#meta;
    if (writes.firstRevision !== revision + 1) {
      throw new DamageError(`revision ${writes.firstRevision} came after ${revision}`);
    }
    this.#transact(() => {
      let offset = 0;
      for (const [index, key] of writes.keys.entries()) {
        const length = writes.lengths[index] ?? -1;
        const value = length < 0 ? null : writes.values.subarray(offset, offset + length);
        offset += Math.max(0, length);
        revision++;
        const checksum = rowChecksum(revision, key, value);
        this.#insert.run(revision, key, value, checksum);
        rows++;
        sum = addToSum(sum, checksum);
      }
      return { ...this.#meta, revision, rows, sum };
    });
    try {
      this.#owner.write({ pid: process.pid, revision });
      this.#mark.write(revision);
    } catch {
      // The writes are durable, and must be answered so. The records are behind, which they may be.
    }
  }

  compact(compaction: Compaction): void {
    let { rows, sum } = this.#meta;
    this.#transact(() => {
      for (const revision of compaction.drop) {
        const row = this.#remove.get(revision);
        if (row === undefined) throw new DamageError(`row ${revision} of the log is missing`);
        rows--;
        sum = takeFromSum(sum, Number(row['checksum']));
      }
      return { ...this.#meta, compactedRevision: compaction.revision, rows, sum };
    });
    this.#vacuum();
  }

  /** Writes so many bytes, in the database and beside it, and takes them away again. Throws what a write would. */
  probe(bytes: number): void {
    const filler = Buffer.alloc(bytes);
    this.#transact(() => {
      this.#insert.run(NO_REVISION, '', filler, 0);
      this.#remove.get(NO_REVISION);
      return this.#meta;
    });
    // What was taken away again in one transaction was never written, so that only this needs the room.
    if (bytes > 0) writeAndRemove(`${this.#path}-probe`, filler);
  }

  close(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      this.#database.close();
      this.#owner.close({ pid: undefined, revision: this.#meta.revision });
      this.#mark.close(this.#meta.revision);
    }
  }

  /** Lets go of a database that turned out to be damaged; the owner's record stays as it was. */
  abandon(): void {
    this.#database.close();
    this.#mark.close();
  }

  /** Forgets the past and goes on at `revision`: what is left has one row for each object, all before it. */
  #skipTo(revision: number): void {
    // Afterwards nobody could tell that a row is missing.
    for (const _row of this.load());
    this.#transact(() => {
      this.#database.exec(`DELETE FROM log
        WHERE value IS NULL OR revision NOT IN (SELECT max(revision) FROM log GROUP BY key)`);
      let [rows, sum] = [0, 0];
      for (const row of this.#database.prepare('SELECT checksum FROM log').iterate()) {
        rows++;
        sum = addToSum(sum, Number(row['checksum']));
      }
      return { ...this.#meta, revision, compactedRevision: revision, rows, sum };
    });
  }

  #vacuum(): void {
    const free = Number(pragma(this.#database, 'freelist_count'));
    const pages = Number(pragma(this.#database, 'page_count'));
    if (free <= VACUUM_LEAST_PAGES || free * 4 <= pages) return;
    try {
      this.#database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    } catch (error) {
      // There is no room to make room; what the caller wanted is done.
      const { kind } = report(error);
      if (kind !== 'full' && kind !== 'refused') throw error;
    }
  }

  /** All of it or nothing. After a failure the database stands where it stood, or this throws a DamageError. */
  #transact(work: () => LogMeta): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const meta = work();
      this.#metaTable.write(meta);
      this.#database.exec('COMMIT');
      this.#meta = meta;
    } catch (error) {
      // Some errors have rolled back already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      const { revision } = this.#metaTable.read();
      if (revision !== this.#meta.revision) {
        throw new DamageError(`it stands at revision ${revision} after a failure at ${this.#meta.revision}`);
      }
      throw error;
    }
  }
}

/** What the witnesses know of that the database does not have. The one that knows more counts. */
function lostWrites(last: number, ownerPath: string, markPath: string): LostWrites | undefined {
  const [owner, mark] = [readOwner(ownerPath)?.revision ?? 0, readMark(markPath)];
  const reached = Math.max(owner, mark);
  if (reached <= last) return undefined;
  return { last, reached, witness: basename(owner >= mark ? ownerPath : markPath) };
}
