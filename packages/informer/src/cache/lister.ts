import {
  type Cached,
  type DeepReadonly,
  joinKey,
  type KubeObject,
  newNotFound,
  parseLabelSelector,
  type Selector,
} from '@windlass/apimachinery';
import type { ReadIndexer } from './indexer.ts';

/** The index that every informer has: objects by namespace. */
export const NAMESPACE_INDEX = 'namespace';

/** Which objects of the cache are meant. */
export interface ListerOptions {
  /** Only objects in this namespace. Default: all. */
  readonly namespace?: string;
  /** A label selector, as text or parsed. Default: everything. */
  readonly selector?: string | Selector;
}

/** Reads of one kind from the cache, in the words of the API. Results are shared: do not change them. */
export interface Lister<T extends KubeObject> {
  list(options?: ListerOptions): Cached<T>[];
  /** Undefined when the cache has no such object. */
  find(name: string, namespace?: string): Cached<T> | undefined;
  /** As `find`, but throws the API's NotFound error. */
  get(name: string, namespace?: string): Cached<T>;
  byIndex(index: string, value: string): Cached<T>[];
}

export function namespaceOf(object: DeepReadonly<KubeObject>): readonly string[] {
  const namespace = object.metadata?.namespace;
  return namespace === undefined || namespace === '' ? [] : [namespace];
}

export function createLister<T extends KubeObject>(
  indexer: ReadIndexer<T>,
  resource: { readonly group: string; readonly plural: string },
): Lister<T> {
  const find = (name: string, namespace?: string): Cached<T> | undefined =>
    indexer.get(joinKey(namespace, name));
  return {
    list({ namespace, selector } = {}) {
      const objects = namespace === undefined ? indexer.list() : indexer.byIndex(NAMESPACE_INDEX, namespace);
      if (selector === undefined || selector === '') return objects;
      const parsed = typeof selector === 'string' ? parseLabelSelector(selector) : selector;
      return objects.filter((object) => parsed.matches(object.metadata.labels ?? {}));
    },
    find,
    get(name, namespace) {
      const object = find(name, namespace);
      if (object === undefined) throw newNotFound({ group: resource.group, resource: resource.plural }, name);
      return object;
    },
    byIndex: (index, value) => indexer.byIndex(index, value),
  };
}
