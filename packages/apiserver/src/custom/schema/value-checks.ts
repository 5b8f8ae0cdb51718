import { deepEqual, type Schema, wideJson } from '@windlass/apimachinery';
import { compileGoRegexp } from '../regexp/go-regexp.ts';
import type { Findings } from './findings.ts';
import { hasFormat, isKnownFormat } from './formats.ts';

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  const type = typeof value;
  return type === 'string' || type === 'boolean' ? type : 'object';
}

export function checkType(found: Findings, value: unknown, schema: Schema, path: string): void {
  const expected = typesOf(schema);
  if (expected.length === 0) return;
  const actual = typeOf(value);
  if (actual === 'null') {
    if (schema.nullable !== true) wrongType(found, path, expected.join(','), 'null');
    return;
  }
  if (expected.includes(actual) || (actual === 'integer' && expected.includes('number'))) return;
  const format = schema.format ?? '';
  const isFormatted = format !== '' && isKnownFormat(schema.type, format);
  if (isFormatted && actual !== 'string') {
    // Kubernetes' own validation lets a list pass for a text that has a format.
    if (actual === 'array' && expected[0] === 'string') return;
    if (actual !== 'array') {
      const implied = actual === 'integer' ? 'int64' : actual === 'number' ? 'float64' : '';
      wrongType(found, path, format, implied);
      return;
    }
  }
  wrongType(found, path, expected.join(','), actual);
}

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

function wrongType(found: Findings, path: string, expected: string, actual: string): void {
  const text = `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  found.add('FieldValueTypeInvalid', path, actual, text);
}

export function checkEnum(found: Findings, value: unknown, schema: Schema, path: string): void {
  const values = schema.enum;
  if (values === undefined || values.length === 0) return;
  // As upstream: null is never one of them, even where it is listed and the field is nullable.
  if (value !== null && values.some((allowed) => deepEqual(allowed, value))) return;
  const supported = values.map((allowed) =>
    JSON.stringify(typeof allowed === 'string' ? allowed : wideJson(allowed)),
  );
  found.add('FieldValueNotSupported', path, value, `supported values: ${supported.join(', ')}`);
}

export function checkString(found: Findings, value: string, schema: Schema, path: string): void {
  const { minLength, maxLength, pattern, format } = schema;
  const length = minLength === undefined && maxLength === undefined ? 0 : characters(value);
  // Only the first of these is told.
  if (maxLength !== undefined && length > maxLength) {
    const unit = maxLength === 1 ? 'byte' : 'bytes';
    found.add('FieldValueTooLong', path, undefined, `may not be more than ${maxLength} ${unit}`);
  } else if (minLength !== undefined && length < minLength) {
    const text = `${path} in body should be at least ${minLength} chars long`;
    found.add('FieldValueInvalid', path, value, text);
  } else if (pattern !== undefined && pattern !== '' && !compileGoRegexp(pattern).test(value))
    found.add('FieldValueInvalid', path, value, `${path} in body should match '${pattern}'`);
  if (format !== undefined && format !== '' && schema.type !== 'integer' && !hasFormat(value, format)) {
    const text = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`;
    found.add('FieldValueTypeInvalid', path, value, text);
  }
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const INT32 = 2 ** 31;
const INT64 = 2 ** 63;

export function checkNumber(found: Findings, value: number | bigint, schema: Schema, path: string): void {
  const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  checkRange(found, value, type, format ?? '', path);
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    found.add('FieldValueInvalid', path, value, `${path} in body should be a multiple of ${multipleOf}`);
  if (maximum !== undefined && (exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    const text = exclusiveMaximum === true ? 'less than' : 'less than or equal to';
    found.add('FieldValueInvalid', path, value, `${path} in body should be ${text} ${maximum}`);
  }
  if (minimum !== undefined && (exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    const text = exclusiveMinimum === true ? 'greater than' : 'greater than or equal to';
    found.add('FieldValueInvalid', path, value, `${path} in body should be ${text} ${minimum}`);
  }
}

function checkRange(
  found: Findings,
  value: number | bigint,
  type: string | undefined,
  format: string,
  path: string,
): void {
  if (type !== 'integer') return;
  const bound = format === 'int32' ? INT32 : INT64;
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  if (isWhole && value >= -bound && value < bound) return;
  const text = format === '' ? '(default format)' : `with format ${format}`;
  found.add('FieldValueInvalid', '', '', `Checked value must be of type integer ${text} in ${path}`);
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint')
    return Number.isInteger(factor) ? value % BigInt(factor) === 0n : isMultiple(Number(value), factor);
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const whole = Math.round(quotient);
  return Math.abs(quotient - whole) <= 1e-9 * Math.max(1, Math.abs(quotient));
}
