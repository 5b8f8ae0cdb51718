import type { FieldPath } from '@windlass/apimachinery';
import type { Findings } from '../../shared/findings.ts';

/** Every item of a list that has at most so many. Of one that has more nothing else is looked at. */
export function validateItems<T>(
  items: readonly T[],
  max: number,
  path: FieldPath,
  findings: Findings,
  validate: (item: T, path: FieldPath) => void,
): boolean {
  if (items.length > max) {
    findings.tooMany(path, items.length, max);
    return false;
  }
  for (const [index, item] of items.entries()) validate(item, path.index(index));
  return true;
}

/** As `validateItems`, of a list in which no key may be twice. */
export function validateSet<T>(
  items: readonly T[],
  max: number,
  path: FieldPath,
  findings: Findings,
  keyOf: (item: T) => string,
  validate: (item: T, path: FieldPath) => void,
): void {
  if (!validateItems(items, max, path, findings, validate)) return;
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    if (seen.has(key)) findings.duplicate(path.index(index), key);
    seen.add(key);
  }
}

/** The shortest limit to which a key is cut in a message. */
const MIN_SHOWN_KEY = 16;

/** A key as messages show it: a long one loses its middle. */
export function shownKey(key: string, maxLength: number): string {
  const max = Math.max(maxLength, MIN_SHOWN_KEY);
  if (key.length <= max) return key;
  const kept = max - '...'.length;
  return `${key.slice(0, Math.floor((kept + 1) / 2))}...${key.slice(key.length - Math.floor(kept / 2))}`;
}
