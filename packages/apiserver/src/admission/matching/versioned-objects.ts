import { apiVersionOf } from '@windlass/apimachinery';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Draft, Stored } from '../../resource/strategy.ts';
import { fromStorage, toStorage } from '../../resource/target.ts';
import type { AdmissionRequest } from '../admission.ts';

/** What a write is about, in the version in which somebody asked to see it. */
export interface VersionedObjects {
  readonly definition: ResourceDefinition;
  readonly object: Stored | undefined;
  readonly oldObject: Stored | undefined;
}

export async function objectsIn(
  definition: ResourceDefinition,
  { definition: own, object, oldObject, kind }: AdmissionRequest,
): Promise<VersionedObjects> {
  // What has a kind of its own is in no version of the resource.
  if (kind !== undefined) return { definition, object: object as Stored | undefined, oldObject };
  return {
    definition,
    object: object === undefined ? undefined : await convert(object, own, definition),
    oldObject: oldObject === undefined ? undefined : await convert(oldObject, own, definition),
  };
}

/** From one version of a resource to another. What comes out says which kind it is. */
export async function convert(
  object: Draft | Stored,
  from: ResourceDefinition,
  to: ResourceDefinition,
): Promise<Stored> {
  const converted = from === to ? object : await fromStorage(to, { object: await toStorage(from, object) });
  return { ...converted, apiVersion: apiVersionOf(to), kind: to.kind };
}
