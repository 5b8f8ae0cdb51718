import { apiVersionOf, type GroupKind, type GroupResource } from '@windlass/apimachinery';
import type { RequestContext } from '../request/context.ts';
import type { StoredObject } from '../storage/store.ts';
import { type ResourceDefinition, storageKey } from './definition.ts';
import type { Draft, Stored } from './strategy.ts';

/** One object that a request is about. */
export interface Target {
  readonly definition: ResourceDefinition;
  /** Empty at the cluster scope. */
  readonly namespace: string;
  readonly name: string;
  readonly context: RequestContext;
}

export function keyOfTarget({
  definition,
  namespace,
  name,
}: Pick<Target, 'definition' | 'namespace' | 'name'>): string {
  return storageKey(definition, namespace, name);
}

export function groupResource({ definition }: Pick<Target, 'definition'>): GroupResource {
  return { group: definition.group, resource: definition.plural };
}

export function groupKind({ definition }: Pick<Target, 'definition'>): GroupKind {
  return { group: definition.group, kind: definition.kind };
}

/** A stored object in the version that the definition serves. */
export function fromStorage(
  definition: ResourceDefinition,
  stored: Pick<StoredObject, 'object'>,
): Stored | Promise<Stored> {
  const { object }: { readonly object: Stored } = stored;
  const { convertFromStorage, version } = definition.storage;
  if (convertFromStorage !== undefined) return convertFromStorage(object);
  return version === definition.version ? object : { ...object, apiVersion: apiVersionOf(definition) };
}

/** What a read or a write answers. */
export interface ServedObject {
  readonly object: Stored;
  /** Its bytes are at hand. Absent when the object is not served in the form in which it is stored. */
  readonly stored?: StoredObject;
}

export async function served(definition: ResourceDefinition, stored: StoredObject): Promise<ServedObject> {
  const object = await fromStorage(definition, stored);
  return object === stored.object ? { object, stored } : { object };
}

/** An object in the version that is stored. */
export function toStorage(definition: ResourceDefinition, object: Stored): Stored | Promise<Stored> {
  const { convertToStorage, version } = definition.storage;
  // Conversions change nothing of what they are given: they make a new object.
  if (convertToStorage !== undefined) return convertToStorage(object as Draft);
  return version === definition.version
    ? object
    : { ...object, apiVersion: apiVersionOf({ group: definition.storage.group, version }) };
}
