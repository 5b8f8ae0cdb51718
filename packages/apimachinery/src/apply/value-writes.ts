import { deepEqual } from '../json/deep-equal.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import type { FieldSet } from './fields/field-set.ts';
import { parseFieldsV1 } from './fields/fields-v1.ts';
import type { ElementPath } from './fields/path-element.ts';
import type { KindTypes } from './kind-types.ts';
import { compareEntries } from './managers/managers.ts';
import { isStripped } from './managers/strip-meta.ts';
import { changedValues } from './merge/changed-values.ts';
import { managedFieldsOf, withoutManagedFields } from './object-access.ts';

export interface ValueWritesOptions {
  readonly subresource: string;
  /** The time of an entry that changes. */
  readonly now: () => string;
}

/**
 * The owners after a write that sets nothing but values that its writer owns alone: they stay who they are, and only
 * the writer's time changes. Most writes are of this sort, and working out all owners is a quarter of what a small
 * write costs.
 *
 * Nothing is concluded from entries that somebody else has made: only from those that an update has worked out under
 * the same schema, which `note` is told of.
 */
export class ValueWrites {
  readonly #types: KindTypes;
  readonly #options: ValueWritesOptions;
  /** The `fieldsV1` of entries that are as the schema wants them. They are frozen. */
  readonly #known = new WeakSet<object>();

  constructor(types: KindTypes, options: ValueWritesOptions) {
    this.#types = types;
    this.#options = options;
  }

  note(entries: readonly ManagedFieldsEntry[]): void {
    for (const { fieldsV1 } of entries) if (isObject(fieldsV1)) this.#known.add(fieldsV1);
  }

  /** The entries as they are after the write; undefined when it is not of this sort. */
  write(live: JsonObject, updated: JsonObject, name: string): ManagedFieldsEntry[] | undefined {
    const entries = managedFieldsOf(live);
    if (entries === undefined || !entries.every((entry) => this.#isKnown(entry))) return undefined;
    if (!this.#keepsOwners(entries, updated)) return undefined;
    const own = entries.findIndex((entry) => this.#isOwn(entry, name));
    if (own === -1) return undefined;
    const { type } = this.#types.typed(live);
    const changed = changedValues(withoutManagedFields(live), withoutManagedFields(updated), type);
    const owned = changed?.filter((path) => !isStripped(path));
    if (owned?.every((path) => isOwnedAlone(path, entries, own)) !== true) return undefined;
    if (owned.length === 0) return entries;
    const { now } = this.#options;
    return entries
      .map((entry, index) => (index === own ? { ...entry, time: now() } : entry))
      .sort(compareEntries);
  }

  #isKnown({ apiVersion, fieldsV1 }: ManagedFieldsEntry): boolean {
    return apiVersion === this.#types.apiVersion && isObject(fieldsV1) && this.#known.has(fieldsV1);
  }

  #isOwn({ manager, operation, subresource = '' }: ManagedFieldsEntry, name: string): boolean {
    const wanted = name === '' ? 'unknown' : name;
    return operation === 'Update' && subresource === this.#options.subresource && manager === wanted;
  }

  /** Whether what was sent leaves the owners alone: it names none, or just these. */
  #keepsOwners(entries: readonly ManagedFieldsEntry[], updated: JsonObject): boolean {
    if (this.#options.subresource !== '') return true;
    const sent = managedFieldsOf(updated);
    return sent === undefined || deepEqual(sent, entries);
  }
}

function isOwnedAlone(path: ElementPath, entries: readonly ManagedFieldsEntry[], own: number): boolean {
  return entries.every(({ fieldsV1 }, index) => {
    const fields = parseFieldsV1(fieldsV1);
    return index === own ? isLeaf(path, fields) : !fields.has(path);
  });
}

/** Whether the path is in the set, and nothing below it. */
function isLeaf(path: ElementPath, fields: FieldSet): boolean {
  let at: FieldSet | undefined = fields;
  let entry: ReturnType<FieldSet['entry']>;
  for (const element of path) {
    entry = at?.entry(element);
    at = entry?.children;
  }
  return entry?.member === true && at === undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
