import { deepEqual } from '../../json/deep-equal.ts';
import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject, ownValue, setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { isEmptyObject } from '../types/to-field-set.ts';
import { deduceKind, mainKind, type Type } from '../types/type.ts';
import { mergeAssociative } from './merge-list.ts';

/**
 * `live` with everything that `applied` says. Nothing is removed. Both must be valid. What does not
 * change is `live`'s own, so that a comparison with it skips that.
 */
export function merge(live: JsonValue | undefined, applied: JsonValue, type: Type): JsonValue {
  if (live === undefined || live === applied) return applied;
  const kind = deduceKind(type, applied) ?? mainKind(type);
  if (kind === 'map' && type.map !== undefined && type.map.relationship !== 'atomic') {
    const merged = mergeMaps(live, applied, type);
    if (merged !== undefined) return merged;
  } else if (kind === 'list' && type.list !== undefined && type.list.relationship !== 'atomic') {
    const from = Array.isArray(live) ? live : [];
    const to = Array.isArray(applied) ? applied : [];
    if (from.length > 0 || to.length > 0) return mergeAssociative(from, to, type.list, merge);
  }
  return deepEqual(live, applied) ? live : applied;
}

/** Undefined when neither has anything in it: then the applied value counts as a whole. */
function mergeMaps(live: JsonValue, applied: JsonValue, { map }: Type): JsonValue | undefined {
  const from = isJsonObject(live) && !isEmptyObject(live) ? live : undefined;
  const to = isJsonObject(applied) && !isEmptyObject(applied) ? applied : undefined;
  if (from === undefined) return to;
  if (to === undefined) return from;
  let merged: JsonObject | undefined;
  for (const key of Object.keys(to)) {
    const value = to[key];
    const childType = map?.field(key)?.type ?? map?.values;
    if (value === undefined || childType === undefined) continue;
    const before = ownValue(from, key);
    const after = merge(before, value, childType);
    if (after === before) continue;
    merged ??= { ...from };
    setOwn(merged, key, after);
  }
  return merged ?? from;
}
