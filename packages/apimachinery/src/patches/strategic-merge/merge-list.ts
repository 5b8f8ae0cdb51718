import type { JsonObject } from '../../json/json-object.ts';
import { ownValue } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { PATCH } from './directives.ts';
import { asObjects, elementKind } from './elements.ts';
import { failed, noMergeKey, unknownDirective } from './errors.ts';
import { incoming, type MergeContext } from './merge-context.ts';
import { orderElements } from './order.ts';
import type { PatchField } from './patch-schema.ts';

/**
 * A list of the patch merged into the list of the same name. With `deletion`, the patch's list names
 * the scalars to take out.
 */
export function mergeLists(
  original: JsonValue[],
  patch: JsonValue[],
  field: PatchField,
  context: MergeContext,
  deletion: boolean,
): JsonValue[] {
  if (field.strategy !== 'merge' && !deletion) return incoming(patch, context);
  if (original.length === 0 && patch.length === 0) return original;
  const { mergeKey } = field;
  if (elementKind(original, patch) === 'object') {
    if (mergeKey === '') throw failed(`cannot merge lists without merge key for ${field.schema.kind}`);
    const base = carryOutDirectives(asObjects(original), asObjects(patch), mergeKey);
    const merged = mergeElements(base.original, base.patch, field, context);
    return orderElements({ merged, patchOrder: base.patch, serverOrder: base.original, mergeKey });
  }
  if (deletion && context.execute) {
    const gone = new Set(patch);
    return original.filter((element) => !gone.has(element));
  }
  const merged = [...new Set([...original, ...patch])];
  return orderElements({ merged, patchOrder: patch, serverOrder: original, mergeKey });
}

/** `$patch` in elements: `delete` takes the matching ones out, `replace` means the whole list. */
function carryOutDirectives(
  original: JsonObject[],
  patch: JsonObject[],
  mergeKey: string,
): { original: JsonObject[]; patch: JsonObject[] } {
  const plain: JsonObject[] = [];
  const gone = new Set<JsonValue | undefined>();
  let replace = false;
  for (const element of patch) {
    const directive = ownValue(element, PATCH);
    if (directive === undefined) plain.push(element);
    else if (directive === 'replace') replace = true;
    else if (directive === 'delete') {
      const value = ownValue(element, mergeKey);
      if (value === undefined) throw noMergeKey(element, mergeKey);
      gone.add(value);
    } else if (directive === 'merge') throw failed('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, element);
  }
  const kept =
    gone.size === 0 ? original : original.filter((candidate) => !gone.has(ownValue(candidate, mergeKey)));
  return replace ? { original: plain, patch: [] } : { original: kept, patch: plain };
}

function mergeElements(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  field: PatchField,
  context: MergeContext,
): JsonObject[] {
  const { mergeKey, schema } = field;
  const merged = original.slice();
  const positions = new Map<JsonValue | undefined, number>();
  for (const [index, element] of merged.entries()) {
    const value = ownValue(element, mergeKey);
    if (!positions.has(value)) positions.set(value, index);
  }
  for (const element of patch) {
    const value = ownValue(element, mergeKey);
    if (value === undefined) throw noMergeKey(element, mergeKey);
    const position = positions.get(value);
    const match = position === undefined ? undefined : merged[position];
    if (position === undefined || match === undefined) {
      positions.set(value, merged.length);
      merged.push(incoming(element, context));
    } else merged[position] = context.mergeObjects(match, element, schema);
  }
  return merged;
}
