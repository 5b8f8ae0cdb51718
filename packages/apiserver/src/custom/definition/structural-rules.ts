import {
  deepEqual,
  type FieldError,
  type FieldPath,
  fieldErrorMessage,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  type Schema,
} from '@windlass/apimachinery';
import { fieldOf } from '@windlass/base';
import { compileGoRegexp } from '../regexp/go-regexp.ts';
import { mapValueSchema } from '../schema/children.ts';

type Level = 'root' | 'item' | 'field';

const INT_OR_STRING: readonly Schema[] = [{ type: 'integer' }, { type: 'string' }];

const TYPE_MISSING: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * What keeps a schema from being structural: every place has one type, said outside of allOf, anyOf, oneOf
 * and not, which may only restrict further what is described there.
 */
export function validateStructural(schema: Schema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  invariants(schema, 'root', path, errors);
  complete(schema, schema, path, errors);
  // Sorted as one text, so that the same schema always gives the same message.
  return errors
    .map((error) => ({ error, text: fieldErrorMessage(error) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ error }) => error);
}

function invariants(schema: Schema, level: Level, path: FieldPath, errors: FieldError[]): void {
  const { type, items, properties = {}, additionalProperties } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === 'array' && items === undefined)
    errors.push(fieldRequired(path.child('items'), 'must be specified'));
  if (items !== undefined) invariants(items, 'item', path.child('items'), errors);
  for (const [name, property] of Object.entries(properties))
    invariants(property, 'field', path.child('properties').key(name), errors);
  if (additionalProperties !== undefined) {
    const at = path.child('additionalProperties');
    if (level === 'root') errors.push(fieldForbidden(at, 'must not be used at the root'));
    const values = mapValueSchema(schema);
    if (values !== undefined) invariants(values, 'field', at, errors);
    if (isEmbedded)
      errors.push(fieldForbidden(at, 'must not be used if x-kubernetes-embedded-resource is set'));
  }
  for (const [name, isSet] of [
    ['x-kubernetes-preserve-unknown-fields', preserves],
    ['x-kubernetes-embedded-resource', isEmbedded],
  ] as const) {
    if (isIntOrString && isSet)
      errors.push(
        fieldInvalid(path.child(name), true, 'must be false if x-kubernetes-int-or-string is true'),
      );
  }
  valueRules(schema, path, errors, isIntOrString);
  if (isEmbedded && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    const at = path.child('type');
    errors.push(type === undefined ? fieldRequired(at, text) : fieldInvalid(at, type, text));
  } else if (type === undefined && !isIntOrString && !preserves)
    errors.push(fieldRequired(path.child('type'), TYPE_MISSING[level]));
  if (level === 'root' && type !== undefined && type !== 'object')
    errors.push(fieldInvalid(path.child('type'), type, 'must be object at the root'));
  metadataRules(schema, level, path, errors);
  if (isEmbedded && !preserves && Object.keys(properties).length === 0) {
    const text =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(fieldRequired(path.child('properties'), text));
  }
}

/** What is above every kind is described already; a schema may only say more about the name. */
function metadataRules(
  { properties = {}, ...schema }: Schema,
  level: Level,
  path: FieldPath,
  errors: FieldError[],
): void {
  const isObject = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const at = (name: string): FieldPath => path.child('properties').key(name);
  if (isObject) {
    for (const name of ['kind', 'apiVersion']) {
      const type = properties[name]?.type;
      if (properties[name] !== undefined && type !== 'string')
        errors.push(fieldInvalid(at(name).child('type'), type ?? '', 'must be string'));
    }
    const { metadata } = properties;
    if (metadata !== undefined && metadata.type !== 'object')
      errors.push(fieldInvalid(at('metadata').child('type'), metadata.type ?? '', 'must be object'));
  }
  if (level !== 'root' || properties['metadata'] === undefined) return;
  const { type: _type, default: _default, properties: named = {}, ...others } = properties['metadata'];
  const isNameOnly = Object.keys(named).every((name) => name === 'name' || name === 'generateName');
  if (isNameOnly && Object.keys(others).filter((key) => key !== 'description').length === 0) return;
  const text =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  errors.push(fieldForbidden(at('metadata'), text));
}

/** `skip` says that the first anyOf, here or in the first allOf, may be that of an int-or-string. */
function valueRules(schema: Schema, path: FieldPath, errors: FieldError[], skip: boolean): void {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema;
  if (!(skip && deepEqual(anyOf, INT_OR_STRING))) {
    for (const [index, other] of anyOf.entries())
      nested(other, path.child('anyOf').index(index), errors, false);
  }
  for (const [index, other] of allOf.entries())
    nested(other, path.child('allOf').index(index), errors, skip && index === 0);
  for (const [index, other] of oneOf.entries())
    nested(other, path.child('oneOf').index(index), errors, false);
  if (not !== undefined) nested(not, path.child('not'), errors, false);
  if (pattern === undefined || pattern === '') return;
  try {
    compileGoRegexp(pattern);
  } catch (error) {
    const text = `must be a valid regular expression, but isn't: error parsing regexp: ${error instanceof Error ? error.message : ''}`;
    errors.push(fieldInvalid(path.child('pattern'), pattern, text));
  }
}

const FORBIDDEN: readonly (readonly [keyof Schema | 'title' | 'description', string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nested(schema: Schema, path: FieldPath, errors: FieldError[], skip: boolean): void {
  valueRules(schema, path, errors, skip);
  if (schema.items !== undefined) nested(schema.items, path.child('items'), errors, false);
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    nested(property, path.child('properties').key(name), errors, false);
  for (const [key, text] of FORBIDDEN) {
    const value = fieldOf(schema, key);
    if (value !== undefined && value !== false && value !== '')
      errors.push(fieldForbidden(path.child(key), text));
  }
  if (schema.properties?.['metadata'] !== undefined)
    errors.push(
      fieldForbidden(path.child('properties').key('metadata'), 'must not be specified in a nested context'),
    );
}

/** Whatever allOf, anyOf, oneOf and not speak of must be described outside of them as well. */
function complete(schema: Schema, described: Schema, path: FieldPath, errors: FieldError[]): void {
  for (const [key, list] of [
    ['allOf', schema.allOf],
    ['anyOf', schema.anyOf],
    ['oneOf', schema.oneOf],
  ] as const) {
    for (const [index, other] of (list ?? []).entries())
      skeleton(other, described, path.child(key).index(index), path, errors);
  }
  if (schema.not !== undefined) skeleton(schema.not, described, path.child('not'), path, errors);
  if (schema.items !== undefined) complete(schema.items, schema.items, path.child('items'), errors);
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    complete(property, property, path.child('properties').key(name), errors);
  const values = mapValueSchema(schema);
  if (values !== undefined) complete(values, values, path.child('additionalProperties'), errors);
}

function skeleton(
  schema: Schema,
  described: Schema | undefined,
  path: FieldPath,
  describedPath: FieldPath,
  errors: FieldError[],
): void {
  const { items, properties = {} } = schema;
  if (items !== undefined) {
    const at = describedPath.child('items');
    if (described?.items === undefined)
      errors.push(fieldRequired(at, `because it is defined in ${path.child('items').toString()}`));
    else skeleton(items, described.items, path.child('items'), at, errors);
  }
  for (const [name, property] of Object.entries(properties)) {
    const from = path.child('properties').key(name);
    const at = describedPath.child('properties').key(name);
    const counterpart = described?.properties?.[name];
    if (counterpart === undefined)
      errors.push(fieldRequired(at, `because it is defined in ${from.toString()}`));
    else skeleton(property, counterpart, from, at, errors);
  }
  for (const [key, list] of [
    ['allOf', schema.allOf],
    ['anyOf', schema.anyOf],
    ['oneOf', schema.oneOf],
  ] as const) {
    for (const [index, other] of (list ?? []).entries())
      skeleton(other, described, path.child(key).index(index), describedPath, errors);
  }
  if (schema.not !== undefined) skeleton(schema.not, described, path.child('not'), describedPath, errors);
}
