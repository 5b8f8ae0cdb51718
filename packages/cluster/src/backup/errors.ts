import { WindlassError } from '@windlass/base';

/** A backup cannot be used. Nothing was restored. */
export class BackupDamagedError extends WindlassError {
  constructor(file: string, problem: string, cause?: unknown) {
    super(`${file} is no backup that can be restored: ${problem}; use another copy of it`, {
      code: 'BACKUP_DAMAGED',
      cause,
    });
  }
}

/** A backup cannot be made. */
export class BackupFailedError extends WindlassError {
  constructor(problem: string, cause?: unknown) {
    super(`no backup was made: ${problem}`, { code: 'BACKUP_FAILED', cause });
  }
}
