/**
 * Appends every item. `list.push(...items)` passes each item as an argument, and a hundred thousand arguments
 * exhaust the stack: where strangers say how long a list is, this is the way.
 */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
