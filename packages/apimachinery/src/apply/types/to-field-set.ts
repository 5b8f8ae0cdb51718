import { isJsonObject } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { FieldSetBuilder } from '../fields/field-set-builder.ts';
import { fieldElement, type PathElement } from '../fields/path-element.ts';
import { listElement } from './list-element.ts';
import { kindOf, type ListType, type MapType, type Type } from './type.ts';

/**
 * What a manager owns that applies this value: every leaf, every element of a list, and every key of a
 * map; of a struct's fields only those that hold a leaf, null or nothing. The value must be valid.
 */
export function toFieldSet(value: JsonValue, type: Type): FieldSet {
  const builder = new FieldSetBuilder();
  visit(value, type, [], builder);
  return builder.build();
}

function visit(value: JsonValue, type: Type, path: PathElement[], out: FieldSetBuilder): void {
  const kind = kindOf(type, value);
  if (kind === 'scalar') out.insert(path);
  else if (kind === 'map' && type.map !== undefined) {
    if (type.map.relationship === 'atomic') out.insert(path);
    else if (isJsonObject(value)) visitMap(value, type.map, path, out);
  } else if (type.list !== undefined) {
    if (type.list.relationship === 'atomic') out.insert(path);
    else if (Array.isArray(value)) visitList(value, type.list, path, out);
  }
}

function visitMap(
  value: { [key: string]: JsonValue },
  type: MapType,
  path: PathElement[],
  out: FieldSetBuilder,
): void {
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    const field = type.field(key);
    const childType = field?.type ?? type.values;
    path.push(field?.element ?? fieldElement(key));
    if (field === undefined || child === null || isEmptyObject(child)) out.insert(path);
    if (childType !== undefined) visit(child, childType, path, out);
    path.pop();
  }
}

export function isEmptyObject(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  for (const key of Object.keys(value)) if (value[key] !== undefined) return false;
  return true;
}

/** Elements that occur more than once are owned together, and nothing below them is. */
function visitList(
  value: readonly JsonValue[],
  type: ListType,
  path: PathElement[],
  out: FieldSetBuilder,
): void {
  const elements = value.map((item) => listElement(type, item));
  const repeated = repetitions(elements);
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index] ?? '';
    path.push(element);
    out.insert(path);
    if (!repeated.has(element)) visit(value[index] ?? null, type.items, path, out);
    path.pop();
  }
}

const NONE: ReadonlySet<PathElement> = new Set();

function repetitions(elements: readonly PathElement[]): ReadonlySet<PathElement> {
  if (new Set(elements).size === elements.length) return NONE;
  const seen = new Set<PathElement>();
  const repeated = new Set<PathElement>();
  for (const element of elements) (seen.has(element) ? repeated : seen).add(element);
  return repeated;
}
