import type { FieldSetEntry } from './field-set.ts';
import { FieldSet } from './field-set.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** Which fields an endpoint persists: the others are never owned through it. */
export type FieldFilter = (fields: FieldSet) => FieldSet;

/** Everything but these fields and what is below them. A strategy's reset fields. */
export function excludeFields(excluded: FieldSet): FieldFilter {
  return (fields) => fields.recursiveDifference(excluded);
}

/** Any step, in a pattern. */
export const ANY: unique symbol = Symbol('any');

/** The beginning of paths: names of fields, or ANY. */
export type FieldPattern = readonly (string | typeof ANY)[];

/** Only what begins as one of the patterns does, and the steps on the way there. */
export function includeFields(...patterns: readonly FieldPattern[]): FieldFilter {
  return (fields) => include(fields, patterns);
}

function include(fields: FieldSet, patterns: readonly FieldPattern[]): FieldSet {
  const result = new Map<PathElement, FieldSetEntry>();
  for (const [element, entry] of fields.entries()) {
    const rest = patterns
      .filter(([first]) => first === ANY || (first !== undefined && fieldElement(first) === element))
      .map((pattern) => pattern.slice(1));
    if (rest.length === 0) continue;
    const all = rest.some((pattern) => pattern.length === 0);
    const below = all ? entry.children : entry.children && include(entry.children, rest);
    const children = below?.isEmpty === false ? below : undefined;
    if (entry.member || children !== undefined) result.set(element, { member: entry.member, children });
  }
  return result.size === 0 ? FieldSet.EMPTY : new FieldSet(result);
}
