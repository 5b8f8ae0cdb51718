// Strategic merge patch: a merge patch that knows from the schema which lists merge by which key, and
// that has directives for what a merge patch cannot say. Built-in kinds have it, custom resources do not.

import type { JsonObject } from '../json/json-object.ts';
import { isJsonObject } from '../json/json-object.ts';
import type { Schema, SchemaSource } from '../schema/schema.ts';
import type { ThreeWayInput } from './merge-patch-three-way.ts';
import { patchesConflict } from './strategic-merge/conflicts.ts';
import { diffObjects } from './strategic-merge/diff-object.ts';
import { PatchConflictError, StrategicMergeError } from './strategic-merge/errors.ts';
import { mergeObjects } from './strategic-merge/merge-object.ts';
import { PatchSchema } from './strategic-merge/patch-schema.ts';

export {
  PatchConflictError,
  StrategicMergeError,
  type StrategicMergeFailure,
} from './strategic-merge/errors.ts';

/** Where a strategic merge patch learns how lists are merged. */
export interface StrategicMergeOptions {
  /** The kind's schema, with `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`. */
  readonly schema: Schema;
  /** Where the schema's references are looked up. */
  readonly source: SchemaSource;
}

/** As `StrategicMergeOptions`, for a three-way patch. */
export interface ThreeWayOptions extends StrategicMergeOptions {
  /**
   * Whether the patch may undo what others changed. When false, that is a PatchConflictError.
   * @default true
   */
  readonly overwrite?: boolean;
}

/**
 * `original` with `patch` merged into it. Neither is changed; what the patch does not touch is shared
 * with the original. Throws StrategicMergeError with the API server's message.
 *
 * Nulls in elements that the patch adds to a list are left as they are: what decodes the result drops
 * them.
 */
export function applyStrategicMergePatch<T>(original: T, patch: unknown, options: StrategicMergeOptions): T {
  const schema = new PatchSchema(options.schema, options.source);
  // Whether it is still of the original's kind is for those to check who decode it.
  return mergeObjects(asObject(original), asObject(patch), schema, true) as T;
}

/** The patch that turns `original` into `modified`; empty when they are equal. */
export function createStrategicMergePatch(
  original: unknown,
  modified: unknown,
  options: StrategicMergeOptions,
): JsonObject {
  const schema = new PatchSchema(options.schema, options.source);
  return diffObjects(asObject(original), asObject(modified), schema);
}

/**
 * What client-side apply sends: the patch that brings `current` to `modified`, and removes only what
 * `original` had and `modified` has not.
 */
export function createThreeWayStrategicMergePatch(
  input: ThreeWayInput,
  options: ThreeWayOptions,
): JsonObject {
  const schema = new PatchSchema(options.schema, options.source);
  const original = asObject(input.original ?? {});
  const modified = asObject(input.modified);
  const current = asObject(input.current ?? {});
  const changes = diffObjects(current, modified, schema, { ignoreDeletions: true });
  const deletions = diffObjects(original, modified, schema, { ignoreChanges: true });
  const patch = mergeObjects(deletions, changes, schema, false);
  if (!(options.overwrite ?? true)) {
    const theirs = diffObjects(original, current, schema, { setElementOrder: false });
    if (patchesConflict(patch, theirs, schema)) throw new PatchConflictError(patch, theirs);
  }
  return patch;
}

function asObject(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new StrategicMergeError('malformed', 'invalid JSON document');
  return value;
}
