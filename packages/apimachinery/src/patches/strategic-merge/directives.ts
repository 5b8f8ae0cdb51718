// The keys that are instructions instead of data.

import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject, ownValue, setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { badPrimitiveList, badSetElementOrder } from './errors.ts';

/** `$patch: replace` or `delete`, in an object or in an element of a list. */
export const PATCH = '$patch';
/** `$retainKeys: [a, b]` clears every other key. */
export const RETAIN_KEYS = '$retainKeys';
/** `$deleteFromPrimitiveList/finalizers: [x]`. */
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
/** `$setElementOrder/containers: [{name: a}, {name: b}]`. */
export const SET_ELEMENT_ORDER = '$setElementOrder';

/** Which list a parallel key speaks of: `$setElementOrder/containers` of `containers`. */
export function targetOf(key: string, prefix: typeof DELETE_FROM_LIST | typeof SET_ELEMENT_ORDER): string {
  const slash = key.indexOf('/');
  if (slash !== prefix.length) throw prefix === DELETE_FROM_LIST ? badPrimitiveList() : badSetElementOrder();
  return key.slice(slash + 1);
}

function isDirective(key: string): boolean {
  return (
    key === PATCH ||
    key === RETAIN_KEYS ||
    key.startsWith(`${DELETE_FROM_LIST}/`) ||
    key.startsWith(`${SET_ELEMENT_ORDER}/`)
  );
}

/**
 * The value without the directive keys at any depth. A server forgets them when it decodes the result
 * into a type that has no such field; here they would stay. The value itself when it has none.
 */
export function withoutDirectiveKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return mapIfChanged(value, withoutDirectiveKeys);
  if (!isJsonObject(value)) return value;
  let copy: JsonObject | undefined;
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    if (isDirective(key)) {
      copy ??= { ...value };
      delete copy[key];
      continue;
    }
    const cleaned = withoutDirectiveKeys(child);
    if (cleaned === child) continue;
    copy ??= { ...value };
    setOwn(copy, key, cleaned);
  }
  return copy ?? value;
}

function mapIfChanged(list: JsonValue[], change: (value: JsonValue) => JsonValue): JsonValue[] {
  const changed = list.map(change);
  return changed.every((value, index) => value === list[index]) ? list : changed;
}

/**
 * What is left of a value that meets nothing to merge with: an object with a `$patch` in it is an
 * instruction about something that does not exist, so it goes, at any depth. Undefined when that is all.
 */
export function withoutPatchedObjects(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value))
    return value.map(withoutPatchedObjects).filter((item): item is JsonValue => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (ownValue(value, PATCH) !== undefined) return undefined;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    const cleaned = child === undefined ? undefined : withoutPatchedObjects(child);
    if (cleaned !== undefined) setOwn(kept, key, cleaned);
  }
  return kept;
}

/** The value without the keys whose value is null, at any depth. Null elements of lists stay. */
export function withoutNullKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return mapIfChanged(value, withoutNullKeys);
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child !== undefined && child !== null) setOwn(kept, key, withoutNullKeys(child));
  }
  return kept;
}
