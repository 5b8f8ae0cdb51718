import type { Cached, KubeObject } from '@windlass/apimachinery';

/** Something happened to an object of a watched kind. */
export type ObjectEvent<T extends KubeObject = KubeObject> =
  | {
      readonly type: 'add';
      readonly object: Cached<T>;
      /** It was there when the controller started. */
      readonly isInInitialList: boolean;
    }
  /** For a resync both are the same object. */
  | { readonly type: 'update'; readonly old: Cached<T>; readonly object: Cached<T> }
  | {
      readonly type: 'delete';
      /** The last state that was seen. */
      readonly object: Cached<T>;
      /** The deletion itself was missed, so there may have been a later state. */
      readonly isFinalStateUnknown: boolean;
    };

/** Whether nothing changed: the informer reminds of what there is. */
export function isResync(event: ObjectEvent<KubeObject>): boolean {
  return (
    event.type === 'update' && event.old.metadata.resourceVersion === event.object.metadata.resourceVersion
  );
}
