// What client-side apply sends for custom resources: they have no merge keys, so lists are replaced.

import type { JsonObject } from '../json/json-object.ts';
import { isJsonObject, setOwn } from '../json/json-object.ts';
import { applyMergePatch, createMergePatch } from './merge-patch.ts';

/** The three states that a three-way patch is made from. */
export interface ThreeWayInput {
  /** What was applied last time; undefined when nothing is known. */
  readonly original: unknown;
  /** What is wanted now. */
  readonly modified: unknown;
  /** What the server has. */
  readonly current: unknown;
}

/**
 * The merge patch that brings `current` to `modified`: it adds and changes what differs from
 * `current`, and removes only what `original` had and `modified` has not. What others added stays.
 * The two parts never contradict: a key that one of them sets, `modified` has; one that is removed, it has not.
 */
export function createThreeWayMergePatch(input: ThreeWayInput): JsonObject {
  const { original = {}, modified = {}, current = {} } = input;
  const changes = onlyChanges(createMergePatch(current, modified));
  const deletions = onlyDeletions(createMergePatch(original, modified));
  return applyMergePatch(deletions, changes);
}

function onlyChanges(patch: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    if (!isJsonObject(value) || Object.keys(value).length === 0) {
      setOwn(kept, key, value);
      continue;
    }
    const inner = onlyChanges(value);
    if (Object.keys(inner).length > 0) setOwn(kept, key, inner);
  }
  return kept;
}

function onlyDeletions(patch: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) setOwn(kept, key, null);
    if (!isJsonObject(value)) continue;
    const inner = onlyDeletions(value);
    if (Object.keys(inner).length > 0) setOwn(kept, key, inner);
  }
  return kept;
}
