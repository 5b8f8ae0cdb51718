import { WindlassError } from '@windlass/base';
import { goType, goValue } from '../../json/go-format.ts';
import type { JsonObject } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';

/**
 * How an API server answers: `malformed` with 400, `unprocessable` with 422, `failed` with 500, because
 * it does not foresee those.
 */
export type StrategicMergeFailure = 'malformed' | 'unprocessable' | 'failed';

/** A strategic merge patch that cannot be read, applied or made. The message is the API server's. */
export class StrategicMergeError extends WindlassError {
  readonly failure: StrategicMergeFailure;

  constructor(failure: StrategicMergeFailure, message: string) {
    super(message, { code: `STRATEGIC_MERGE_${failure.toUpperCase()}` });
    this.failure = failure;
  }
}

/** What is to be patched changed meanwhile in another way than the patch wants. */
export class PatchConflictError extends WindlassError {
  readonly patch: JsonObject;
  readonly changes: JsonObject;

  constructor(patch: JsonObject, changes: JsonObject) {
    super(
      `patch:\n${JSON.stringify(patch)}\nconflicts with changes made from original to current:\n${JSON.stringify(changes)}\n`,
      { code: 'PATCH_CONFLICT' },
    );
    this.patch = patch;
    this.changes = changes;
  }
}

export function badPrimitiveList(): StrategicMergeError {
  return new StrategicMergeError('malformed', 'invalid patch format of primitive list');
}

export function badRetainKeys(): StrategicMergeError {
  return new StrategicMergeError('malformed', 'invalid patch format of retainKeys');
}

export function badSetElementOrder(): StrategicMergeError {
  return new StrategicMergeError('malformed', 'invalid patch format of setElementOrder list');
}

export function listOfLists(): StrategicMergeError {
  return new StrategicMergeError('unprocessable', 'lists of lists are not supported');
}

export function noMergeKey(item: JsonObject, key: string): StrategicMergeError {
  return failed(`map: ${goValue(item)} does not contain declared merge key: ${key}`);
}

export function badType(expected: 'map' | 'list', actual: JsonValue | undefined): StrategicMergeError {
  return failed(`expected a ${goType(expected === 'map' ? {} : [])}, but received a ${goType(actual)}`);
}

export function unknownDirective(directive: JsonValue, item: JsonObject): StrategicMergeError {
  // Go's %s complains about what is no string.
  const text = typeof directive === 'string' ? directive : `%!s(${goType(directive)}=${goValue(directive)})`;
  return failed(`unknown patch type: ${text} in map: ${goValue(item)}`);
}

export function failed(message: string): StrategicMergeError {
  return new StrategicMergeError('failed', message);
}
