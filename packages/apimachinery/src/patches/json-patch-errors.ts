import { WindlassError } from '@windlass/base';

/**
 * Why a JSON patch was refused, as an API server tells it apart: `malformed` is no JSON patch (400),
 * `too-many-operations` is a patch that is too long (413), the others are operations that do not fit
 * the document (422).
 */
export type JsonPatchFailure =
  | 'malformed'
  | 'too-many-operations'
  | 'unknown-operation'
  | 'missing-path'
  | 'invalid-index'
  | 'invalid-value'
  | 'test-failed'
  | 'copy-limit'
  | 'move-limit'
  | 'too-deep';

/** Thrown when a JSON patch is refused: which operation, and why. */
export class JsonPatchError extends WindlassError {
  readonly failure: JsonPatchFailure;
  /** Position of the operation in the patch; undefined when the patch as a whole is refused. */
  readonly operation: number | undefined;

  constructor(failure: JsonPatchFailure, message: string, operation?: number) {
    super(operation === undefined ? message : `operation ${operation} of the JSON patch: ${message}`, {
      code: `JSON_PATCH_${failure.replaceAll('-', '_').toUpperCase()}`,
    });
    this.failure = failure;
    this.operation = operation;
  }
}
