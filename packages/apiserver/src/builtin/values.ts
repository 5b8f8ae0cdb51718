// Small tools for rules: objects of built-in kinds are in their typed form, so a field that is there has
// the right type.
import type { Draft } from '../resource/strategy.ts';

export type Fields = Record<string, unknown>;

/** An object's field that is an object; undefined when it is absent. */
export function objectAt(parent: Readonly<Fields> | undefined, field: string): Fields | undefined {
  const value = parent?.[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** As `objectAt`, but makes it when it is absent. */
export function objectIn(parent: Fields, field: string): Fields {
  const existing = objectAt(parent, field);
  if (existing !== undefined) return existing;
  const made: Fields = {};
  parent[field] = made;
  return made;
}

/** The objects of a list; none when it is absent. */
export function objectsAt(parent: Readonly<Fields> | undefined, field: string): Fields[] {
  const value = parent?.[field];
  return Array.isArray(value)
    ? value.filter((item): item is Fields => typeof item === 'object' && item !== null)
    : [];
}

/** Sets a field that is absent, or null. */
export function setDefault(parent: Fields, field: string, value: unknown): void {
  if (parent[field] === undefined || parent[field] === null) parent[field] = value;
}

/** Sets a field that is absent, or empty: for texts of which an empty one means nothing. */
export function setDefaultText(parent: Fields, field: string, value: string): void {
  if (parent[field] === undefined || parent[field] === null || parent[field] === '') parent[field] = value;
}

export function specOf(draft: Draft): Fields {
  return objectIn(draft, 'spec');
}
