import { WindlassError } from '@windlass/base';

/** A text that is no schedule. The message is the one that people know from `kubectl`. */
export class InvalidScheduleError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'INVALID_SCHEDULE', cause });
  }
}

/** No such time zone is known. */
export class UnknownTimeZoneError extends WindlassError {
  constructor(name: string) {
    super(`unknown time zone ${name}`, { code: 'UNKNOWN_TIME_ZONE' });
  }
}
