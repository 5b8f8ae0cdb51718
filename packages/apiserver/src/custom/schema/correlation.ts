import { deepEqual, type Schema } from '@windlass/apimachinery';
import { canonicalJson } from './canonical.ts';
import { isJsonObject, type JsonObject } from './children.ts';

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

export type CorrelateItem = (item: unknown) => Correlated | undefined;

const NO_COUNTERPART: CorrelateItem = () => undefined;

/**
 * Finds the old item of each item of a list. The old items are put in a table by their keys when the first
 * is asked for, so that a list costs as much as it is long; of those with the same keys the first counts.
 */
export function correlateItems(correlated: Correlated | undefined, schema: Schema): CorrelateItem {
  const old = correlated?.old;
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map') return NO_COUNTERPART;
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  let byKeys: Map<string, Correlated> | undefined;
  return (item) => {
    if (!isJsonObject(item)) return undefined;
    byKeys ??= tableOf(old, names);
    return byKeys.get(keysOf(item, names));
  };
}

function tableOf(items: readonly unknown[], names: readonly string[]): Map<string, Correlated> {
  const table = new Map<string, Correlated>();
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    const keys = keysOf(item, names);
    if (!table.has(keys)) table.set(keys, { old: item });
  }
  return table;
}

/** The same text for items whose keys are equal. A key that is absent differs from every other; JSON has no such text. */
function keysOf(item: JsonObject, names: readonly string[]): string {
  return names.map((name) => (item[name] === undefined ? '' : canonicalJson(item[name]))).join('\n');
}

/** Whether a write leaves the value as it was, so that what is wrong with it is not this write's fault. */
export function isUnchanged(correlated: Correlated | undefined, value: unknown): boolean {
  return correlated !== undefined && deepEqual(correlated.old, value);
}
