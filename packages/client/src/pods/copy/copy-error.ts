import { WindlassError } from '@windlass/base';

/** Why files could not be copied. */
export type CopyErrorCode =
  /** The container has no program `tar`. */
  | 'TAR_MISSING'
  /** The program `tar` failed: no such file, no room, read-only. */
  | 'COPY_FAILED'
  /** The container sent an archive that would write where it may not, or none at all. */
  | 'COPY_REFUSED';

/** A copy into or out of a container did not work. */
export class CopyError extends WindlassError {
  declare readonly code: CopyErrorCode;

  constructor(message: string, options: { code: CopyErrorCode; cause?: unknown }) {
    super(message, options);
  }
}
