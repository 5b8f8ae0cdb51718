import type { ObjectReference } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';

const FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** Selectable fields that are those of a reference within the object. */
export function referenceFields<S>(
  path: string,
  reference: (object: S) => View<ObjectReference> | undefined,
): Record<string, (object: S) => string> {
  return Object.fromEntries(
    FIELDS.map((field) => [`${path}.${field}`, (object: S) => reference(object)?.[field] ?? '']),
  );
}
