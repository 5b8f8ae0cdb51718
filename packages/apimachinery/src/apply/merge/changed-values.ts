import { deepEqual } from '../../json/deep-equal.ts';
import { isJsonObject, ownValue } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { type ElementPath, fieldElement, type PathElement } from '../fields/path-element.ts';
import { listElement } from '../types/list-element.ts';
import { deduceKind, type ListType, type MapType, type Type } from '../types/type.ts';

/**
 * Where the values of two objects of one form differ: those that are owned as a whole, such as scalars and atomic
 * lists. Undefined when something came or went, changed its kind or its place, or when it would take more than a look
 * to tell. Most writes are of this sort: a heartbeat, a status, a count. Costs what differs, and a comparison.
 */
export function changedValues(before: JsonValue, after: JsonValue, type: Type): ElementPath[] | undefined {
  const walk = new ValueWalk();
  return walk.visit(before, after, type) ? walk.changed : undefined;
}

class ValueWalk {
  readonly changed: ElementPath[] = [];
  readonly #path: PathElement[] = [];

  /** False when it cannot be told. */
  visit(before: JsonValue, after: JsonValue, type: Type): boolean {
    if (before === after) return true;
    const kind = deduceKind(type, before);
    if (kind === undefined || kind !== deduceKind(type, after)) return false;
    if (kind === 'map' && type.map !== undefined) return this.#map(before, after, type.map);
    if (kind === 'list' && type.list !== undefined) return this.#list(before, after, type.list);
    return typeof before === typeof after && typeof before !== 'object' && this.#note();
  }

  #map(before: JsonValue, after: JsonValue, type: MapType): boolean {
    if (!isJsonObject(before) || !isJsonObject(after)) return false;
    if (type.relationship === 'atomic') return deepEqual(before, after) || this.#note();
    const keys = Object.keys(after);
    if (keys.length === 0 || keys.length !== Object.keys(before).length) return false;
    for (const key of keys) {
      const from = ownValue(before, key);
      const to = after[key];
      if (from === to) continue;
      const field = type.field(key);
      const child = field?.type ?? type.values;
      if (from === undefined || to === undefined || child === undefined) return false;
      if (!this.#child(field?.element ?? fieldElement(key), from, to, child)) return false;
    }
    return true;
  }

  #list(before: JsonValue, after: JsonValue, type: ListType): boolean {
    if (!Array.isArray(before) || !Array.isArray(after)) return false;
    if (type.relationship === 'atomic') return deepEqual(before, after) || this.#note();
    if (before.length !== after.length) return false;
    const different = after.flatMap((item, index) => (deepEqual(before[index], item) ? [] : [index]));
    if (different.length === 0) return true;
    if (type.keys.length === 0 || !after.every(isJsonObject) || !before.every(isJsonObject)) return false;
    const elements = elementsOf(before, type);
    const isInPlace = elements !== undefined && deepEqual(elements, elementsOf(after, type));
    return isInPlace && different.every((index) => this.#item(index, elements, before, after, type.items));
  }

  #item(
    index: number,
    elements: readonly PathElement[],
    before: readonly JsonValue[],
    after: readonly JsonValue[],
    type: Type,
  ): boolean {
    const element = elements[index];
    const from = before[index];
    const to = after[index];
    if (element === undefined || from === undefined || to === undefined) return false;
    return this.#child(element, from, to, type);
  }

  #child(element: PathElement, before: JsonValue, after: JsonValue, type: Type): boolean {
    this.#path.push(element);
    const isTold = this.visit(before, after, type);
    this.#path.pop();
    return isTold;
  }

  #note(): true {
    this.changed.push([...this.#path]);
    return true;
  }
}

/** Undefined when one of them has no key, or two have the same. */
function elementsOf(items: readonly JsonValue[], type: ListType): PathElement[] | undefined {
  try {
    const elements = items.map((item) => listElement(type, item));
    return new Set(elements).size === elements.length ? elements : undefined;
  } catch {
    return undefined;
  }
}
