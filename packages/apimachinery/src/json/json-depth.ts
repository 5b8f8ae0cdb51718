/**
 * Whether arrays and objects are nested more than `limit` deep. It stops at the limit, so that no value can
 * exhaust the stack; whatever walks a value by recursion may ask first.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, limit - 1)) return true;
    return false;
  }
  const fields = value as Readonly<Record<string, unknown>>; // an object that is no array
  for (const name in fields) if (isDeeperThan(fields[name], limit - 1)) return true;
  return false;
}
