import { deepEqual } from '../deep-equal.ts';
import type { JsonObject } from '../json-object.ts';
import type { JsonValue } from '../object.ts';
import type { Schema, SchemaSource } from '../schema.ts';

/**
 * What an object of a built-in kind has before anything is set. Servers hold built-in kinds in structs,
 * and some of a struct's fields are always there: nested structs (their schema's default is `{}`),
 * scalars whose default is zero, and, as null, lists and pointers that are required. Whoever creates an
 * object does not own those by merely leaving them as they are.
 */
export function emptyObject(schema: Schema, source: SchemaSource): JsonObject {
  const object: JsonObject = {};
  const { properties = {}, required = [] } = resolve(schema, source);
  for (const [name, property] of Object.entries(properties)) {
    const value = emptyField(property, required.includes(name), source);
    if (value !== undefined) object[name] = value;
  }
  return object;
}

function emptyField(property: Schema, required: boolean, source: SchemaSource): JsonValue | undefined {
  const fallback = property.default;
  if (deepEqual(fallback, {})) return emptyObject(property, source);
  if (fallback === '' || fallback === 0 || fallback === false) return fallback;
  return required && fallback === undefined ? null : undefined;
}

function resolve(schema: Schema, source: SchemaSource): Schema {
  const name = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
  const definition = name === undefined ? undefined : source.definition(name);
  return definition === undefined ? schema : resolve(definition, source);
}
