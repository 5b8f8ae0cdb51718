/** What a name, a number or a reference costs, about. */
const WORD = 16;

/**
 * About how many bytes an object holds, by its strings and its fields. Stops at `limit`, so that it costs no more for a
 * huge object than for one of that size.
 */
export function objectSize(value: unknown, limit: number): number {
  if (typeof value === 'string') return WORD + value.length;
  if (typeof value !== 'object' || value === null) return WORD;
  let size = WORD;
  for (const name in value) {
    if (size >= limit) break;
    // What is counted is what has been parsed from JSON: objects and lists of own fields.
    const field = (value as Record<string, unknown>)[name];
    size += WORD + objectSize(field, limit - size);
  }
  return size;
}
