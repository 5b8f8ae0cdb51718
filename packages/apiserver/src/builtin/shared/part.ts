import type { Draft, Stored } from '../../resource/strategy.ts';

/**
 * For subresources that write one part of an object: makes the draft as the object was, but for its metadata.
 * Returns what the client sent, from which the part is then taken.
 */
export function restoreAllButMetadata<D extends Draft>(draft: D, old: Stored): D {
  const asked = { ...draft };
  const fields: Draft = draft;
  for (const field of Object.keys(fields)) if (field !== 'metadata') delete fields[field];
  const { metadata: _, ...rest } = structuredClone(old);
  Object.assign(fields, rest);
  return asked;
}
