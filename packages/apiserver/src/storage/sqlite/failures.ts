// What goes wrong in the thread, and how it comes out of it: errors lose their class on the way. This file
// imports nothing, and the thread little: what it need not load, it need not wait for at the start.

/** What is on the disk is not what was written. */
export class DamageError extends Error {}

/** Writes that were durable are no longer there. */
export class LostWritesError extends Error {
  readonly lost: LostWrites;

  constructor(lost: LostWrites) {
    super(
      `it ends at revision ${lost.last}, but ${lost.reached} was durable (${lost.witness} says so): ` +
        'state.db or its write-ahead log state.db-wal is damaged or missing, or an older copy',
    );
    this.lost = lost;
  }
}

export interface LostWrites {
  /** The last revision that is there. */
  readonly last: number;
  /** The last one that was. */
  readonly reached: number;
  /** The file that says so. */
  readonly witness: string;
}

/** What is on the disk was written by something else. */
export class FormatError extends Error {}

/** Another connection has the database. */
export class LockedError extends Error {
  readonly pid: number | undefined;

  constructor(pid: number | undefined) {
    super('the database is locked');
    this.pid = pid;
  }
}

export type FailureReport =
  | { readonly kind: 'locked'; readonly pid: number | undefined }
  | { readonly kind: 'format'; readonly problem: string }
  | { readonly kind: 'damaged'; readonly problem: string }
  | { readonly kind: 'lost'; readonly problem: string; readonly lost: LostWrites }
  | { readonly kind: 'full'; readonly problem: string }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'broken'; readonly problem: string };

// SQLite's result codes; the low byte of an extended code is the plain one.
const ERROR = 1;
const BUSY = 5;
const NOMEM = 7;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const IOERR_WRITE = 778;

/** SQLite's extended result code; undefined for an error that is not SQLite's. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** As the file system says it. */
function isNoRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

export function isBusy(error: unknown): boolean {
  return ((sqliteCode(error) ?? 0) & 0xff) === BUSY;
}

export function report(thrown: unknown): FailureReport {
  if (thrown instanceof LockedError) return { kind: 'locked', pid: thrown.pid };
  if (thrown instanceof FormatError) return { kind: 'format', problem: thrown.message };
  if (thrown instanceof LostWritesError) return { kind: 'lost', problem: thrown.message, lost: thrown.lost };
  if (thrown instanceof DamageError) return { kind: 'damaged', problem: thrown.message };
  const problem = thrown instanceof Error ? thrown.message : String(thrown);
  const code = sqliteCode(thrown) ?? 0;
  if (isNoRoom(thrown)) return { kind: 'full', problem };
  // A write that did not reach the file was rolled back. Of a failed sync nobody knows what it has left
  // behind, so that counts as broken, like all that is not named here.
  if (code === IOERR_WRITE) return { kind: 'refused', problem };
  switch (code & 0xff) {
    case FULL:
      return { kind: 'full', problem };
    case BUSY:
    case NOMEM:
    case CANTOPEN:
      return { kind: 'refused', problem };
    // Our statements are right, so that this is a table or a column that is not there.
    case ERROR:
    case CORRUPT:
    case NOTADB:
      return { kind: 'damaged', problem: `SQLite says "${problem}"` };
    default:
      return { kind: 'broken', problem };
  }
}
