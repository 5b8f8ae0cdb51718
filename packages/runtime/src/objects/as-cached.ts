import type { Cached, KubeObject, Served } from '@windlass/apimachinery';

/** What the server gave, as what a cache gives: for reading only. */
export function asCached<T extends KubeObject>(object: Served<T>): Cached<T> {
  const read: unknown = object;
  // Both say the same of an object, but for who may change it; of a kind that it does not know, the compiler
  // cannot tell.
  return read as Cached<T>;
}
