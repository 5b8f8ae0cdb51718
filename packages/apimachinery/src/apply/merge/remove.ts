import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject, setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { listElement } from '../types/list-element.ts';
import { isEmptyObject } from '../types/to-field-set.ts';
import { kindOf, type ListType, type MapType, type Type } from '../types/type.ts';

/**
 * The value without the members of `fields`. A part of which only some is removed stays, even when that
 * leaves it null; the value itself is answered when nothing is removed.
 */
export function removeFields(value: JsonValue, fields: FieldSet, type: Type): JsonValue {
  if (fields.isEmpty) return value;
  const kind = kindOf(type, value);
  if (kind === 'map' && type.map !== undefined) return removeFromMap(value, fields, type.map);
  if (kind === 'list' && type.list !== undefined) return removeFromList(value, fields, type.list);
  return value;
}

/** What is atomic has one owner, so a part of it cannot be removed from it. */
function removeFromMap(value: JsonValue, fields: FieldSet, type: MapType): JsonValue {
  if (!isJsonObject(value) || isEmptyObject(value) || type.relationship === 'atomic') return null;
  const result: JsonObject = {};
  let same = true;
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    const field = type.field(key);
    const element = field?.element ?? fieldElement(key);
    const entry = fields.entry(element);
    const childType = field?.type ?? type.values;
    if (entry?.member === true) same = false;
    else if (entry?.children === undefined || childType === undefined) setOwn(result, key, child);
    else {
      const left = removeFields(child, entry.children, childType);
      if (left !== child) same = false;
      setOwn(result, key, left);
    }
  }
  if (same) return value;
  return isEmptyObject(result) ? null : result;
}

function removeFromList(value: JsonValue, fields: FieldSet, type: ListType): JsonValue {
  if (!Array.isArray(value) || value.length === 0 || type.relationship === 'atomic') return null;
  const result: JsonValue[] = [];
  let same = true;
  for (const item of value) {
    const entry = fields.entry(listElement(type, item));
    if (entry?.member === true) {
      same = false;
      continue;
    }
    const left = entry?.children === undefined ? item : removeFields(item, entry.children, type.items);
    if (left !== item) same = false;
    result.push(left);
  }
  if (same) return value;
  return result.length === 0 ? null : result;
}
