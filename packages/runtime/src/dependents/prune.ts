import { type Cached, isBeingDeleted, isNotFound, type KubeObject, keyOf } from '@windlass/apimachinery';
import { asCached } from '../objects/as-cached.ts';
import type { KindClient } from '../objects/kind-client.ts';
import { isMarked, selectorOf } from './marks.ts';

/** All children of the parent, asked of the server. None of a kind that is no longer served. */
export async function listLive(
  objects: KindClient<KubeObject>,
  parent: Cached<KubeObject>,
  mark: string,
  signal: AbortSignal,
): Promise<Cached<KubeObject>[]> {
  const found: Cached<KubeObject>[] = [];
  try {
    for await (const item of objects.live().items({ labelSelector: selectorOf(mark, parent), signal })) {
      const object = asCached(item);
      if (isMarked(object, parent, mark)) found.push(object);
    }
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
  return found;
}

/**
 * Deletes a child that is no longer wanted. The cache may be behind: what is deleted is what the server
 * has, if that is the same object and still ours, and unless it changes meanwhile.
 * @returns whether this call has deleted it
 */
export async function deleteChild(
  objects: KindClient<KubeObject>,
  cached: Cached<KubeObject>,
  parent: Cached<KubeObject>,
  mark: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { namespace, name, uid } = cached.metadata;
  try {
    const live = asCached(await objects.live(namespace).get(name, { signal }));
    if (live.metadata.uid !== uid || isBeingDeleted(live) || !isMarked(live, parent, mark)) return false;
    const { resourceVersion } = live.metadata;
    await objects.delete(keyOf(live), {
      preconditions: { uid, resourceVersion },
      propagationPolicy: 'Background',
      signal,
    });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
