import { isRecord } from '@windlass/base';

/** A JSON value as Go prints it: `map[a:1 b:[x y]]`, with the keys in order. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (value === null || value === undefined) return '<nil>';
  if (!isRecord(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, part]) => `${key}:${goText(part)}`).join(' ')}]`;
}
