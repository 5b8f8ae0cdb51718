// JSON objects whose keys come from strangers. A key may be `__proto__` or `constructor`, so reading
// asks for own properties only, and writing never runs the prototype's setter.

import type { JsonValue } from './object.ts';

export type JsonObject = { [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property, or undefined when it is absent. A property that is there but undefined counts as absent. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function hasValue(object: JsonObject, key: string): boolean {
  return ownValue(object, key) !== undefined;
}

export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** Equality of JSON values: key order does not matter, undefined properties count as absent. */
export function jsonEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) if (!jsonEqual(left[i], right[i])) return false;
    return true;
  }
  if (Array.isArray(right)) return false;
  let size = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    size++;
    if (!jsonEqual(value, ownValue(right, key))) return false;
  }
  return size === definedSize(right);
}

function definedSize(object: JsonObject): number {
  let size = 0;
  for (const key of Object.keys(object)) if (object[key] !== undefined) size++;
  return size;
}
