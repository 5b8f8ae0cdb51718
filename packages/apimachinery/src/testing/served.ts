import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource.ts';
import type { Served } from '../served.ts';

const CREATED = '2026-01-02T03:04:05Z';

/**
 * The object as a server would give it. What its metadata lacks is filled in: the name `a`, the namespace
 * `default` for a kind that lives in one, a uid made of the name, the version `1`, and a fixed time of creation.
 */
export function served<T extends KubeObject>(type: ResourceType<T>, object: NoInfer<T>): Served<T> {
  const { name = 'a' } = object.metadata ?? {};
  const filled: unknown = {
    ...object,
    metadata: {
      name,
      ...(type.namespaced && { namespace: 'default' }),
      uid: `uid-of-${name}`,
      resourceVersion: '1',
      creationTimestamp: CREATED,
      ...object.metadata,
    },
  };
  // The object is of the kind, and its metadata now has all that Served adds.
  return filled as Served<T>;
}
