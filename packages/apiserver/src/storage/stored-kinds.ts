// Objects of built-in kinds, straight from the store. Whatever is kept under a kind's prefix came through this server
// as an object of that kind, in the version that is stored.
import type { DeepReadonly, KubeObject, ResourceType } from '@windlass/apimachinery';
import type { Store, StoredObject, StoreKey } from './store.ts';

/** All keys of the kind begin with it, or all in a namespace. */
export function kindPrefix({ group, plural }: ResourceType, namespace = ''): string {
  return `/${group}/${plural}/${namespace === '' ? '' : `${namespace}/`}`;
}

/** Undefined when there is none of the name. The namespace is left out for kinds of the cluster. */
export async function getOfKind<T extends KubeObject>(
  store: Pick<Store, 'get'>,
  type: ResourceType<T>,
  name: string,
  namespace = '',
): Promise<DeepReadonly<T> | undefined> {
  const prefix = kindPrefix(type);
  const key: StoreKey = type.namespaced ? `${prefix}${namespace}/${name}` : `${prefix}${name}`;
  const stored = await store.get(key);
  return stored === undefined ? undefined : objectOfKind(type, stored);
}

/** In the order of their keys. Without a namespace all there are. */
export async function listOfKind<T extends KubeObject>(
  store: Pick<Store, 'list'>,
  type: ResourceType<T>,
  namespace = '',
): Promise<DeepReadonly<T>[]> {
  const { items } = await store.list(kindPrefix(type, namespace));
  return items.map((stored) => objectOfKind(type, stored));
}

/** @throws TypeError when the object is kept under another prefix */
export function objectOfKind<T extends KubeObject>(
  type: ResourceType<T>,
  { key, object }: Pick<StoredObject, 'key' | 'object'>,
): DeepReadonly<T> {
  if (!key.startsWith(kindPrefix(type))) throw new TypeError(`the object at ${key} is no ${type.kind}`);
  // The prefix tells the kind.
  return object as DeepReadonly<T>;
}
