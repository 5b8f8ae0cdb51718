import { WindlassError } from '@windlass/base';

/** A drive was deleted while something was to be done with it. */
export class DriveGoneError extends WindlassError {
  constructor(drive: string, cause?: unknown) {
    super(`drive ${drive} is gone`, { code: 'DRIVE_GONE', cause });
  }
}

/** A drive that was chosen has changed and does not take the volume any more. */
export class DriveUnfitError extends WindlassError {
  constructor(drive: string) {
    super(`drive ${drive} does not take the volume any more`, { code: 'DRIVE_UNFIT' });
  }
}

/** Others wrote to a drive each time that we did. */
export class ContentionError extends WindlassError {
  constructor(drive: string, attempts: number, cause: unknown) {
    super(`drive ${drive} was changed by others in each of ${attempts} attempts to write it; try again`, {
      code: 'CONTENTION',
      cause,
    });
  }
}

/** A drive holds a volume for which nothing is reserved: its object should be there. */
export class AlreadyHeldError extends WindlassError {
  constructor(drive: string, volume: string) {
    super(`drive ${drive} holds volume ${volume} already`, { code: 'ALREADY_HELD' });
  }
}
