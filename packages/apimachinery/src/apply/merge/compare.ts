import { deepEqual } from '../../json/deep-equal.ts';
import { isJsonObject, ownValue } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { FieldSetBuilder } from '../fields/field-set-builder.ts';
import { fieldElement, type PathElement } from '../fields/path-element.ts';
import { listElement } from '../types/list-element.ts';
import { isEmptyObject } from '../types/to-field-set.ts';
import { deduceKind, type Kind, type ListType, type MapType, mainKind, type Type } from '../types/type.ts';

/** How one value became another. No path is in more than one of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two valid values of a type. Nothing is looked at that both share. */
export function compare(before: JsonValue, after: JsonValue, type: Type): Comparison {
  const walk = new ComparisonWalk();
  walk.visit(before, after, type);
  return {
    removed: walk.removed.build(),
    modified: walk.modified.build(),
    added: walk.added.build(),
  };
}

type Maybe = JsonValue | undefined;

class ComparisonWalk {
  readonly removed = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly added = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  visit(before: Maybe, after: Maybe, type: Type): void {
    if (before === after) return;
    const was = deduceKind(type, before) ?? mainKind(type);
    const is = deduceKind(type, after) ?? mainKind(type);
    let leaf: boolean;
    if (after === undefined) leaf = this.#as(was, before, after, type);
    else {
      // A value of undeclared type may become something else: what it was is gone, what it is is new.
      if (before !== undefined && was !== is) this.#as(was, before, after, type);
      leaf = this.#as(is, before, after, type);
    }
    if (leaf) return;
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
  }

  /** True when the values were compared as a whole. */
  #as(kind: Kind, before: Maybe, after: Maybe, type: Type): boolean {
    if (kind === 'map' && type.map !== undefined) return this.#map(before, after, type.map);
    if (kind === 'list' && type.list !== undefined) return this.#list(before, after, type.list);
    return this.#leaf(before, after);
  }

  #leaf(before: Maybe, after: Maybe): true {
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
    else if (!deepEqual(before, after)) this.modified.insert(this.#path);
    return true;
  }

  #map(before: Maybe, after: Maybe, type: MapType): boolean {
    const from = isJsonObject(before) && !isEmptyObject(before) ? before : undefined;
    const to = isJsonObject(after) && !isEmptyObject(after) ? after : undefined;
    // Where both are empty or null, the difference between the two matters.
    if (type.relationship === 'atomic' || (from === undefined && to === undefined))
      return this.#leaf(before, after);
    if (from !== undefined)
      for (const key of Object.keys(from)) {
        const child = from[key];
        if (child !== undefined) this.#field(key, child, to && ownValue(to, key), type);
      }
    if (to !== undefined)
      for (const key of Object.keys(to)) {
        const child = to[key];
        if (child !== undefined && (from === undefined || ownValue(from, key) === undefined))
          this.#field(key, undefined, child, type);
      }
    return false;
  }

  #field(key: string, before: Maybe, after: Maybe, type: MapType): void {
    if (before === after) return;
    const field = type.field(key);
    const childType = field?.type ?? type.values;
    if (childType !== undefined) this.#child(field?.element ?? fieldElement(key), before, after, childType);
  }

  #child(element: PathElement, before: Maybe, after: Maybe, type: Type): void {
    this.#path.push(element);
    this.visit(before, after, type);
    this.#path.pop();
  }

  #list(before: Maybe, after: Maybe, type: ListType): boolean {
    const from = Array.isArray(before) && before.length > 0 ? before : undefined;
    const to = Array.isArray(after) && after.length > 0 ? after : undefined;
    if (type.relationship === 'atomic' || (from === undefined && to === undefined))
      return this.#leaf(before, after);
    const old = groupByElement(from ?? [], type);
    const fresh = groupByElement(to ?? [], type);
    for (const [element, items] of old) this.#items(element, items, fresh.get(element) ?? [], type);
    for (const [element, items] of fresh) if (!old.has(element)) this.#items(element, [], items, type);
    return false;
  }

  /** Several elements with one key can only be told apart as a whole. */
  #items(
    element: PathElement,
    before: readonly JsonValue[],
    after: readonly JsonValue[],
    type: ListType,
  ): void {
    if (before.length <= 1 && after.length <= 1) return this.#child(element, before[0], after[0], type.items);
    if (before.length > 1 && after.length > 1) {
      if (!deepEqual(before, after)) this.#mark(this.modified, element);
    } else if (before.length > 1) {
      if (after.length > 0) this.#child(element, undefined, after[0], type.items);
      this.#mark(this.removed, element);
    } else {
      if (before.length > 0) this.#child(element, before[0], undefined, type.items);
      this.#mark(this.added, element);
    }
  }

  #mark(set: FieldSetBuilder, element: PathElement): void {
    this.#path.push(element);
    set.insert(this.#path);
    this.#path.pop();
  }
}

function groupByElement(list: readonly JsonValue[], type: ListType): Map<PathElement, JsonValue[]> {
  const groups = new Map<PathElement, JsonValue[]>();
  for (const item of list) {
    const element = listElement(type, item);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}
