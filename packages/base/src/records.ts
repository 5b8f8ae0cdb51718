// Values of which nothing is known yet, such as parsed JSON.

/** Whether the value is what JSON calls an object: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field of an object or a list; undefined when the value is neither. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // An object may be asked for any field.
  return (value as Readonly<Record<string, unknown>>)[name];
}
