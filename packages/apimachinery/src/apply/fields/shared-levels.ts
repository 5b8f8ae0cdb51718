// The pods of a deployment have the same owners of the same fields. Kept once for each pod, sets and their JSON were
// a third of what 5,000 pods take in memory; so what is equal is kept once.

import { type JsonObject, setOwn } from '../../json/json-object.ts';
import { FieldSet, type FieldSetEntry } from './field-set.ts';

const SELF = '.';
const LEAF: FieldSetEntry = { member: true, children: undefined };
const NOTHING: JsonObject = Object.freeze({});

/** More than the owners of all built-in kinds have; a level is about 300 bytes. */
const DEFAULT_LEVELS = 4096;

/** A set, and the JSON that says the same. Both are frozen. */
export interface SharedLevel {
  readonly set: FieldSet;
  readonly json: JsonObject;
  /** Equal levels have the same number, as long as they are remembered. */
  readonly id: number;
}

/** Gives equal sets one set and one JSON. Those that nobody asked for lately are forgotten, and made anew. */
export class SharedLevels {
  readonly #limit: number;
  #recent = new Map<string, SharedLevel>();
  #older = new Map<string, SharedLevel>();
  #nextId = 0;

  constructor(limit = DEFAULT_LEVELS) {
    this.#limit = limit;
  }

  /**
   * O(members of the set).
   * @param isMember whether the step that leads to it is a member as well
   */
  of(set: FieldSet, isMember = false): SharedLevel {
    const elements = set.elements();
    const below = elements.map((element) => {
      const entry = set.entry(element);
      return entry?.children === undefined ? undefined : this.of(entry.children, entry.member);
    });
    let key = isMember ? SELF : '';
    // With their lengths, so that no name can look like two.
    for (const [index, element] of elements.entries())
      key += `${element.length}:${element}${below[index]?.id ?? ''},`;
    return this.#find(key) ?? this.#remember(key, this.#make(set, elements, below, isMember));
  }

  #make(
    set: FieldSet,
    elements: readonly string[],
    below: readonly (SharedLevel | undefined)[],
    isMember: boolean,
  ): SharedLevel {
    const json: JsonObject = isMember ? { [SELF]: NOTHING } : {};
    const entries = new Map<string, FieldSetEntry>();
    for (const [index, element] of elements.entries()) {
      const child = below[index];
      setOwn(json, element, child?.json ?? NOTHING);
      const member = set.hasMember(element);
      entries.set(element, child === undefined ? LEAF : { member, children: child.set });
    }
    return { set: new FieldSet(entries), json: Object.freeze(json), id: this.#nextId++ };
  }

  #find(key: string): SharedLevel | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    return older === undefined ? undefined : this.#remember(key, older);
  }

  #remember(key: string, level: SharedLevel): SharedLevel {
    if (this.#recent.size >= this.#limit) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, level);
    return level;
  }
}
