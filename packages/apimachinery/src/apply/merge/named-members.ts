import type { FieldSetEntry } from '../fields/field-set.ts';
import { FieldSet } from '../fields/field-set.ts';
import type { PathElement } from '../fields/path-element.ts';
import type { Type } from '../types/type.ts';

/**
 * The set with every declared field as a member that has members below it. Who applies `a.b.c` owns,
 * for the purpose of removal, `a` and `a.b` too where they are fields of a struct.
 */
export function withNamedMembers(set: FieldSet, type: Type | undefined): FieldSet {
  const result = new Map<PathElement, FieldSetEntry>();
  let same = true;
  for (const [element, entry] of set.entries()) {
    if (entry.children === undefined) {
      result.set(element, entry);
      continue;
    }
    const [childType, named] = childOf(element, type);
    const children = withNamedMembers(entry.children, childType);
    const member = entry.member || named;
    if (children === entry.children && member === entry.member) result.set(element, entry);
    else {
      same = false;
      result.set(element, { member, children });
    }
  }
  return same ? set : new FieldSet(result);
}

function childOf(element: PathElement, type: Type | undefined): [type: Type | undefined, named: boolean] {
  if (element.startsWith('f:')) {
    const field = type?.map?.field(element.slice(2));
    return field === undefined ? [type?.map?.values, false] : [field.type, true];
  }
  return [element.startsWith('k:') ? type?.list?.items : undefined, false];
}
