import { deepEqual } from '../json/deep-equal.ts';
import type { JsonObject } from '../json/json-object.ts';
import { isJsonObject, ownValue } from '../json/json-object.ts';
import type { JsonValue, ManagedFieldsEntry } from '../object.ts';
import type { GroupVersionKind } from '../schema/schema.ts';

export function metadataOf(object: JsonObject): JsonObject {
  const metadata = ownValue(object, 'metadata');
  return isJsonObject(metadata) ? metadata : {};
}

export function textOf(object: JsonObject, key: string): string {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : '';
}

/** For what is no entry at all: decoding refuses it, and it is not the empty one, which means something. */
const NO_ENTRY: ManagedFieldsEntry = { operation: '' };

/** Undefined when the object has none; an empty list is not none. */
export function managedFieldsOf(object: JsonObject): ManagedFieldsEntry[] | undefined {
  const entries = ownValue(metadataOf(object), 'managedFields');
  if (!Array.isArray(entries)) return undefined;
  // Objects come in their typed form, in which the fields of an entry have their types.
  return entries.map((entry) => (isJsonObject(entry) ? (entry as ManagedFieldsEntry) : NO_ENTRY));
}

/** The object itself when it has none. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = ownValue(object, 'metadata');
  if (!isJsonObject(metadata) || ownValue(metadata, 'managedFields') === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** Without entries, the object has no `managedFields`. */
export function withManagedFields(object: JsonObject, entries: ManagedFieldsEntry[]): JsonObject {
  if (entries.length === 0) return withoutManagedFields(object);
  // Entries are JSON; their interface only lacks the index signature.
  return { ...object, metadata: { ...metadataOf(object), managedFields: entries as JsonValue } };
}

/** Whoever sends an empty list, or one with an empty entry, wants all owners forgotten. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined) return false;
  return entries.length === 0 || (entries.length === 1 && deepEqual(entries[0], {}));
}

/** `default/web; apps/v1, Kind=Deployment`, as messages name an object. */
export function describeObject(object: JsonObject, { group, version, kind }: GroupVersionKind): string {
  const metadata = metadataOf(object);
  return `${textOf(metadata, 'namespace')}/${textOf(metadata, 'name')}; ${group}/${version}, Kind=${kind}`;
}
