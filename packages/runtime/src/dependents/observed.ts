import { type Cached, joinKey, type KubeObject, keyOf, type ResourceType } from '@windlass/apimachinery';
import { idOf } from './declaration.ts';

/** The children of one parent as they were last seen. What is not the parent's own is not among them. */
export interface ObservedChildren {
  /** Undefined while it is not there. @param namespace the parent's, unless it is given */
  find<T extends KubeObject>(type: ResourceType<T>, name: string, namespace?: string): Cached<T> | undefined;
  /** Those of a kind, by key. */
  list<T extends KubeObject>(type: ResourceType<T>): readonly Cached<T>[];
}

export interface ObservedChild {
  readonly type: ResourceType;
  readonly object: Cached<KubeObject>;
}

/** Later entries of the same kind and key replace earlier ones. */
export function observedChildren(
  parentNamespace: string | undefined,
  children: Iterable<ObservedChild>,
): ObservedChildren {
  const byId = new Map<string, ObservedChild>();
  for (const child of children) byId.set(idOf(child.type, keyOf(child.object)), child);
  return {
    find<T extends KubeObject>(type: ResourceType<T>, name: string, namespace = parentNamespace) {
      const key = joinKey(type.namespaced ? namespace : undefined, name);
      // An id begins with the kind.
      return byId.get(idOf(type, key))?.object as Cached<T> | undefined;
    },
    list<T extends KubeObject>(type: ResourceType<T>) {
      const prefix = idOf(type, '');
      const found = [...byId].filter(([id]) => id.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
      // As above.
      return found.map(([, { object }]) => object as Cached<T>);
    },
  };
}
