import type { FieldError, Schema } from '@windlass/apimachinery';
import { canonicalJson } from './canonical.ts';
import { isJsonObject, mapValueSchema, propertyOf } from './children.ts';

/** Items that are there twice in lists that are sets, or maps by keys. */
export function validateListTypes(value: unknown, schema: Schema): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, '', errors);
  return errors;
}

function visit(value: unknown, schema: Schema, path: string, errors: FieldError[]): void {
  if (Array.isArray(value)) {
    if (schema['x-kubernetes-list-type'] === 'set') checkSet(value, path, errors);
    else if (schema['x-kubernetes-list-type'] === 'map') checkMap(value, schema, path, errors);
    if (schema.items === undefined) return;
    for (const [index, item] of value.entries()) visit(item, schema.items, `${path}[${index}]`, errors);
    return;
  }
  if (!isJsonObject(value)) return;
  const values = mapValueSchema(schema);
  for (const [name, child] of Object.entries(value)) {
    const property = propertyOf(schema, name);
    if (property !== undefined) visit(child, property, path === '' ? name : `${path}.${name}`, errors);
    else if (values !== undefined) visit(child, values, `${path}[${name}]`, errors);
  }
}

function checkSet(items: readonly unknown[], path: string, errors: FieldError[]): void {
  for (const index of repeated(items)) errors.push(duplicate(`${path}[${index}]`, items[index]));
}

function checkMap(
  items: readonly unknown[],
  { 'x-kubernetes-list-map-keys': names = [] }: Schema,
  path: string,
  errors: FieldError[],
): void {
  const stranger = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    errors.push({
      type: 'FieldValueInvalid',
      field: `${path}[${stranger}]`,
      badValue: items[stranger],
      detail: 'must be an object for an array of list-type map',
    });
    return;
  }
  const keys = items.map((item) =>
    Object.fromEntries(
      names.filter((name) => isJsonObject(item) && name in item).map((name) => [name, valueOf(item, name)]),
    ),
  );
  for (const index of repeated(keys)) errors.push(duplicate(`${path}[${index}]`, keys[index]));
}

function valueOf(item: unknown, name: string): unknown {
  return isJsonObject(item) ? item[name] : undefined;
}

/** Where each value that is there several times stands for the second time. */
function repeated(values: readonly unknown[]): number[] {
  if (values.length < 2) return [];
  const seen = new Map<string, number>();
  const indices: number[] = [];
  for (const [index, value] of values.entries()) {
    const key = canonicalJson(value);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    if (times === 2) indices.push(index);
  }
  return indices;
}

function duplicate(field: string, badValue: unknown): FieldError {
  return { type: 'FieldValueDuplicate', field, badValue, detail: '' };
}
