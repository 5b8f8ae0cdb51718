import { deepEqual, type JsonValue } from '@windlass/apimachinery';
import type { JSONSchemaProps } from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDeclarationError } from '../errors.ts';

/** What an API server would refuse much later, with less said about where. */
export function checkSchema(schema: JSONSchemaProps, path: string): void {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  for (const [name, property] of Object.entries(properties)) {
    const at = `${path}.${name}`;
    if (property.default !== undefined && required.includes(name))
      throw new InvalidDeclarationError(`${at} has a default, so it must be optional`);
    if (property.default !== undefined) checkDefault(property, property.default, at);
    checkSchema(property, at);
  }
  if (items !== undefined && !Array.isArray(items)) {
    checkMapKeys(schema, items, path);
    checkSchema(items, `${path}[]`);
  }
  if (typeof additionalProperties === 'object') checkSchema(additionalProperties, `${path}.*`);
  checkBounds(schema, path);
}

function checkMapKeys(schema: JSONSchemaProps, items: JSONSchemaProps, path: string): void {
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const hasDefault = items.properties?.[key]?.default !== undefined;
    if (items.required?.includes(key) !== true && !hasDefault)
      throw new InvalidDeclarationError(`${path} is told apart by ${key}, which its items must always have`);
  }
}

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

function checkBounds(schema: JSONSchemaProps, path: string): void {
  for (const [low, high] of BOUNDS) {
    const from = schema[low];
    const to = schema[high];
    if (from !== undefined && to !== undefined && from > to)
      throw new InvalidDeclarationError(`${path} has ${low} ${from} above ${high} ${to}: nothing fits`);
  }
}

function checkDefault(schema: JSONSchemaProps, value: JsonValue, path: string): void {
  const { enum: values, minimum, maximum } = schema;
  const isKnown = values === undefined || values.some((known) => deepEqual(known, value));
  const isWithin =
    typeof value !== 'number' ||
    (value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY));
  if (!isKnown || !isWithin)
    throw new InvalidDeclarationError(
      `${path} has the default ${JSON.stringify(value)}, which its own rules refuse`,
    );
}
