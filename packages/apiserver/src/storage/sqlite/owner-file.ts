import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** What the owner of a directory has written down. */
export interface OwnerRecord {
  /** Of the process that has the store open; undefined when it was closed. */
  readonly pid: number | undefined;
  /** A revision that was durable: the database must not end before it. */
  readonly revision: number;
}

// One write of less than a sector, always of the same length: never half old and half new.
const LENGTH = 128;

/**
 * A note beside the database: who has it open, and which revision is durable. It is written after each
 * commit and not synced, so that after a power loss it may be behind the database, never ahead.
 *
 * It is there because SQLite takes a damaged or missing write-ahead log for a shorter one, and opens what
 * is left without a word: answered writes would be gone in silence.
 */
export class OwnerFile {
  readonly #descriptor: number;

  constructor(path: string) {
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  write(record: OwnerRecord): void {
    const text = JSON.stringify({ pid: record.pid, revision: record.revision });
    writeSync(this.#descriptor, `${text.padEnd(LENGTH - 1)}\n`, 0);
  }

  close(record: OwnerRecord): void {
    this.write(record);
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
  }
}

/** Undefined when there is none, or when it does not make sense. */
export function readOwner(path: string): OwnerRecord | undefined {
  let record: unknown;
  try {
    record = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // It was never synced, so that after a power loss anything may be there.
    return undefined;
  }
  if (typeof record !== 'object' || record === null) return undefined;
  const revision = 'revision' in record ? record.revision : undefined;
  const pid = 'pid' in record ? record.pid : undefined;
  if (typeof revision !== 'number') return undefined;
  return { revision, pid: typeof pid === 'number' ? pid : undefined };
}
