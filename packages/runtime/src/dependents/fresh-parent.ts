import { type Cached, deepEqual, isBeingDeleted, isNotFound, type KubeObject } from '@windlass/apimachinery';
import { WindlassError } from '@windlass/base';
import { asCached } from '../objects/as-cached.ts';
import type { KindClient } from '../objects/kind-client.ts';

/** The cache is behind: what was read of the parent is not what the server has. */
export class StaleParentError extends WindlassError {
  constructor() {
    super('the parent has changed since it was read', { code: 'STALE_PARENT' });
  }
}

/** Whether both ask for the same children: the status has no say in that. */
export function asksTheSame(a: Cached<KubeObject>, b: Cached<KubeObject>): boolean {
  return (
    a.metadata.uid === b.metadata.uid &&
    a.metadata.generation === b.metadata.generation &&
    isBeingDeleted(a) === isBeingDeleted(b) &&
    deepEqual(a.metadata.labels, b.metadata.labels) &&
    deepEqual(a.metadata.annotations, b.metadata.annotations)
  );
}

/**
 * Asks the server, once a run, whether the parent still is what was read. To be called before a child is
 * made or deleted: a replica that has just become the leader may know newer children than parents, and
 * would delete what the new parent wants.
 * @throws StaleParentError
 */
export function parentCheck<P extends KubeObject>(
  parents: KindClient<P>,
  parent: Cached<KubeObject>,
  signal: AbortSignal,
): () => Promise<void> {
  let checked: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    const { namespace, name } = parent.metadata;
    try {
      const live = asCached(await parents.live(namespace).get(name, { signal }));
      if (!asksTheSame(live, parent)) throw new StaleParentError();
    } catch (error) {
      if (isNotFound(error)) throw new StaleParentError();
      throw error;
    }
  };
  return () => (checked ??= check());
}
