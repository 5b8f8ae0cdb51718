import type { KubeObject, ObjectMeta, Served } from '@windlass/apimachinery';

/** Everything up to its resourceVersion has been seen. */
export interface Bookmark extends KubeObject {
  metadata: ObjectMeta & { resourceVersion: string };
}

/** An ERROR never comes out of a watch: it is thrown as a StatusError. */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Served<T> }
  | { readonly type: 'BOOKMARK'; readonly object: Bookmark };

/** The annotation of the bookmark that follows the initial events of a watch. */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** The bookmark with which the initial events of a streaming list are over. */
export function isInitialEventsEnd(event: WatchEvent<KubeObject>): boolean {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
}
