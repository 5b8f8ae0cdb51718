import { type DeepReadonly, deepCopy, isConflict, type KubeObject } from '@windlass/apimachinery';
import type { KindClient } from '@windlass/runtime';
import { nameOf, namespaceOf, uidOf } from './meta.ts';

/**
 * Writes the status of what was read; where somebody wrote meanwhile, once more over what there is then,
 * unless that is another object of the same name. A second conflict is the caller's to hear of.
 */
export async function updateStatus<T extends KubeObject>(
  kind: KindClient<T>,
  read: DeepReadonly<T>,
  change: (current: T) => T,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await kind.status.update(change(deepCopy<T>(read)), { signal });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const fresh = await kind.live(namespaceOf(read)).get(nameOf(read), { signal });
    if (uidOf(fresh) !== uidOf(read)) throw error;
    return kind.status.update(change(fresh), { signal });
  }
}
