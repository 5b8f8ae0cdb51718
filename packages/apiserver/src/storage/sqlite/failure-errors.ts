// What went wrong in the thread, as those see it who wait for it.
import {
  StorageFailedError,
  StoreCorruptError,
  StoreFormatError,
  StoreLockedError,
  StoreLostWritesError,
} from '../errors.ts';
import type { FailureReport } from './failures.ts';

/** As the caller of `openSqliteStore` sees it. */
export function openError(directory: string, failure: FailureReport): Error {
  switch (failure.kind) {
    case 'locked':
      return new StoreLockedError(directory, failure.pid);
    case 'format':
      return new StoreFormatError(directory, failure.problem);
    case 'damaged':
      return new StoreCorruptError(directory, failure.problem);
    case 'lost':
      return new StoreLostWritesError(directory, failure.problem, failure.lost);
    case 'full':
    case 'refused':
    case 'broken':
      return new StorageFailedError(
        `the store in ${directory} cannot be opened: ${failure.problem}; check the disk and that the directory can be written`,
        { recoverable: false },
      );
  }
}

/** As the writers see it that were in the batch. */
export function writeError(directory: string, failure: FailureReport): StorageFailedError {
  switch (failure.kind) {
    case 'full':
      return new StorageFailedError(
        `the write was not stored: ${directory} has no room (${failure.problem}); free some, and it works again`,
        { recoverable: true },
      );
    case 'refused':
      return new StorageFailedError(
        `the write was not stored in ${directory}: ${failure.problem}; check the disk's limits, and retry`,
        { recoverable: true },
      );
    case 'locked':
    case 'format':
    case 'damaged':
    case 'lost':
    case 'broken': {
      const problem = failure.kind === 'locked' ? 'it is locked' : failure.problem;
      return new StorageFailedError(
        `the store in ${directory} has failed and takes no more writes: ${problem}; check the disk, then start again`,
        { recoverable: false },
      );
    }
  }
}

/** The thread itself has gone. */
export function threadError(directory: string, cause: Error | string): StorageFailedError {
  const problem = typeof cause === 'string' ? cause : cause.message;
  return new StorageFailedError(
    `the thread that writes ${directory} has ended: ${problem}; start again to go on from what is on the disk`,
    { recoverable: false, cause },
  );
}
