import type { DeepReadonly } from '../object.ts';

/** The reverse of DeepReadonly. */
export type DeepMutable<T> = T extends string | number | bigint | boolean | null | undefined
  ? T
  : T extends readonly unknown[]
    ? // Not by `infer`, which of an intersection of arrays takes the weaker items.
      DeepMutable<T[number]>[]
    : { -readonly [Key in keyof T]: DeepMutable<T[Key]> };

/**
 * A copy of a JSON value that shares nothing with it, and that is the caller's to change: what a cache
 * hands out as `DeepReadonly<Pod>` comes back as a `Pod`. Where the type is a parameter, name it:
 * `deepCopy<T>(object)`. A field named `__proto__` is copied as the field that it is.
 *
 * On a pod of 2.5 kB it takes 4 µs, where structuredClone takes 39 µs and JSON.parse of JSON.stringify
 * takes 38 µs.
 */
export function deepCopy<T>(value: T): DeepMutable<T>;
export function deepCopy<T>(value: DeepReadonly<T>): T;
export function deepCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return copyArray(value);
  // Spreading defines fields rather than assigning them, and takes the shape over in one go.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const field = copy[key];
    if (typeof field === 'object' && field !== null) copy[key] = deepCopy<unknown>(field);
  }
  return copy;
}

function copyArray(values: readonly unknown[]): unknown[] {
  const copy = values.slice();
  for (let index = 0; index < copy.length; index++) {
    const item = copy[index];
    if (typeof item === 'object' && item !== null) copy[index] = deepCopy<unknown>(item);
  }
  return copy;
}
