import { type Cached, type KubeObject, keyOf } from '@windlass/apimachinery';
import type { EventHandler } from './notification.ts';

/**
 * A handler for the objects that pass. One that begins to pass by a change is added to it, one that ceases
 * to is deleted. It remembers which keys the handler knows, so that a deletion is told for exactly those,
 * whatever the last state of the object was. Add it to one informer only.
 */
export function filteringHandler<T extends KubeObject>(
  passes: (object: Cached<T>) => boolean,
  handler: EventHandler<T>,
): EventHandler<T> {
  const known = new Set<string>();
  return {
    onAdd(object, info) {
      if (!passes(object)) return undefined;
      known.add(info.key);
      return handler.onAdd?.(object, info);
    },
    onUpdate(old, now) {
      const key = keyOf(now);
      if (passes(now)) {
        if (known.has(key)) return handler.onUpdate?.(old, now);
        known.add(key);
        return handler.onAdd?.(now, { key, isInInitialList: false });
      }
      return known.delete(key) ? handler.onDelete?.(old, { key, isFinalStateUnknown: false }) : undefined;
    },
    onDelete: (object, info) => (known.delete(info.key) ? handler.onDelete?.(object, info) : undefined),
  };
}
