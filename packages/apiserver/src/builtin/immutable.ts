export const IMMUTABLE = 'field is immutable';

export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const segment of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}
