import {
  type FieldError,
  FieldPath,
  fieldNotSupported,
  fieldRequired,
  type Schema,
  type SchemaSource,
} from '@windlass/apimachinery';
import { isRecord } from '@windlass/base';
import type { Stored } from '../../resource/strategy.ts';

/** Written by the verbs and by controllers, and checked there. */
const NOT_CHECKED = new Set(['metadata', 'status', 'apiVersion', 'kind']);
/** Schemas require some texts only because they are always written; these may be empty. */
const MAY_BE_EMPTY = new Set([
  'value',
  'serviceName',
  'message',
  'reason',
  'apiVersion',
  'resourceVersion',
  'uid',
]);

/** What a kind's schema says by itself: which texts must be there, and which values a field may have. */
export function validateBySchema(object: Stored, schema: Schema, source: SchemaSource): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, below] of Object.entries(resolve(schema, source).properties ?? {})) {
    if (NOT_CHECKED.has(name) || object[name] === undefined) continue;
    walk(object[name], below, source, FieldPath.of(name), errors);
  }
  return errors;
}

function walk(
  value: unknown,
  given: Schema,
  source: SchemaSource,
  path: FieldPath,
  errors: FieldError[],
): void {
  const schema = resolve(given, source);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined)
      value.forEach((item, index) => walk(item, items, source, path.index(index), errors));
    return;
  }
  if (isRecord(value)) {
    walkObject(value, schema, source, path, errors);
    return;
  }
  // An empty text is one that was not given.
  if (schema.enum !== undefined && typeof value === 'string' && value !== '' && !schema.enum.includes(value))
    errors.push(fieldNotSupported(path, value, schema.enum.map(String)));
}

function walkObject(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
  source: SchemaSource,
  path: FieldPath,
  errors: FieldError[],
): void {
  const { properties = {}, additionalProperties, required = [] } = schema;
  for (const name of required) {
    const below = properties[name];
    const isText =
      below !== undefined && resolve(below, source).type === 'string' && below.format === undefined;
    if (isText && !MAY_BE_EMPTY.has(name) && (value[name] === undefined || value[name] === ''))
      errors.push(fieldRequired(path.child(name)));
  }
  for (const [name, field] of Object.entries(value)) {
    if (name === 'metadata') continue;
    const known = properties[name];
    if (known !== undefined) walk(field, known, source, path.child(name), errors);
    else if (typeof additionalProperties === 'object')
      walk(field, additionalProperties, source, path.key(name), errors);
  }
}

/** References, and `allOf` around one, stand for what they name. */
function resolve(schema: Schema, source: SchemaSource): Schema {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  return (reference === undefined ? undefined : source.definition(reference)) ?? schema;
}
