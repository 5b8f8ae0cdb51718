import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

// One write of less than a sector, always of the same length: never half old and half new.
const LENGTH = 64;

/** So many revisions may pass between two syncs. */
const SYNC_EVERY = 1000;

/**
 * After a loss revisions go on so far above the mark. A power loss can leave the mark behind by what was written
 * since its last sync, and by a batch that was under way; clients have seen those revisions.
 */
export const REVISIONS_TO_SKIP = 10_000;

/**
 * A second witness of how far the database got, away from its own files: who deletes or restores those has not
 * touched this one, and learns what is missing. It is written after each commit, which takes some microseconds, and
 * synced now and then, so that it may be behind the database and is never ahead of it.
 */
export class RevisionMark {
  readonly #descriptor: number;
  #synced = 0;

  constructor(path: string) {
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  write(revision: number): void {
    writeSync(this.#descriptor, `${String(revision).padEnd(LENGTH - 1)}\n`, 0);
    if (revision < this.#synced + SYNC_EVERY) return;
    fsyncSync(this.#descriptor);
    this.#synced = revision;
  }

  /** With the last revision; without one it stays as it is. */
  close(revision?: number): void {
    try {
      if (revision === undefined) return;
      this.write(revision);
      fsyncSync(this.#descriptor);
    } finally {
      closeSync(this.#descriptor);
    }
  }
}

/** 0 when there is none, or when it does not make sense. */
export function readMark(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return 0;
  }
  const revision = /^\d+ *\n$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(revision) ? revision : 0;
}
