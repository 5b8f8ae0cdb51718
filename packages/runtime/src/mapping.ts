// From an object that something happened to, to the keys that are to be reconciled.
import {
  type Cached,
  type DeepReadonly,
  type KubeObject,
  keyOf,
  type OwnerReference,
} from '@windlass/apimachinery';

/**
 * The keys that an object concerns. For an update it is asked about the old state and the new one, so that
 * what an object no longer belongs to is reconciled as well.
 */
export type Mapping<T extends KubeObject, K = string> = (object: Cached<T>) => Iterable<K>;

/** The object itself. */
export const toItself: Mapping<KubeObject> = (object) => [keyOf(object)];

/** Which owners of an object count. */
export interface OwnerMappingOptions {
  /** Owners that do not control the object count, too. @default false */
  readonly everyOwner?: boolean;
}

/**
 * The owners of this kind. Versions do not count: an owner may have been written by an older client. A
 * cluster-scoped owner is found by its name alone.
 */
export function toOwner(
  owner: { readonly group: string; readonly kind: string; readonly namespaced?: boolean },
  { everyOwner = false }: OwnerMappingOptions = {},
): Mapping<KubeObject> {
  const isOwner = (reference: DeepReadonly<OwnerReference>): boolean =>
    reference.kind === owner.kind &&
    groupOf(reference.apiVersion) === owner.group &&
    (everyOwner || reference.controller === true);
  return ({ metadata }) => {
    const references = metadata.ownerReferences;
    if (references === undefined) return [];
    const prefix = owner.namespaced === false || !metadata.namespace ? '' : `${metadata.namespace}/`;
    return references.filter(isOwner).map(({ name }) => `${prefix}${name}`);
  };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}
