/** Order of values of one type, as CEL's `<` has it. */
export function lessThan(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() < b.getTime();
  // Numbers compare across their types, and strings by code points as far as UTF-16 does.
  return (a as number) < (b as number);
}

/** Equality as CEL's `==` has it, for values that may be of any type. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' && typeof b === 'number') return Number(a) === b;
  if (typeof a === 'number' && typeof b === 'bigint') return a === Number(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a.constructor !== b.constructor) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equalValues(item, b[index]));
  if (a instanceof Map && b instanceof Map)
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && equalValues(value, b.get(key)));
  const entries = Object.entries(a);
  return (
    entries.length === Object.keys(b).length &&
    entries.every(
      ([key, value]) => Object.hasOwn(b, key) && equalValues(value, (b as Record<string, unknown>)[key]),
    )
  );
}
