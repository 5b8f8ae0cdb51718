import { failureStatus, newBadRequest, newRequestEntityTooLarge } from '../status/status-constructors.ts';
import { StatusError } from '../status/status-error.ts';
import { JsonPatchError } from './json-patch-errors.ts';
import { MergePatchError } from './merge-patch.ts';
import { StrategicMergeError } from './strategic-merge/errors.ts';

/**
 * What an API server answers when a patch cannot be applied. For any other error, undefined. Why a patch
 * does not fit, servers keep to themselves; the error that is the answer's cause says it.
 */
export function patchStatusError(error: unknown): StatusError | undefined {
  if (error instanceof MergePatchError) return newBadRequest(error.message);
  if (error instanceof JsonPatchError) {
    if (error.failure === 'malformed') return newBadRequest(error.message);
    if (error.failure === 'too-many-operations') return newRequestEntityTooLarge(error.message);
    return unprocessable(error);
  }
  if (!(error instanceof StrategicMergeError)) return undefined;
  if (error.failure === 'malformed') return newBadRequest(error.message);
  if (error.failure === 'unprocessable') return unprocessable(error);
  return new StatusError(failureStatus(500, '', error.message), error);
}

function unprocessable(error: Error): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError(failureStatus(422, 'Invalid', message, {}), error);
}
