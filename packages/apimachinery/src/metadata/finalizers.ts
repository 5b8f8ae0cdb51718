// Objects come from caches and are nobody's to change, so that these functions return a new object that
// shares everything but the metadata with the old one; and the old one itself when nothing changes.

import type { DeepReadonly, KubeObject } from '../object.ts';

/** Dependents are deleted first. */
export const FOREGROUND_DELETION_FINALIZER = 'foregroundDeletion';
/** Dependents are left alone. */
export const ORPHAN_FINALIZER = 'orphan';

/** True once somebody asked to delete the object: it stays until its last finalizer is gone. */
export function isBeingDeleted(object: DeepReadonly<KubeObject>): boolean {
  // Servers write null for a time that is not set.
  return (object.metadata?.deletionTimestamp ?? null) !== null;
}

/** Whether the object has that finalizer. */
export function hasFinalizer(object: DeepReadonly<KubeObject>, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}

/** The object with that finalizer; the very object that was passed when it has it already. */
export function addFinalizer<T extends DeepReadonly<KubeObject>>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer)) return object;
  const finalizers = [...(object.metadata?.finalizers ?? []), finalizer];
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** Removes it wherever it stands; with the last one the field itself goes. */
export function removeFinalizer<T extends DeepReadonly<KubeObject>>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  const { finalizers, ...metadata } = { ...object.metadata };
  const kept = finalizers?.filter((other) => other !== finalizer) ?? [];
  return { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } };
}
