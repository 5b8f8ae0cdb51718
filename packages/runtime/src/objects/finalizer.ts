import {
  type Cached,
  hasFinalizer,
  isBeingDeleted,
  isNotFound,
  type JsonPatchOperation,
  type KubeObject,
  keyOf,
} from '@windlass/apimachinery';
import { asCached } from './as-cached.ts';
import type { KindClient, ReadOptions } from './kind-client.ts';

/** What is done while an object lives, and when it is about to go. */
export interface FinalizerHandlers<T extends KubeObject, R> {
  /** The object is there to stay, and has the finalizer. */
  readonly reconcile: (object: Cached<T>) => R | PromiseLike<R>;
  /**
   * The object is about to go. When this returns, the finalizer is removed; when it throws, the object
   * stays and it is tried again.
   */
  readonly cleanUp: (object: Cached<T>) => unknown;
}

/**
 * Keeps a finalizer on an object for as long as something outside of it must be cleaned up.
 *
 * The finalizer is there before `reconcile` is ever called, so nothing can be made that is never cleaned
 * up. Others' finalizers are never touched: each change is refused if the list has changed since it was
 * read, and then the key is tried again.
 */
export async function withFinalizer<T extends KubeObject, R>(
  objects: KindClient<T>,
  object: Cached<NoInfer<T>>,
  finalizer: string,
  { reconcile, cleanUp }: FinalizerHandlers<NoInfer<T>, R>,
  options: ReadOptions = {},
): Promise<R | undefined> {
  const has = hasFinalizer(object, finalizer);
  if (isBeingDeleted(object)) {
    if (!has) return undefined;
    await cleanUp(object);
    await remove(objects, object, finalizer, options);
    return undefined;
  }
  if (has) return reconcile(object);
  const patched = await objects.patch(keyOf(object), additionOf(object, finalizer), options);
  return reconcile(asCached(patched));
}

async function remove<T extends KubeObject>(
  objects: KindClient<T>,
  object: Cached<T>,
  finalizer: string,
  options: ReadOptions,
): Promise<void> {
  const index = object.metadata.finalizers?.indexOf(finalizer) ?? -1;
  const path = `/metadata/finalizers/${index}`;
  const patch: JsonPatchOperation[] = [
    { op: 'test', path, value: finalizer },
    { op: 'remove', path },
  ];
  try {
    await objects.patch(keyOf(object), patch, options);
  } catch (error) {
    // Gone is what was wanted.
    if (!isNotFound(error)) throw error;
  }
}

function additionOf(object: Cached<KubeObject>, finalizer: string): JsonPatchOperation[] {
  const finalizers = object.metadata.finalizers ?? [];
  // The version guards the list: a patch by position must find what was read.
  const unchanged: JsonPatchOperation = {
    op: 'test',
    path: '/metadata/resourceVersion',
    value: object.metadata.resourceVersion,
  };
  return finalizers.length === 0
    ? [unchanged, { op: 'add', path: '/metadata/finalizers', value: [finalizer] }]
    : [unchanged, { op: 'add', path: '/metadata/finalizers/-', value: finalizer }];
}
