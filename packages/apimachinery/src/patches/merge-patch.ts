// JSON Merge Patch (RFC 7386) as Kubernetes' API server applies it. Beyond the RFC, a null inside an
// object inside an array is dropped too, unless the array replaces an object.

import { WindlassError } from '@windlass/base';
import { deepEqual } from '../json/deep-equal.ts';
import type { JsonObject } from '../json/json-object.ts';
import { asJsonValue, isJsonObject, ownValue, setOwn } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';

/** A merge patch, or a document to make one from, is not an object. API servers answer 400. */
export class MergePatchError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'MERGE_PATCH_MALFORMED' });
  }
}

/**
 * `document` with `patch` merged into it. Neither is changed; what the patch does not touch is shared
 * with the document, and the document itself is answered when nothing differs.
 */
export function applyMergePatch<T>(document: T, patch: unknown): T {
  if (!isJsonObject(patch)) throw new MergePatchError('a merge patch must be an object');
  // Whether it is still of the document's kind is for those to check who decode it.
  return mergeValue(asJsonValue(document), patch) as T;
}

function mergeValue(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(current)) return withoutNulls(patch);
  if (!isJsonObject(patch)) return patch;
  let merged: JsonObject | undefined;
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    const before = ownValue(current, key);
    if (value === null) {
      if (before === undefined) continue;
      merged ??= { ...current };
      delete merged[key];
      continue;
    }
    const after = mergeValue(before, value);
    if (before !== undefined && deepEqual(before, after)) continue;
    merged ??= { ...current };
    setOwn(merged, key, after);
  }
  return merged ?? current;
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child !== undefined && child !== null) setOwn(kept, key, withoutNulls(child));
  }
  return kept;
}

/**
 * The smallest merge patch that turns `original` into `modified`. It cannot express a null inside
 * `modified`; such a field is lost when the patch is applied.
 */
export function createMergePatch(original: unknown, modified: unknown): JsonObject {
  if (!isJsonObject(original)) throw new MergePatchError('the original of a merge patch must be an object');
  if (!isJsonObject(modified)) throw new MergePatchError('the modified of a merge patch must be an object');
  return diffObjects(original, modified);
}

function diffObjects(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(to)) {
    const after = to[key];
    if (after === undefined) continue;
    const before = ownValue(from, key);
    if (before === after) continue;
    if (isJsonObject(before) && isJsonObject(after)) {
      const inner = diffObjects(before, after);
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    } else if (!deepEqual(before, after)) setOwn(patch, key, after);
  }
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && ownValue(to, key) === undefined) setOwn(patch, key, null);
  }
  return patch;
}
