import { newNotFound } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../resource/views.ts';
import type { Store } from '../storage/store.ts';

/** @throws StatusError 404 when there is no such pod */
export type PodReader = (namespace: string, name: string) => Promise<View<Pod>>;

export function podReader(store: Store): PodReader {
  return async (namespace, name) => {
    const stored = await store.get(`//pods/${namespace}/${name}`);
    if (stored === undefined) throw newNotFound({ group: Pod.group, resource: Pod.plural }, name);
    // What is stored there went through this server as a Pod.
    return stored.object as View<Pod>;
  };
}
