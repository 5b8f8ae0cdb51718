import type { FieldError, Schema } from '@windlass/apimachinery';
import { goQuote } from '@windlass/apimachinery';
import { isJsonObject, mapValueSchema, propertyOf } from './children.ts';
import { type Correlated, correlatedField, correlateItems, isUnchanged } from './correlation.ts';
import { Findings } from './findings.ts';
import { isKnownFormat } from './formats.ts';
import { checkEnum, checkNumber, checkString, checkType } from './value-checks.ts';

export interface SchemaValidationOptions {
  /**
   * Where the value is within its object. Fields are named from the object's root, but texts speak of the
   * value as if it were a root itself.
   * @default ''
   */
  readonly prefix?: string;
  /** What the value replaces: parts that stay as they are, are not looked at. */
  readonly old?: Correlated | undefined;
}

/** Everything that is wrong with a value by its schema, in the words of Kubernetes. */
export function validateAgainstSchema(
  value: unknown,
  schema: Schema,
  { prefix = '', old }: SchemaValidationOptions = {},
): FieldError[] {
  const { errors } = validateValue(value, schema, '', old);
  return prefix === '' ? errors : errors.map((error) => ({ ...error, field: prefixed(prefix, error.field) }));
}

function prefixed(prefix: string, field: string): string {
  if (field === '<nil>') return prefix;
  return field.startsWith('[') ? prefix + field : `${prefix}.${field}`;
}

function validateValue(value: unknown, schema: Schema, path: string, old: Correlated | undefined): Findings {
  const found = new Findings();
  if (isUnchanged(old, value)) {
    found.matches++;
    return found;
  }
  checkType(found, value, schema, path);
  found.matches++;
  if (value === null) {
    checkEnum(found, value, schema, path);
    return found;
  }
  checkAlternatives(found, value, schema, path);
  if (typeof value === 'string') checkString(found, value, formatted(schema), path);
  else if (typeof value === 'number' || typeof value === 'bigint')
    checkNumber(found, value, formatted(schema), path);
  else if (Array.isArray(value)) checkItems(found, value, schema, path, old);
  checkEnum(found, value, schema, path);
  if (isJsonObject(value)) checkFields(found, value, schema, path, old);
  found.matches++;
  return found;
}

/** A format that nobody knows is as none. */
function formatted(schema: Schema): Schema {
  const { format, type } = schema;
  if (format === undefined || format === '' || isKnownFormat(type, format)) return schema;
  const { format: _, ...rest } = schema;
  return rest;
}

function checkAlternatives(found: Findings, value: unknown, schema: Schema, path: string): void {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  const attempt = (other: Schema): Findings => validateValue(value, other, path, undefined);
  // Which of the errors belong to no field is told without one.
  const fail = (text: string): void => found.add('FieldValueInvalid', '', '', text);
  if (anyOf.length > 0) {
    const results = anyOf.map(attempt);
    const success = results.find(({ isValid }) => isValid);
    if (success === undefined) fail(`${goQuote(path)} must validate at least one schema (anyOf)`);
    found.merge(success ?? closest(results));
  }
  if (oneOf.length > 0) {
    const results = oneOf.map(attempt);
    const valid = results.filter(({ isValid }) => isValid);
    if (valid.length !== 1) {
      const text = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
      fail(`${goQuote(path)} must validate one and only one schema (oneOf). ${text}`);
    }
    if (valid.length === 0) found.merge(closest(results));
  }
  if (allOf.length > 0) {
    const results = allOf.map(attempt);
    for (const result of results) found.merge(result);
    const count = results.filter(({ isValid }) => isValid).length;
    if (count < results.length)
      fail(`${goQuote(path)} must validate all the schemas (allOf)${count === 0 ? '. None validated' : ''}`);
  }
  if (not !== undefined && attempt(not).isValid) fail(`${goQuote(path)} must not validate the schema (not)`);
}

/** The first of those with the most matches. */
function closest(results: readonly Findings[]): Findings {
  let best = results[0] ?? new Findings();
  for (const result of results) if (result.matches > best.matches) best = result;
  return best;
}

function checkItems(
  found: Findings,
  items: readonly unknown[],
  schema: Schema,
  path: string,
  old: Correlated | undefined,
): void {
  if (schema.items !== undefined) {
    const correlate = correlateItems(old, schema);
    for (const [index, item] of items.entries())
      found.merge(validateValue(item, schema.items, `${path}[${index}]`, correlate(item)));
  }
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && items.length < minItems) {
    const text = `${path} in body should have at least ${minItems} items`;
    found.add('FieldValueInvalid', path, items.length, text);
  }
  if (maxItems !== undefined && items.length > maxItems)
    found.add('FieldValueTooMany', path, items.length, `must have at most ${count(maxItems, 'item')}`);
}

function checkFields(
  found: Findings,
  object: Readonly<Record<string, unknown>>,
  schema: Schema,
  path: string,
  old: Correlated | undefined,
): void {
  const names = Object.keys(object);
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && names.length < minProperties) {
    const text = `${path} in body should have at least ${minProperties} properties`;
    found.add('FieldValueInvalid', path, names.length, text);
  }
  if (maxProperties !== undefined && names.length > maxProperties)
    found.add('FieldValueTooMany', path, names.length, `must have at most ${count(maxProperties, 'item')}`);
  const values = mapValueSchema(schema);
  for (const name of names) {
    const property = propertyOf(schema, name) ?? values;
    if (property === undefined) {
      if (schema.additionalProperties === false)
        found.add('FieldValueInvalid', path, name, `${path}.${name} in body is a forbidden property`);
      continue;
    }
    const at = path === '' ? name : `${path}.${name}`;
    found.merge(validateValue(object[name], property, at, correlatedField(old, name)));
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(object, name))
      found.add('FieldValueRequired', path === '' ? name : `${path}.${name}`, undefined, '');
  }
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
