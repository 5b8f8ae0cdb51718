import { goValue } from '../../json/go-format.ts';
import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject, ownValue } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { PATCH } from './directives.ts';
import { badType, failed, listOfLists, noMergeKey } from './errors.ts';

/** What all the elements of the lists are; lists that mix kinds cannot be merged. */
export function elementKind(...lists: readonly (readonly JsonValue[])[]): 'object' | 'scalar' {
  let kind: string | undefined;
  for (const list of lists)
    for (const element of list) {
      const current = element === null ? 'null' : typeof element;
      if (kind === undefined) {
        if (Array.isArray(element)) throw listOfLists();
        kind = current;
      } else if (kind !== current || Array.isArray(element)) {
        const shown = goValue(lists.map((each) => [...each]));
        throw failed(`list element types are not identical: ${shown}`);
      }
    }
  if (kind === undefined) throw failed('no elements in any of the given slices');
  return kind === 'object' ? 'object' : 'scalar';
}

export function asObjects(list: readonly JsonValue[]): JsonObject[] {
  return list.map((element) => {
    if (!isJsonObject(element)) throw badType('map', element);
    return element;
  });
}

/** What identifies an element: the value of its merge key, or a scalar itself. */
export function identityOf(element: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === '') return element;
  if (!isJsonObject(element)) throw badType('map', element);
  const value = ownValue(element, mergeKey);
  if (value === undefined) throw noMergeKey(element, mergeKey);
  return value;
}

export function isDeletion(element: JsonValue): boolean {
  return isJsonObject(element) && ownValue(element, PATCH) === 'delete';
}
