import { type DefinitionPlace, InvalidDefinitionError } from '../errors.ts';
import { isObject } from './json.ts';

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);
const MAX_DEPTH = 200;

/** Whether a schema has the shape that types are made of, at every depth. */
export function checkStructure(schema: unknown, place: DefinitionPlace, depth = 0): void {
  const { path = '' } = place;
  const fail = (key: string, problem: string): never => {
    throw new InvalidDefinitionError({ ...place, path: key === '' ? path : `${path}.${key}` }, problem);
  };
  const below = (child: unknown, key: string): void =>
    checkStructure(child, { ...place, path: `${path}${key}` }, depth + 1);
  if (!isObject(schema)) return fail('', `it must be a schema, but it is ${JSON.stringify(schema)}`);
  if (depth > MAX_DEPTH) fail('', `it is nested deeper than ${MAX_DEPTH} levels; no API server takes that`);
  const { type, properties, required, items, additionalProperties } = schema;
  if (schema['$ref'] !== undefined)
    fail('$ref', 'API servers take no references in a definition; write the schema itself here');
  if (type !== undefined && !TYPES.has(type))
    fail('type', `it is ${JSON.stringify(type)}; write one of ${[...TYPES].join(', ')}`);
  if (schema['enum'] !== undefined && !Array.isArray(schema['enum'])) fail('enum', 'it must be a list');
  if (required !== undefined && !Array.isArray(required))
    fail('required', 'it must be a list of the names of fields');
  if (properties !== undefined) {
    if (!isObject(properties)) return fail('properties', 'it must be an object with a schema for each field');
    for (const [name, property] of Object.entries(properties)) below(property, `.properties[${name}]`);
  }
  if (Array.isArray(items)) fail('items', 'it is a list of schemas; write one schema for all items');
  if (items !== undefined) below(items, '.items');
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean')
    below(additionalProperties, '.additionalProperties');
}
