import { deepEqual } from '../../json/deep-equal.ts';
import type { JsonObject } from '../../json/json-object.ts';
import { setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import type { DiffContext } from './diff-context.ts';
import { PATCH } from './directives.ts';
import { asObjects, elementKind, identityOf } from './elements.ts';
import type { PatchField } from './patch-schema.ts';

export interface ListDiff {
  /** Elements to add or change, in `modified`'s order, then objects that say what to delete. */
  readonly changes: JsonValue[];
  /** Scalars to delete. */
  readonly deletions: JsonValue[];
  /** The order of `modified`; empty when nothing must be said about it. */
  readonly order: JsonValue[];
}

/** The difference of two lists that merge. */
export function diffLists(
  original: JsonValue[],
  modified: JsonValue[],
  field: PatchField,
  context: DiffContext,
): ListDiff {
  if (original.length === 0)
    return { changes: context.ignoreChanges ? [] : modified, deletions: [], order: [] };
  if (elementKind(original, modified) === 'scalar') return diffScalars(original, modified, context);
  return diffElements(asObjects(original), asObjects(modified), field, context);
}

function diffScalars(original: JsonValue[], modified: JsonValue[], context: DiffContext): ListDiff {
  const before = new Set(original);
  const after = new Set(modified);
  const changes = context.ignoreChanges ? [] : modified.filter((element) => !before.has(element));
  const deletions = context.ignoreDeletions ? [] : [...before].filter((element) => !after.has(element));
  const reordered = !context.ignoreChanges && !deepEqual(original, modified);
  const order = context.setElementOrder && (deletions.length > 0 || reordered) ? modified : [];
  return { changes, deletions, order };
}

function diffElements(
  original: JsonObject[],
  modified: JsonObject[],
  field: PatchField,
  context: DiffContext,
): ListDiff {
  const { mergeKey } = field;
  const before = new Map(original.map((element) => [identityOf(element, mergeKey), element]));
  const after = new Set(modified.map((element) => identityOf(element, mergeKey)));
  const changes: JsonValue[] = [];
  for (const element of modified) {
    const identity = identityOf(element, mergeKey);
    const match = before.get(identity);
    if (match === undefined) {
      if (!context.ignoreChanges) changes.push(element);
      continue;
    }
    const inner = context.diffObjects(match, element, field.schema, field.retainKeys);
    if (Object.keys(inner).length === 0) continue;
    setOwn(inner, mergeKey, identity);
    changes.push(inner);
  }
  if (!context.ignoreDeletions)
    for (const identity of before.keys())
      if (!after.has(identity)) changes.push({ [mergeKey]: identity, [PATCH]: 'delete' });

  const reordered =
    original.length !== modified.length ||
    modified.some((element, i) => identityOf(element, mergeKey) !== identityOf(original[i] ?? {}, mergeKey));
  const tellOrder = changes.length > 0 || (reordered && !context.ignoreChanges);
  const order =
    context.setElementOrder && tellOrder
      ? modified.map((element) => ({ [mergeKey]: identityOf(element, mergeKey) }))
      : [];
  return { changes, deletions: [], order };
}
