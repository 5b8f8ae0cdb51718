// JSON objects whose keys come from strangers. A key may be `__proto__` or `constructor`, so reading
// asks for own properties only, and writing never runs the prototype's setter.

import type { JsonValue } from '../object.ts';

export type JsonObject = { [key: string]: JsonValue };

/** An API object as JSON. */
export function asJsonValue(object: unknown): JsonValue {
  // API objects are JSON values; their interfaces only lack the index signature that JsonValue asks for.
  return object as JsonValue;
}

/** @throws SyntaxError */
export function parseJsonValue(text: string): JsonValue {
  // JSON.parse without a reviver gives nothing but JSON.
  return JSON.parse(text) as JsonValue;
}

/** Whether the value is an object, and neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property, or undefined when it is absent. A property that is there but undefined counts as absent. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
