import { deepEqual } from '../../json/deep-equal.ts';
import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject, ownValue } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { PATCH, RETAIN_KEYS } from './directives.ts';
import { asObjects, elementKind, identityOf } from './elements.ts';
import type { PatchField, PatchSchema } from './patch-schema.ts';

/** Whether two patches set the same thing to different values. Merging lists of scalars never do. */
export function patchesConflict(left: JsonObject, right: JsonObject, schema: PatchSchema): boolean {
  const directive = ownValue(left, PATCH);
  if (directive !== ownValue(right, PATCH)) return true;
  return Object.keys(left).some((key) => {
    if (key === PATCH || key === RETAIN_KEYS) return false;
    const mine = left[key];
    const theirs = ownValue(right, key);
    return mine !== undefined && theirs !== undefined && fieldsConflict(mine, theirs, key, schema);
  });
}

function fieldsConflict(left: JsonValue, right: JsonValue, key: string, schema: PatchSchema): boolean {
  if (key.startsWith('$')) return !deepEqual(left, right);
  if (isJsonObject(left)) {
    if (!isJsonObject(right)) return true;
    const field = schema.object(key);
    if (ownValue(left, PATCH) !== ownValue(right, PATCH)) return true;
    return field.strategy !== 'replace' && patchesConflict(left, right, field.schema);
  }
  if (Array.isArray(left)) return !Array.isArray(right) || listsConflict(left, right, schema.list(key));
  return !deepEqual(left, right);
}

function listsConflict(left: JsonValue[], right: JsonValue[], field: PatchField): boolean {
  const { strategy, mergeKey, schema } = field;
  if (strategy !== 'merge') return !deepEqual(left, right);
  if (elementKind(left, right) === 'scalar') return false;
  const theirs = new Map(asObjects(right).map((element) => [identityOf(element, mergeKey), element]));
  return asObjects(left).some((element) => {
    const other = theirs.get(identityOf(element, mergeKey));
    return other !== undefined && patchesConflict(element, other, schema);
  });
}
