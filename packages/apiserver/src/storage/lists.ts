import { type OrderedMap, prefixEnd } from './ordered-map.ts';
import type { StoredState } from './states/stored-state.ts';

export interface Page {
  readonly items: StoredState[];
  readonly remaining: number;
}

/** A list of what is there now. `limit` 0 means all. */
export function listPresent(
  present: OrderedMap<StoredState>,
  prefix: string,
  startKey: string,
  limit: number,
): Page {
  const until = prefixEnd(prefix);
  const from = startKey > prefix ? startKey : prefix;
  const items = present.slice(from, until, limit === 0 ? undefined : limit);
  const last = items.at(-1);
  const remaining = items.length === limit && last !== undefined ? present.count(`${last.key}\0`, until) : 0;
  return { items, remaining };
}

/**
 * A list of what was there: the present, but for each key of `before` how it stood then. Costs what the
 * page and the changes since cost, not what the whole prefix does.
 */
export function listPast(
  present: OrderedMap<StoredState>,
  before: ReadonlyMap<string, StoredState | undefined>,
  prefix: string,
  startKey: string,
  limit: number,
): Page {
  const until = prefixEnd(prefix);
  const from = startKey > prefix ? startKey : prefix;
  const changed: StoredState[] = [];
  let total = present.count(from, until);
  for (const [key, then] of before) {
    if (key < from) continue;
    if (present.get(key) !== undefined) total--;
    if (then === undefined) continue;
    total++;
    changed.push(then);
  }
  changed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const wanted = limit === 0 ? total : Math.min(limit, total);
  // Each key of `before` can hide one item of the present, no more.
  const unchanged = present.slice(from, until, wanted + before.size).filter((item) => !before.has(item.key));
  const items = merge(unchanged, changed, wanted);
  return { items, remaining: total - items.length };
}

function merge(left: readonly StoredState[], right: readonly StoredState[], limit: number): StoredState[] {
  const merged: StoredState[] = [];
  let leftAt = 0;
  let rightAt = 0;
  while (merged.length < limit) {
    const a = left[leftAt];
    const b = right[rightAt];
    if (a !== undefined && (b === undefined || a.key < b.key)) {
      merged.push(a);
      leftAt++;
    } else if (b !== undefined) {
      merged.push(b);
      rightAt++;
    } else break;
  }
  return merged;
}
