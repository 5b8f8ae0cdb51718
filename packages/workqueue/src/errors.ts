import { describe, WindlassError } from '@windlass/base';

/** `done` was called with an item that nobody holds: it did not come from this queue, or it is done already. */
export class NotProcessingError extends WindlassError {
  constructor(key: unknown) {
    super(
      `done was called for key ${describe(key)} by one who does not hold it; call done once for each item got`,
      {
        code: 'NOT_PROCESSING',
        kind: 'bug',
      },
    );
  }
}
