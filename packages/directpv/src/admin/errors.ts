import { WindlassError } from '@windlass/base';

/** What the caller asked for cannot be meant: a malformed selector, a reserved label, a broken file. */
export class InvalidRequestError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'INVALID_REQUEST', cause });
  }
}

/** The cluster is in a state in which the command would do harm; the message says what to do first. */
export class RefusedError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'REFUSED', cause });
  }
}
