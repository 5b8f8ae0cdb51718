import { deepEqual } from '../../json/deep-equal.ts';
import { goValue } from '../../json/go-format.ts';
import type { JsonObject } from '../../json/json-object.ts';
import { ownValue, setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { PATCH, SET_ELEMENT_ORDER, targetOf, withoutPatchedObjects } from './directives.ts';
import { asObjects, elementKind, identityOf, isDeletion } from './elements.ts';
import { badSetElementOrder, badType, failed } from './errors.ts';
import { incoming, type MergeContext } from './merge-context.ts';
import { mergeLists } from './merge-list.ts';
import { orderElements } from './order.ts';
import type { PatchSchema } from './patch-schema.ts';

/**
 * Merges the lists that the patch gives an order for, into `result`. What is done leaves `patch`: the
 * orders, and the lists that they speak of.
 */
export function mergeOrderedLists(
  result: JsonObject,
  patch: JsonObject,
  schema: PatchSchema,
  context: MergeContext,
): void {
  for (const orderKey of Object.keys(patch)) {
    const order = patch[orderKey];
    if (order === undefined || !orderKey.startsWith(SET_ELEMENT_ORDER)) continue;
    if (!context.execute) {
      const before = ownValue(result, orderKey);
      if (before !== undefined && !deepEqual(before, order)) throw badSetElementOrder();
      setOwn(result, orderKey, order);
    }
    delete patch[orderKey];
    if (!Array.isArray(order)) throw badType('list', order);
    const key = targetOf(orderKey, SET_ELEMENT_ORDER);
    const merged = mergeOrderedList(ownValue(result, key), ownValue(patch, key), order, schema, key, context);
    if (merged === undefined) continue;
    setOwn(result, key, merged);
    delete patch[key];
  }
}

function mergeOrderedList(
  current: JsonValue | undefined,
  patch: JsonValue | undefined,
  order: JsonValue[],
  schema: PatchSchema,
  key: string,
  context: MergeContext,
): JsonValue[] | undefined {
  if (current !== undefined && !Array.isArray(current)) throw badType('list', current);
  if (patch !== undefined && !Array.isArray(patch)) throw badType('list', patch);
  const field = schema.list(key);
  const { mergeKey } = field;
  checkOrder(patch ?? [], order, mergeKey);
  if (current === undefined && patch === undefined) return undefined;

  let merged: JsonValue[];
  if (patch === undefined) merged = current ?? [];
  // A list stays a list when objects are taken out of it.
  else if (current === undefined) merged = incoming(withoutPatchedObjects(patch) as JsonValue[], context);
  else merged = mergeLists(current, patch, field, context, false);
  const kind = elementKind(current ?? [], patch ?? []);
  const serverOrder =
    kind === 'object' ? orderAfterMerge(current ?? [], patch ?? [], mergeKey) : (current ?? []);
  return orderElements({ merged, patchOrder: order, serverOrder, mergeKey });
}

/**
 * The list's order as the server sees it after merging. There the list is changed in place: what follows
 * a deleted element moves up, and new elements take the places at the end that became free. So an
 * element that replaces a deleted one stands behind those that the order does not name.
 */
function orderAfterMerge(
  current: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  const places = current.slice();
  const gone = new Set(patch.filter(isDeletion).map((element) => identityOf(element, mergeKey)));
  const kept = places.filter((element) => !gone.has(identityOf(element, mergeKey)));
  const known = new Set(kept.map((element) => identityOf(element, mergeKey)));
  const replaced = patch.some((element) => !isDeletion(element) && PATCH in Object(element));
  const added = replaced
    ? []
    : patch.filter((element) => !isDeletion(element) && !known.has(identityOf(element, mergeKey)));
  const rest = [...kept, ...added].slice(0, places.length);
  return [...rest, ...places.slice(rest.length)];
}

/** Every element that the patch brings must be in the order, and in that order. */
function checkOrder(patch: JsonValue[], order: JsonValue[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const brought = mergeKey === '' ? patch : asObjects(patch).filter((element) => !isDeletion(element));
  let next = 0;
  let position = 0;
  while (next < brought.length && position < order.length) {
    const element = brought[next] ?? null;
    if (typeof element === 'object' && element !== null && PATCH in element) {
      next++;
      continue;
    }
    if (identityOf(element, mergeKey) === identityOf(order[position] ?? null, mergeKey)) next++;
    position++;
  }
  if (next < brought.length)
    throw failed(
      `The order in patch list:\n${goValue(patch)}\n doesn't match ${SET_ELEMENT_ORDER} list:\n${goValue(order)}\n`,
    );
}
