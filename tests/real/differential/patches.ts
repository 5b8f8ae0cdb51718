import { deepEqual } from '@windlass/apimachinery';
import type { Json } from './kinds.ts';

/** The merge patch that makes one of the other; lists are sent whole. */
export function mergePatchBetween(from: Json, to: Json): Json {
  const patch: Json = {};
  for (const name of Object.keys(from)) if (!(name in to)) patch[name] = null;
  for (const [name, value] of Object.entries(to)) {
    const before = from[name];
    if (deepEqual(before, value)) continue;
    patch[name] = isObject(before) && isObject(value) ? mergePatchBetween(before, value) : value;
  }
  return patch;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
