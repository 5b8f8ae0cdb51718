import { deepEqual, type Schema } from '@windlass/apimachinery';
import { isJsonObject } from './children.ts';

/**
 * The old value that a part of an object is compared with. Parts are found by their name, and items of a
 * list by their keys; the items of other lists have no counterpart.
 */
export interface Correlated {
  readonly old: unknown;
}

export function correlatedField(correlated: Correlated | undefined, name: string): Correlated | undefined {
  const old = correlated?.old;
  return isJsonObject(old) && Object.hasOwn(old, name) ? { old: old[name] } : undefined;
}

export function correlatedItem(
  correlated: Correlated | undefined,
  schema: Schema,
  item: unknown,
): Correlated | undefined {
  const old = correlated?.old;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map' || !isJsonObject(item))
    return undefined;
  const found: unknown = old.find(
    (other) => isJsonObject(other) && keys.every((key) => deepEqual(other[key], item[key])),
  );
  return found === undefined ? undefined : { old: found };
}

/** Whether a write leaves the value as it was, so that what is wrong with it is not this write's fault. */
export function isUnchanged(correlated: Correlated | undefined, value: unknown): boolean {
  return correlated !== undefined && deepEqual(correlated.old, value);
}
