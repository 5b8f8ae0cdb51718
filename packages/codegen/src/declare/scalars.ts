import type { JsonValue } from '@windlass/apimachinery';
import { type Default, type DefaultedField, type Field, type FieldOptions, fieldOf } from './field.ts';

/** Formats of texts that API servers check. */
export type StringFormat =
  | 'bsonobjectid'
  | 'byte'
  | 'cidr'
  | 'creditcard'
  | 'date'
  | 'date-time'
  | 'duration'
  | 'email'
  | 'hexcolor'
  | 'hostname'
  | 'ipv4'
  | 'ipv6'
  | 'isbn'
  | 'isbn10'
  | 'isbn13'
  | 'k8s-long-name'
  | 'k8s-short-name'
  | 'mac'
  | 'password'
  | 'rgbcolor'
  | 'ssn'
  | 'uri'
  | 'uuid'
  | 'uuid3'
  | 'uuid4'
  | 'uuid5';

/** Options of a text. */
export interface StringOptions extends FieldOptions {
  /** In characters. */
  readonly minLength?: number;
  /** In characters. Servers refuse rules that may cost too much, and a bound makes them cheaper. */
  readonly maxLength?: number;
  /** A regular expression of Go's (RE2); anchor it. */
  readonly pattern?: string;
  readonly format?: StringFormat;
}

/** Options of a number. */
export interface NumberOptions extends FieldOptions {
  readonly minimum?: number;
  readonly maximum?: number;
  /** `minimum` itself is too small. */
  readonly exclusiveMinimum?: boolean;
  /** `maximum` itself is too large. */
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
}

/** Options of a whole number. */
export interface IntegerOptions extends NumberOptions {
  /** @default int64 */
  readonly format?: 'int32' | 'int64';
}

export function string(options: StringOptions & Default<string>): DefaultedField<string>;
export function string(options?: StringOptions): Field<string>;
export function string(options: StringOptions = {}): Field<string> {
  return fieldOf({ type: 'string' }, options);
}

/** One of these texts. */
export function oneOfTexts<const V extends string>(
  values: readonly V[],
  options: FieldOptions & Default<NoInfer<V>>,
): DefaultedField<V>;
export function oneOfTexts<const V extends string>(values: readonly V[], options?: FieldOptions): Field<V>;
export function oneOfTexts<const V extends string>(
  values: readonly V[],
  options: FieldOptions = {},
): Field<V> {
  return fieldOf({ type: 'string', enum: [...values] }, options);
}

/** RFC 3339: `2026-01-02T03:04:05Z`. */
export function time(options: FieldOptions = {}): Field<string> {
  return fieldOf({ type: 'string', format: 'date-time' }, options);
}

/** A whole number; those beyond 2^53 are not exact in JavaScript. */
export function integer(options: IntegerOptions & Default<number>): DefaultedField<number>;
export function integer(options?: IntegerOptions): Field<number>;
export function integer(options: IntegerOptions = {}): Field<number> {
  return fieldOf({ type: 'integer', format: 'int64' }, options);
}

export function number(options: NumberOptions & Default<number>): DefaultedField<number>;
export function number(options?: NumberOptions): Field<number>;
export function number(options: NumberOptions = {}): Field<number> {
  return fieldOf({ type: 'number' }, options);
}

export function boolean(options: FieldOptions & Default<boolean>): DefaultedField<boolean>;
export function boolean(options?: FieldOptions): Field<boolean>;
export function boolean(options: FieldOptions = {}): Field<boolean> {
  return fieldOf({ type: 'boolean' }, options);
}

const INT_OR_STRING = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
};
const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** `8080` or `http`; `3` or `25%`. */
export function intOrString(
  options: FieldOptions & Default<number | string>,
): DefaultedField<number | string>;
export function intOrString(options?: FieldOptions): Field<number | string>;
export function intOrString(options: FieldOptions = {}): Field<number | string> {
  return fieldOf(INT_OR_STRING, options);
}

/** `500m`, `1.5Gi`, or a plain number. */
export function quantity(options: FieldOptions & Default<number | string>): DefaultedField<number | string>;
export function quantity(options?: FieldOptions): Field<number | string>;
export function quantity(options: FieldOptions = {}): Field<number | string> {
  return fieldOf({ ...INT_OR_STRING, pattern: QUANTITY }, options);
}

/** Whatever JSON can hold: kept as it is, and not checked. */
export function any(options: FieldOptions = {}): Field<JsonValue> {
  return fieldOf({ 'x-kubernetes-preserve-unknown-fields': true }, options);
}
