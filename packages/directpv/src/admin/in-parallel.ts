/** Enough to hide a cluster's latency, and no burden to it. */
const LIMIT = 16;

/** Runs the function for each item, a few at a time. Results are in the order of the items; the first error ends it. */
export async function inParallel<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
  limit: number = LIMIT,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      const item = items[at];
      // Within the bounds there is always one; a hole in the list would be undefined itself.
      results[at] = await run(item as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
