/** A value that later changes to the original do not reach. */
export function copiedObject(value: unknown): unknown {
  return value instanceof Uint8Array || value === undefined ? undefined : structuredClone(value);
}

/** An object, or a list of them, without what says who wrote which field. Shares the rest. */
export function withoutManagedFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { metadata, items } = value as { metadata?: unknown; items?: unknown };
  const isManaged = typeof metadata === 'object' && metadata !== null && 'managedFields' in metadata;
  if (!isManaged && !Array.isArray(items)) return value;
  const copy: Record<string, unknown> = { ...value };
  if (isManaged) {
    const { managedFields: _, ...rest } = metadata as Record<string, unknown>;
    copy['metadata'] = rest;
  }
  if (Array.isArray(items)) copy['items'] = items.map(withoutManagedFields);
  return copy;
}
