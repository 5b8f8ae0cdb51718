import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject, setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { FieldSet, type FieldSetEntry } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { listElement } from '../types/list-element.ts';
import { isEmptyObject } from '../types/to-field-set.ts';
import { kindOf, type ListType, type MapType, type Type } from '../types/type.ts';

/** The part of the value that the members of `fields` name; null when there is none. */
export function extractFields(value: JsonValue, fields: FieldSet, type: Type): JsonValue {
  const kind = kindOf(type, value);
  if (kind === 'map' && type.map !== undefined) return extractFromMap(value, fields, type.map);
  if (kind === 'list' && type.list !== undefined) return extractFromList(value, fields, type.list);
  return value;
}

/** What is atomic comes as a whole. */
function extractFromMap(value: JsonValue, fields: FieldSet, type: MapType): JsonValue {
  if (!isJsonObject(value)) return null;
  if (isEmptyObject(value) || type.relationship === 'atomic') return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    const field = type.field(key);
    const childType = field?.type ?? type.values;
    const entry = fields.entry(field?.element ?? fieldElement(key));
    if (child === undefined || childType === undefined || entry === undefined) continue;
    setOwn(result, key, extractChild(child, entry, childType));
  }
  return isEmptyObject(result) ? null : result;
}

/** Whoever owns an object but nothing that is in it, has an empty one. */
function extractChild(child: JsonValue, entry: FieldSetEntry, type: Type): JsonValue {
  const part = extractFields(child, entry.children ?? FieldSet.EMPTY, type);
  if (part !== null || !entry.member || child === null) return part;
  return Array.isArray(child) ? [] : {};
}

function extractFromList(value: JsonValue, fields: FieldSet, type: ListType): JsonValue {
  if (!Array.isArray(value)) return null;
  if (value.length === 0 || type.relationship === 'atomic') return value;
  const result: JsonValue[] = [];
  for (const item of value) {
    const entry = fields.entry(listElement(type, item));
    if (entry === undefined) continue;
    result.push(entry.children === undefined ? item : extractFields(item, entry.children, type.items));
  }
  return result.length === 0 ? null : result;
}
