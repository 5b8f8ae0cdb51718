import { rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's code for a database that another connection has; the low byte of an extended one. */
const BUSY = 5;

/**
 * A lock on a file that one process has at a time, and that the system gives back when the process ends, however it
 * ends. It is SQLite's, because Node has none of its own; the database in it is empty.
 */
export class DirectoryLock {
  readonly #path: string;
  readonly #database: DatabaseSync;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  /** Undefined when another process has it, or another part of this one. */
  static tryTake(path: string): DirectoryLock | undefined {
    for (;;) {
      const database = new DatabaseSync(path, { timeout: 0 });
      const opened = fileId(path);
      try {
        // Nothing is ever written, so that there need not be a journal beside the file.
        database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      } catch (error) {
        database.close();
        if (isBusy(error)) return undefined;
        throw error;
      }
      // Whoever had it may have removed the file meanwhile: a lock on that one holds nobody up.
      if (opened !== undefined && fileId(path) === opened) return new DirectoryLock(path, database);
      database.close();
    }
  }

  /** Idempotent. */
  release(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  /** Removes the file too. */
  releaseAndRemove(): void {
    rmSync(this.#path, { force: true });
    this.release();
  }
}

function fileId(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === BUSY
  );
}
