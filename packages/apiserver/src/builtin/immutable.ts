import { deepEqual, type FieldError, FieldPath, fieldForbidden, fieldInvalid } from '@windlass/apimachinery';
import type { Stored } from '../resource/strategy.ts';

export const IMMUTABLE = 'field is immutable';

export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const segment of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

/** An error for each of these fields that a write would change. */
export function immutableFields(object: Stored, old: Stored, ...paths: readonly string[]): FieldError[] {
  return paths
    .filter((path) => !deepEqual(valueAt(object, path), valueAt(old, path)))
    .map((path) => fieldInvalid(pathOf(path), valueAt(object, path), IMMUTABLE));
}

/** One error when anything of the spec but these fields would change. */
export function immutableSpecExcept(
  object: Stored,
  old: Stored,
  allowed: readonly string[],
  message: string,
): FieldError[] {
  const strip = (spec: unknown): Record<string, unknown> => {
    const copy = { ...(spec as Record<string, unknown> | undefined) };
    for (const field of allowed) delete copy[field];
    return copy;
  };
  return deepEqual(strip(object['spec']), strip(old['spec']))
    ? []
    : [fieldForbidden(FieldPath.of('spec'), message)];
}

function pathOf(path: string): FieldPath {
  const [first = '', ...rest] = path.split('.');
  return FieldPath.of(first, ...rest);
}
