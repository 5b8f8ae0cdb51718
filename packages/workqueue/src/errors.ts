import { describe, WindlassError } from '@windlass/base';

/** `done` was called for a key that no worker holds: it was never got, or it is done already. */
export class NotProcessingError extends WindlassError {
  constructor(key: unknown) {
    super(`done was called for key ${describe(key)}, which no worker holds; call done once for each get`, {
      code: 'NOT_PROCESSING',
      kind: 'bug',
    });
  }
}
