import { InvalidReferenceError } from '../errors.ts';
import type { DeepReadonly, KubeObject } from '../object.ts';
import { apiVersionOf, type ResourceType } from '../resource.ts';

/** Points at an object, or at a part of it. Events carry one. */
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  /** The part: `spec.containers{web}`. */
  fieldPath?: string;
}

/** What a reference says beside the object. */
export interface ReferenceOptions {
  /** What the object is. Needed when the object does not say so itself: items of lists often do not. */
  readonly type?: ResourceType;
  readonly fieldPath?: string;
}

/** The kind of an object, by its own word or by the caller's. */
export function kindOf(
  object: DeepReadonly<KubeObject>,
  type?: ResourceType,
): { readonly apiVersion: string; readonly kind: string } {
  if (object.apiVersion && object.kind) return { apiVersion: object.apiVersion, kind: object.kind };
  if (type !== undefined) return { apiVersion: apiVersionOf(type), kind: type.kind };
  throw new InvalidReferenceError(
    `the object ${JSON.stringify(object.metadata?.name ?? '')} has no apiVersion and kind; pass its type`,
  );
}

/** A reference to the object, as events have it. */
export function referenceTo(
  object: DeepReadonly<KubeObject>,
  { type, fieldPath }: ReferenceOptions = {},
): ObjectReference {
  const { apiVersion, kind } = kindOf(object, type);
  const reference: ObjectReference = { kind };
  const metadata = object.metadata ?? {};
  if (metadata.namespace) reference.namespace = metadata.namespace;
  if (metadata.name) reference.name = metadata.name;
  if (metadata.uid) reference.uid = metadata.uid;
  reference.apiVersion = apiVersion;
  if (metadata.resourceVersion) reference.resourceVersion = metadata.resourceVersion;
  if (fieldPath) reference.fieldPath = fieldPath;
  return reference;
}
