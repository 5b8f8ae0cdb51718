import { wideJson } from '@windlass/apimachinery';
import { isJsonObject } from './children.ts';

/** The same text for equal values, in whatever order their fields stand. */
export function canonicalJson(value: unknown): string {
  return wideJson(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Entries, because a field may be called `__proto__`.
  return Object.fromEntries(entries.map(([name, child]) => [name, sorted(child)]));
}
