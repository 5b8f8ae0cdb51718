import type { KubeObject } from '@windlass/apimachinery';
import { turnShare } from '@windlass/base';
import { FIELD, NODE, STRING } from './freeze.ts';

/**
 * What a store does with an object before it keeps it, done already. The store only stamps such an object: with objects
 * of megabytes, the rest takes a tenth of a second during which nothing else runs.
 */
export interface Prepared {
  /** About how much memory the object takes. */
  readonly weight: number;
  /** The JSON of the object with this revision as its resource version, in a buffer of its own. */
  readonly bytes: (revision: number) => Buffer;
}

/** So many fields and items are looked at before others may get their turn. */
const FIELDS_AT_ONCE = 10_000;

/** As `freezeAndWeigh`, in parts of a millisecond. The metadata itself stays open: the store stamps it. */
export async function freezeInParts(object: KubeObject): Promise<number> {
  let weight = NODE;
  let fields = 0;
  const open: object[] = [object];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const items: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    for (const item of items) {
      weight += FIELD;
      if (typeof item === 'string') weight += STRING + item.length;
      else if (typeof item === 'object' && item !== null) {
        weight += NODE;
        open.push(item);
      }
    }
    if (next !== object && next !== object.metadata) Object.freeze(next);
    fields += items.length + 1;
    if (fields < FIELDS_AT_ONCE) continue;
    fields = 0;
    await turnShare.take();
  }
  return weight;
}
