import type { Schema } from '@windlass/apimachinery';
import { isJsonObject, META_FIELDS, mapValueSchema, propertyOf } from './children.ts';

/**
 * Takes out of a custom resource every field that its schema does not name, and answers their paths,
 * sorted. Changes the object.
 */
export function pruneUnknownFields(object: unknown, schema: Schema): string[] {
  const unknown: string[] = [];
  prune(object, { ...schema, 'x-kubernetes-embedded-resource': true }, '', unknown);
  return unknown.toSorted();
}

/** As `pruneUnknownFields`, for a value that is a part of an object. */
export function pruneUnknownParts(value: unknown, schema: Schema): string[] {
  const unknown: string[] = [];
  prune(value, schema, '', unknown);
  return unknown.toSorted();
}

function prune(value: unknown, schema: Schema | undefined, path: string, unknown: string[]): void {
  if (schema?.['x-kubernetes-preserve-unknown-fields'] === true) {
    pruneNamed(value, schema, path, unknown);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) prune(item, schema?.items, `${path}[${index}]`, unknown);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const at = join(path, name);
    if (schema?.['x-kubernetes-embedded-resource'] === true && META_FIELDS.has(name)) continue;
    const property = schema === undefined ? undefined : propertyOf(schema, name);
    if (property !== undefined) prune(child, property, at, unknown);
    else if (schema?.additionalProperties !== undefined) {
      // Without a schema of their own, the values of a map may be scalars, but have no fields.
      prune(child, mapValueSchema(schema), at, unknown);
    } else {
      if (!META_FIELDS.has(name) || path !== '') unknown.push(at);
      delete value[name];
    }
  }
}

/** Where unknown fields are kept, what is named below is still pruned by its own schema. */
function pruneNamed(value: unknown, schema: Schema, path: string, unknown: string[]): void {
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    for (const [index, item] of value.entries()) pruneNamed(item, schema.items, `${path}[${index}]`, unknown);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, child] of Object.entries(value)) {
    if (schema['x-kubernetes-embedded-resource'] === true && META_FIELDS.has(name)) continue;
    const property = propertyOf(schema, name);
    if (property !== undefined) prune(child, property, join(path, name), unknown);
    else if (typeof schema.additionalProperties === 'object')
      prune(child, schema.additionalProperties, join(path, name), unknown);
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
