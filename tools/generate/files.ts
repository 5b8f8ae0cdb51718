import { readFileSync } from 'node:fs';

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

export function readJson(path: string): unknown {
  return JSON.parse(readText(path));
}

export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorted by key, so that the same facts always print the same text. */
export function sortedEntries<T>(map: Iterable<readonly [string, T]>): (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => byCodeUnit(a, b));
}

/** One entry a line: small for a machine, and still a readable difference in review. */
export function printTable(entries: Iterable<readonly [string, unknown]>): string {
  const lines = [...entries].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
