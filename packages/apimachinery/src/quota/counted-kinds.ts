// The kinds whose objects count for more than one object.
import type { PersistentVolumeClaim, Pod, Service } from '../generated/api/core/v1.ts';
import type { ResourceClaim } from '../generated/api/resource/v1.ts';
import type { DeepReadonly, KubeObject } from '../object.ts';
import type { ResourceType } from '../resource.ts';

/** A resource that quotas count. */
export interface CountedResource {
  readonly group: string;
  readonly plural: string;
}

type CountedKind<T extends KubeObject> = Omit<ResourceType<T>, 'version' | 'kind' | 'namespaced'>;

export const PODS: CountedKind<Pod> = { group: '', plural: 'pods' };
export const CLAIMS: CountedKind<PersistentVolumeClaim> = { group: '', plural: 'persistentvolumeclaims' };
export const SERVICES: CountedKind<Service> = { group: '', plural: 'services' };
export const RESOURCE_CLAIMS: CountedKind<ResourceClaim> = {
  group: 'resource.k8s.io',
  plural: 'resourceclaims',
};

/** Whether the object is of the kind. The resource that it belongs to tells, since nothing else is kept there. */
export function isOf<T extends KubeObject>(
  resource: CountedResource,
  kind: CountedKind<T>,
  object: unknown,
): object is DeepReadonly<T> {
  return object !== undefined && resource.group === kind.group && resource.plural === kind.plural;
}
