import { deepCopy, type Schema } from '@windlass/apimachinery';
import { fieldSchema, isJsonObject, mapValueSchema, propertyOf } from './children.ts';

/**
 * The value with its schema's defaults filled in: where a field is absent, or null although it may not
 * be. What needs none is shared with the value given, and the value itself is returned when nothing does,
 * so that an object that is complete already costs one walk and no memory.
 */
export function withDefaults<T>(value: T, schema: Schema): T;
export function withDefaults(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return withItemDefaults(value, schema.items);
  return isJsonObject(value) ? withFieldDefaults(value, schema) : value;
}

function withFieldDefaults(object: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  let result = object;
  const set = (name: string, value: unknown): void => {
    if (result === object) result = { ...object };
    // A plain assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(result, name, { value, enumerable: true });
    else result[name] = value;
  };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || property.default === null) continue;
    const present = Object.hasOwn(object, name) ? object[name] : undefined;
    if (present === undefined || (present === null && property.nullable !== true))
      set(name, deepCopy(property.default));
  }
  for (const [name, value] of Object.entries(result)) {
    const child = fieldSchema(schema, name);
    if (child === undefined) continue;
    const isMapValue = propertyOf(schema, name) === undefined;
    const filled = withDefaults(isMapValue ? withoutNull(value, mapValueSchema(schema)) : value, child);
    if (filled !== value) set(name, filled);
  }
  return result;
}

function withItemDefaults(items: unknown[], schema: Schema | undefined): unknown[] {
  if (schema === undefined) return items;
  let result = items;
  for (const [index, item] of items.entries()) {
    const filled = withDefaults(withoutNull(item, schema), schema);
    if (filled === item) continue;
    if (result === items) result = [...items];
    result[index] = filled;
  }
  return result;
}

function withoutNull(value: unknown, schema: Schema | undefined): unknown {
  const isMissing = value === null && schema?.nullable !== true;
  return isMissing && schema?.default !== undefined ? deepCopy(schema.default) : value;
}

/** Whether there is anything to fill in at all. */
export function hasDefaults(schema: Schema): boolean {
  if (schema.default !== undefined) return true;
  if (schema.items !== undefined && hasDefaults(schema.items)) return true;
  const values = mapValueSchema(schema);
  if (values !== undefined && hasDefaults(values)) return true;
  return Object.values(schema.properties ?? {}).some(hasDefaults);
}

/**
 * Takes out the nulls of fields that may not be null and have no default: clients write them where they
 * mean that there is nothing. Changes the value.
 */
export function pruneNulls(value: unknown, schema: Schema | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) pruneNulls(item, schema?.items);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const at = schema === undefined ? undefined : fieldSchema(schema, name);
    const isUnwanted =
      child === null &&
      at !== undefined &&
      at.nullable !== true &&
      (at.default === undefined || at.default === null);
    if (isUnwanted) delete value[name];
    else pruneNulls(child, at);
  }
}
