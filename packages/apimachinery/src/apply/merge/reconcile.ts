import { FieldSet } from '../fields/field-set.ts';
import { FieldSetBuilder } from '../fields/field-set-builder.ts';
import type { PathElement } from '../fields/path-element.ts';
import { mainKind, type Type } from '../types/type.ts';

/**
 * The set as it would be under today's schema: where something has become atomic since the set was
 * written, who owned parts of it owns the whole. What has ceased to be atomic stays as it is.
 */
export function reconcileWithSchema(set: FieldSet, type: Type): FieldSet {
  const atomic = new FieldSetBuilder();
  visit(set, false, type, [], atomic);
  const changed = atomic.build();
  return changed.isEmpty ? set : set.recursiveDifference(changed).union(changed);
}

/** `owned`: whether the path itself is a member without members below it. */
function visit(
  set: FieldSet,
  owned: boolean,
  type: Type,
  path: PathElement[],
  atomic: FieldSetBuilder,
): void {
  const kind = mainKind(type);
  if (kind === 'map' && type.map !== undefined) {
    if (type.map.freeForm) return;
    if (!owned && type.map.relationship === 'atomic') {
      if (!set.isEmpty) atomic.insert(path);
      return;
    }
  } else if (kind === 'list' && type.list !== undefined) {
    if (!owned && type.list.relationship === 'atomic') return atomic.insert(path);
  } else return;
  for (const [element, entry] of set.entries()) {
    const childType = kind === 'list' ? type.list?.items : typeAt(type, element);
    if (childType === undefined) continue;
    path.push(element);
    const leaf = entry.member && entry.children === undefined;
    visit(entry.children ?? FieldSet.EMPTY, leaf, childType, path, atomic);
    path.pop();
  }
}

function typeAt({ map }: Type, element: PathElement): Type | undefined {
  return (element.startsWith('f:') ? map?.field(element.slice(2))?.type : undefined) ?? map?.values;
}
