import { WindlassError } from '@windlass/base';
import { isJsonObject, ownValue } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { goQuote } from '../../text/go-text.ts';
import { canonicalJson, canonicalString } from '../fields/canonical-json.ts';
import type { PathElement } from '../fields/path-element.ts';
import { valueElement } from '../fields/path-element.ts';
import type { ListType } from './type.ts';

/** An element of an associative list cannot be told from the others. The message is upstream's. */
export class ListElementError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'APPLY_LIST_ELEMENT' });
  }
}

/** What identifies an element of an associative list. */
export function listElement(list: ListType, item: JsonValue): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListType, item: JsonValue): PathElement {
  if (item === null) throw new ListElementError('associative list with keys may not have a null element');
  if (!isJsonObject(item))
    throw new ListElementError('associative list with keys may not have non-map elements');
  let keys = '';
  for (const { name, default: fallback } of list.sortedKeys) {
    const value = ownValue(item, name) ?? fallback;
    // An element that lacks a key is another element than one that has it.
    if (value === undefined) continue;
    keys += `${keys === '' ? '' : ','}${canonicalString(name)}:${canonicalJson(value)}`;
  }
  if (keys === '')
    throw new ListElementError(
      `associative list with keys has an element that omits all key fields [${list.keys.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`,
    );
  return `k:{${keys}}`;
}

function setElement(item: JsonValue): PathElement {
  if (item === null)
    throw new ListElementError("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item))
    throw new ListElementError('not supported: associative list with lists as elements');
  if (typeof item === 'object')
    throw new ListElementError("associative list without keys has an element that's a map type");
  return valueElement(item);
}
