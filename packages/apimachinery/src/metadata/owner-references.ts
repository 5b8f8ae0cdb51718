// Objects come from caches and are nobody's to change, so that these functions return a new object that
// shares everything but the metadata with the old one; and the old one itself when nothing changes.

import { AlreadyOwnedError, InvalidReferenceError } from '../errors.ts';
import type { DeepReadonly, KubeObject, OwnerReference } from '../object.ts';
import type { ResourceType } from '../resource.ts';
import { kindOf } from './references.ts';

type ReadonlyObject = DeepReadonly<KubeObject>;

/** What an owner reference says beside the owner. */
export interface OwnerReferenceOptions {
  /** What the owner is, when it does not say so itself. */
  readonly ownerType?: ResourceType;
  /**
   * Whether foreground deletion of the owner waits for the owned object.
   * @default true for a controller, false for other owners
   */
  readonly blockOwnerDeletion?: boolean;
}

/** The one owner that manages the object. */
export function controllerOf(object: ReadonlyObject): DeepReadonly<OwnerReference> | undefined {
  return object.metadata?.ownerReferences?.find((reference) => reference.controller === true);
}

/** By uid: an owner that was deleted and made again under the same name is another one. */
export function isControlledBy(object: ReadonlyObject, owner: ReadonlyObject): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && uid !== '' && controllerOf(object)?.uid === uid;
}

/** A reference that makes `owner` the controller of whatever carries it. */
export function controllerReferenceTo(owner: ReadonlyObject, ownerType?: ResourceType): OwnerReference {
  return { ...ownerReferenceTo(owner, ownerType), controller: true, blockOwnerDeletion: true };
}

function ownerReferenceTo(owner: ReadonlyObject, ownerType: ResourceType | undefined): OwnerReference {
  const { name, uid } = owner.metadata ?? {};
  if (!name || !uid)
    throw new InvalidReferenceError(
      `${owner.kind ?? 'an object'} ${JSON.stringify(name ?? '')} cannot be an owner before the API server has given it a name and a uid`,
    );
  return { ...kindOf(owner, ownerType), name, uid };
}

/**
 * Makes `owner` the controller of `controlled`. A reference to the owner is replaced, also one from an
 * earlier life of it (same group, kind and name). Throws AlreadyOwnedError when another object controls
 * it, and InvalidReferenceError when the garbage collector would never find the owner: one with a
 * namespace owns only within it, one at the cluster scope owns everywhere.
 */
export function setControllerReference<T extends ReadonlyObject>(
  owner: ReadonlyObject,
  controlled: T,
  options: OwnerReferenceOptions = {},
): T {
  const reference = controllerReferenceTo(owner, options.ownerType);
  if (options.blockOwnerDeletion !== undefined) reference.blockOwnerDeletion = options.blockOwnerDeletion;
  checkScope(owner, controlled);
  const current = controllerOf(controlled);
  if (current !== undefined && !sameOwner(current, reference)) {
    const { namespace = '', name = '' } = controlled.metadata ?? {};
    throw new AlreadyOwnedError(
      `Object ${namespace}/${name} is already owned by another ${current.kind} controller ${current.name}`,
    );
  }
  return withOwner(controlled, reference);
}

/** Adds `owner` beside others, or brings the reference to it up to date. Throws as above. */
export function setOwnerReference<T extends ReadonlyObject>(
  owner: ReadonlyObject,
  owned: T,
  options: OwnerReferenceOptions = {},
): T {
  const reference = ownerReferenceTo(owner, options.ownerType);
  if (options.blockOwnerDeletion !== undefined) reference.blockOwnerDeletion = options.blockOwnerDeletion;
  checkScope(owner, owned);
  return withOwner(owned, reference);
}

/** Removes the reference to `owner`, of this or an earlier life. */
export function removeOwnerReference<T extends ReadonlyObject>(
  owner: ReadonlyObject,
  owned: T,
  ownerType?: ResourceType,
): T {
  const reference = ownerReferenceTo(owner, ownerType);
  const { ownerReferences = [], ...metadata } = { ...owned.metadata };
  const kept = ownerReferences.filter((other) => !sameOwner(other, reference));
  if (kept.length === ownerReferences.length) return owned;
  return { ...owned, metadata: kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept } };
}

/** True when any owner reference, controlling or not, has the owner's uid. */
export function isOwnedBy(object: ReadonlyObject, owner: ReadonlyObject): boolean {
  const uid = owner.metadata?.uid;
  if (uid === undefined || uid === '') return false;
  return object.metadata?.ownerReferences?.some((reference) => reference.uid === uid) ?? false;
}

function withOwner<T extends ReadonlyObject>(object: T, reference: OwnerReference): T {
  const references = object.metadata?.ownerReferences ?? [];
  const at = references.findIndex((other) => sameOwner(other, reference));
  const current = references[at];
  if (current !== undefined && sameReference(current, reference)) return object;
  const ownerReferences = current === undefined ? [...references, reference] : references.with(at, reference);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

function sameOwner(a: DeepReadonly<OwnerReference>, b: DeepReadonly<OwnerReference>): boolean {
  return a.name === b.name && a.kind === b.kind && groupOf(a.apiVersion) === groupOf(b.apiVersion);
}

function sameReference(a: DeepReadonly<OwnerReference>, b: DeepReadonly<OwnerReference>): boolean {
  return (
    a.uid === b.uid &&
    a.apiVersion === b.apiVersion &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}

function checkScope(owner: ReadonlyObject, owned: ReadonlyObject): void {
  const ownerNamespace = owner.metadata?.namespace ?? '';
  const namespace = owned.metadata?.namespace ?? '';
  if (ownerNamespace === '' || ownerNamespace === namespace) return;
  throw new InvalidReferenceError(
    namespace === ''
      ? `cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`
      : `cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`,
  );
}
