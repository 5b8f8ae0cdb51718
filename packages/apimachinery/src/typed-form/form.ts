import type { JsonValue } from '../object.ts';

/** Where a value is, and what is said about it. */
export interface FormContext {
  /** What strict decoding refuses: `unknown field "spec.foo"`. */
  readonly problems: string[];
  /** An object in its form: what the whole has of its fields is taken as it is. */
  readonly known?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Brings a JSON value into the form in which its type is served. Answers undefined for what is not shown.
 * Never shares anything with the value it is given, but for what the context knows.
 */
export interface Form {
  /** For messages: the Go name of the type. */
  readonly goType: string;
  /** What is shown when nothing is there and the field is always shown. */
  readonly zero: () => JsonValue;
  /** True when a nil of the type is null rather than an empty object. */
  readonly isNilable: boolean;
  apply(value: unknown, path: string, struct: string, context: FormContext): JsonValue;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A deep copy of any JSON. */
export function copyJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(copyJson);
  // What is neither a list nor an object is a scalar: the caller vouches for JSON.
  if (!isObject(value)) return value as JsonValue;
  const copy: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) if (item !== undefined) define(copy, key, copyJson(item));
  return copy;
}

/** An assignment that cannot reach a prototype, whatever the key is. */
export function define(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
