import type { JsonValue } from '../../object.ts';
import type { PathElement } from '../fields/path-element.ts';
import { listElement } from '../types/list-element.ts';
import type { ListType, Type } from '../types/type.ts';

type MergeItems = (live: JsonValue | undefined, applied: JsonValue, type: Type) => JsonValue;

/**
 * Merges two associative lists. What was applied keeps its order; what only the live list has stands
 * before the applied element that it stood before, as far as that is possible. Elements that the live
 * list has more than once are not merged: they are replaced.
 */
export function mergeAssociative(
  live: JsonValue[],
  applied: readonly JsonValue[],
  type: ListType,
  mergeItems: MergeItems,
): JsonValue[] {
  const liveElements = live.map((item) => listElement(type, item));
  const appliedElements = applied.map((item) => listElement(type, item));
  const liveItems = indexLive(live, liveElements);
  const appliedItems = new Map(appliedElements.map((element, i) => [element, applied[i] ?? null]));
  /** The applied elements that the live list has too, in the order in which they must come. */
  const shared = appliedElements.filter((element) => liveItems.has(element));

  const merged: JsonValue[] = [];
  const done = new Set<PathElement>();
  let nextShared = 0;
  const take = (element: PathElement): void => {
    done.add(element);
    // Null where the live list has the element more than once.
    const before = liveItems.get(element) ?? undefined;
    merged.push(mergeItems(before, appliedItems.get(element) ?? null, type.items));
    if (shared[nextShared] === element) nextShared++;
  };

  let l = 0;
  let a = 0;
  while (l < liveElements.length || a < appliedElements.length) {
    const mine = liveElements[l];
    const theirs = appliedElements[a];
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        take(mine);
        l++;
        a++;
        continue;
      }
      // Both have it, but another shared element must come first.
      if (appliedItems.has(mine) && nextShared < shared.length && shared[nextShared] !== mine) {
        l++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!appliedItems.has(mine)) {
        merged.push(live[l] ?? null);
        l++;
        continue;
      }
      if (done.has(mine)) l++;
    }
    if (theirs !== undefined) {
      take(theirs);
      a++;
    }
  }
  return isSame(merged, live) ? live : merged;
}

/** Null for elements that occur more than once. */
function indexLive(
  live: readonly JsonValue[],
  elements: readonly PathElement[],
): ReadonlyMap<PathElement, JsonValue> {
  const items = new Map<PathElement, JsonValue>();
  for (const [index, element] of elements.entries())
    items.set(element, items.has(element) ? null : (live[index] ?? null));
  return items;
}

function isSame(merged: readonly JsonValue[], live: readonly JsonValue[]): boolean {
  return merged.length === live.length && merged.every((item, index) => item === live[index]);
}
