// FieldsV1: how a set of paths stands in `metadata.managedFields`. Each key is a step; an empty object
// is a member; `.` says that the step itself is a member beside what is below it.
//
// Of an object that is written again most owners stay as they were, and reading and writing them would
// be half of the work. So a set remembers the JSON that was made of it, and that JSON an equal set, which
// all equal sets share. It is frozen, so neither can be wrong.

import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject } from '../../json/json-object.ts';
import type { FieldSetEntry } from './field-set.ts';
import { FieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import { FieldsV1Error, parsePathElement } from './path-element.ts';
import { type SharedLevel, SharedLevels } from './shared-levels.ts';

const SELF = '.';
const LEAF: FieldSetEntry = { member: true, children: undefined };
const LEVELS = new SharedLevels();

/** Not enumerable: whoever copies, compares or writes the JSON does not see it. */
const SOURCE = Symbol('source');

/** Steps of a type that we do not know are left out: a later release may have them. */
export function parseFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return FieldSet.EMPTY;
  if (typeof fields === 'object' && SOURCE in fields && fields[SOURCE] instanceof FieldSet)
    return fields[SOURCE];
  return parseLevel(fields).children ?? FieldSet.EMPTY;
}

function parseLevel(fields: unknown): FieldSetEntry {
  if (!isJsonObject(fields)) throw new FieldsV1Error('fieldsV1 must be an object of objects');
  const entries = new Map<PathElement, FieldSetEntry>();
  let member = false;
  for (const key of Object.keys(fields)) {
    if (key === SELF) {
      member = true;
      continue;
    }
    const element = parsePathElement(key);
    if (element !== undefined) entries.set(element, parseLevel(fields[key]));
  }
  if (entries.size === 0) return LEAF;
  return { member, children: new FieldSet(entries) };
}

/** In canonical order, and frozen. Equal sets share what is made of them. */
export function formatFieldsV1(set: FieldSet): JsonObject {
  return set.memoize('fieldsV1', () => {
    const shared = LEVELS.of(set);
    return shared.set.memoize('fieldsV1', () => withSource(shared));
  });
}

function withSource({ set, json }: SharedLevel): JsonObject {
  // Not the level's own, which is a part of others' JSON.
  const fields = { ...json };
  Object.defineProperty(fields, SOURCE, { value: set });
  return Object.freeze(fields);
}
