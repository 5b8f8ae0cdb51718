import {
  type Cached,
  hasStatusCause,
  isAlreadyExists,
  isBeingDeleted,
  isConflict,
  isNotFound,
  type KubeObject,
  type ResourceType,
} from '@windlass/apimachinery';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';

export interface NamespaceObjectOptions<T extends KubeObject> {
  /** Of the controller. */
  readonly name: string;
  readonly concurrency: number;
  readonly type: ResourceType<T>;
  /** What the object is called, in each namespace. */
  readonly objectName: string;
  /** What it is to be, without its name and namespace. */
  readonly content: Omit<T, 'metadata'>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether it may stay as it is. */
  readonly isRight: (object: Cached<T>) => boolean;
}

/**
 * An object that every namespace has as long as it is not on its way out. It comes back when it is deleted,
 * and is set right when it is changed. Only objects of this name are watched: there may be a million others.
 */
export function keepInEveryNamespace<T extends KubeObject>(
  manager: Manager,
  options: NamespaceObjectOptions<T>,
): void {
  const { name, concurrency, type, objectName, content, annotations, isRight } = options;
  const fieldSelector = `metadata.name=${objectName}`;
  const namespaces = manager.cluster.cache.kind(Namespace);
  const known = manager.cluster.cache.kind(type, { fieldSelector });
  const objects = manager.objects(type);
  manager
    .controller(name)
    .for(Namespace, { predicates: [({ type: what }) => what !== 'delete'] })
    .watches(type, ({ metadata }) => [metadata.namespace ?? ''], { fieldSelector })
    .reconcile(
      async (namespace, { signal }) => {
        const owner = namespaces.find(namespace);
        if (owner === undefined || isBeingDeleted(owner)) return undefined;
        const found = known.find(`${namespace}/${objectName}`);
        if (found !== undefined && isRight(found)) return undefined;
        const metadata = { name: objectName, namespace, ...(annotations !== undefined && { annotations }) };
        // Together they are a T: whoever gives the content says so.
        const object = { ...content, metadata } as unknown as T;
        try {
          if (found === undefined) await objects.create(object, { signal });
          else await objects.update(object, { signal });
        } catch (error) {
          // The cache is behind. What it missed may be gone again when it has caught up, and then no event tells.
          if (isAlreadyExists(error) || isConflict(error) || isNotFound(error)) return { requeue: true };
          if (!hasStatusCause(error, 'NamespaceTerminating')) throw error;
        }
        return undefined;
      },
      { concurrency },
    );
}
