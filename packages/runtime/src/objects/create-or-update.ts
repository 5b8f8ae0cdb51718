import { type Cached, deepCopy, deepEqual, type KubeObject } from '@windlass/apimachinery';
import { asCached } from './as-cached.ts';
import type { KindClient, ReadOptions } from './kind-client.ts';

/** What was done, and the object as it is now. */
export interface CreateOrUpdateResult<T extends KubeObject> {
  readonly operation: 'created' | 'updated' | 'unchanged';
  readonly object: Cached<T>;
}

/**
 * Creates the object, or updates it if what `change` makes of it differs. `change` is given a copy of the
 * object as it is, or nothing but its name, and may change it or return another.
 *
 * Two writers may meet: then it throws what the API says (`isConflict`, `isAlreadyExists`), and the key is
 * best tried again.
 */
export async function createOrUpdate<T extends KubeObject>(
  objects: KindClient<T>,
  key: string,
  // oxlint-disable-next-line typescript/no-invalid-void-type
  change: (object: T) => T | void,
  options: ReadOptions = {},
): Promise<CreateOrUpdateResult<T>> {
  const current = await objects.find(key, options);
  const slash = key.indexOf('/');
  const metadata =
    slash === -1 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
  // A copy is the caller's own, so it may be changed; an object that is only named is one to be completed.
  const draft = (current === undefined ? { metadata } : deepCopy(current)) as T;
  const desired = change(draft) ?? draft;
  if (current === undefined)
    return { operation: 'created', object: asCached(await objects.create(desired, options)) };
  if (deepEqual(current, desired)) return { operation: 'unchanged', object: current };
  return { operation: 'updated', object: asCached(await objects.update(desired, options)) };
}
