import type { Schema } from '@windlass/apimachinery';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that every object has, and that a schema of a custom resource need not name. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The schema of a property that is named; undefined when it is not, also for names such as `toString`. */
export function propertyOf(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of a field: of its property, or of any other. */
export function fieldSchema(schema: Schema, name: string): Schema | undefined {
  return propertyOf(schema, name) ?? mapValueSchema(schema);
}

/** The schema of the values of a map; undefined when the schema is not of a map. */
export function mapValueSchema({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
