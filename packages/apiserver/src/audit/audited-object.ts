import { isRecord } from '@windlass/base';

/** A value that later changes to the original do not reach. */
export function copiedObject(value: unknown): unknown {
  return value instanceof Uint8Array || value === undefined ? undefined : structuredClone(value);
}

/** An object, or a list of them, without what says who wrote which field. Shares the rest. */
export function withoutManagedFields(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { metadata, items } = value;
  const isManaged = isRecord(metadata) && 'managedFields' in metadata;
  if (!isManaged && !Array.isArray(items)) return value;
  const copy: Record<string, unknown> = { ...value };
  if (isManaged) {
    const { managedFields: _, ...rest } = metadata;
    copy['metadata'] = rest;
  }
  if (Array.isArray(items)) copy['items'] = items.map(withoutManagedFields);
  return copy;
}
