import { type Cached, deepCopy, isConflict, type KubeObject } from '@windlass/apimachinery';
import type { KindClient } from '@windlass/runtime';

/**
 * Writes the status of what was read; where somebody wrote meanwhile, once more over what there is then,
 * unless that is another object of the same name. A second conflict is the caller's to hear of.
 */
export async function updateStatus<T extends KubeObject>(
  kind: KindClient<T>,
  read: Cached<T>,
  change: (current: T) => T,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await kind.status.update(change(deepCopy<T>(read)), { signal });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const fresh = await kind.live(read.metadata.namespace).get(read.metadata.name, { signal });
    if (fresh.metadata.uid !== read.metadata.uid) throw error;
    return kind.status.update(change(fresh), { signal });
  }
}
