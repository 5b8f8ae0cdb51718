import { WindlassError } from '@windlass/base';
import type { StoredObject } from './store.ts';

/** The key is not at the revision that the write expected. */
export class RevisionConflictError extends WindlassError {
  readonly key: string;
  readonly expected: number;
  /** What is there; undefined when nothing is. */
  readonly current: StoredObject | undefined;

  constructor(key: string, expected: number, current: StoredObject | undefined) {
    const wanted = expected === 0 ? 'not to exist' : `at revision ${expected}`;
    const found = current === undefined ? 'it does not exist' : `it is at revision ${current.revision}`;
    super(`"${key}" was expected ${wanted}, but ${found}; read it again and retry`, {
      code: 'REVISION_CONFLICT',
    });
    this.key = key;
    this.expected = expected;
    this.current = current;
  }
}

/** The past that was asked for has been forgotten. */
export class CompactedError extends WindlassError {
  readonly requested: number;
  readonly compacted: number;

  constructor(requested: number, compacted: number) {
    super(
      `revision ${requested} is too old: the store remembers back to ${compacted}; list again and watch from there`,
      { code: 'COMPACTED' },
    );
    this.requested = requested;
    this.compacted = compacted;
  }
}

/** The revision that was asked for has not been reached. */
export class FutureRevisionError extends WindlassError {
  readonly requested: number;
  readonly current: number;

  constructor(requested: number, current: number) {
    super(`revision ${requested} is in the future: the store is at ${current}; wait for it first`, {
      code: 'FUTURE_REVISION',
    });
    this.requested = requested;
    this.current = current;
  }
}

/** A watcher read more slowly than events came, for too long. */
export class SlowWatcherError extends WindlassError {
  /** Watch from here to miss nothing. */
  readonly resumeFrom: number;

  constructor(prefix: string, buffered: number, resumeFrom: number) {
    super(
      `the watch of "${prefix}" reads too slowly: ${buffered} events wait for it; watch again from revision ${resumeFrom}`,
      { code: 'SLOW_WATCHER' },
    );
    this.resumeFrom = resumeFrom;
  }
}

/** Thrown by every call of a store that has been closed. */
export class StoreClosedError extends WindlassError {
  constructor() {
    super('the store is closed', { code: 'STORE_CLOSED' });
  }
}

/** What a failed write says about the store. */
export interface StorageFailedOptions {
  /** False when the store takes no more writes until it is opened again. */
  readonly recoverable: boolean;
  readonly cause?: unknown;
}

/** Writes could not be made durable. Nothing of them is visible. */
export class StorageFailedError extends WindlassError {
  readonly recoverable: boolean;

  constructor(message: string, options: StorageFailedOptions) {
    super(message, { code: 'STORAGE_FAILED', cause: options.cause });
    this.recoverable = options.recoverable;
  }
}

/** Another process has the store open. */
export class StoreLockedError extends WindlassError {
  readonly directory: string;
  readonly pid: number | undefined;

  constructor(directory: string, pid: number | undefined) {
    const owner = pid === undefined ? 'another process' : `process ${pid}`;
    super(`the store in ${directory} is open in ${owner}; stop it, or choose another data directory`, {
      code: 'STORE_LOCKED',
    });
    this.directory = directory;
    this.pid = pid;
  }
}

/** What is in the directory was not written by this version, or is no store at all. It is left as it is. */
export class StoreFormatError extends WindlassError {
  readonly directory: string;

  constructor(directory: string, problem: string) {
    super(`the store in ${directory} cannot be opened: ${problem}`, { code: 'STORE_FORMAT' });
    this.directory = directory;
  }
}

/** What is on the disk is not what was written. It is left as it is. */
export class StoreCorruptError extends WindlassError {
  readonly directory: string;

  constructor(directory: string, problem: string, cause?: unknown) {
    super(
      `the store in ${directory} is damaged: ${problem}; restore the directory from a backup, or move it away to start empty`,
      { code: 'STORE_CORRUPT', cause },
    );
    this.directory = directory;
  }
}

/** Writes that were answered are no longer there. It is left as it is, until somebody accepts that. */
export class StoreLostWritesError extends WindlassError {
  readonly directory: string;
  /** The last revision that is there. */
  readonly last: number;
  /** The last one that was. */
  readonly reached: number;

  constructor(directory: string, problem: string, lost: { readonly last: number; readonly reached: number }) {
    super(
      `the store in ${directory} has lost its writes of the revisions ${lost.last + 1} to ${lost.reached}: ${problem}; ` +
        'restore the directory from a backup, or accept the loss with --accept-data-loss and go on without them',
      { code: 'STORE_LOST_WRITES' },
    );
    this.directory = directory;
    this.last = lost.last;
    this.reached = lost.reached;
  }
}
