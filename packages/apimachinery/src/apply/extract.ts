import { isJsonObject, ownValue } from '../json/json-object.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import type { Schema } from '../schema/schema.ts';
import { parseFieldsV1 } from './fields/fields-v1.ts';
import { extractFields } from './merge/extract-fields.ts';
import { managedFieldsOf, metadataOf } from './object-access.ts';
import { DEDUCED, type TypeCompiler } from './types/type-compiler.ts';
import { validate } from './types/validate.ts';

/** How the fields of one manager are found in an object. */
export interface ExtractOptions {
  readonly types: TypeCompiler;
  /** Of the object's kind and version. Without it, lists come as a whole. @default none */
  readonly schema?: Schema;
  /** Through which subresource the manager applied. @default '', the object itself */
  readonly subresource?: string;
}

/** Any part of it, at any depth. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;

/**
 * What a manager applied, as far as it still owns it: the configuration to change and apply again.
 * Applying less gives up what is left out, so a loop must start from all of it. With `apiVersion`,
 * `kind`, and the object's name and namespace. Undefined when the manager applied nothing.
 */
export function extractApplied<T extends object>(
  object: T,
  manager: string,
  options: ExtractOptions,
): DeepPartial<T> | undefined {
  if (!isJsonObject(object)) return undefined;
  const entry = appliedBy(managedFieldsOf(object) ?? [], manager, options.subresource ?? '');
  if (entry === undefined) return undefined;
  const type = options.schema === undefined ? DEDUCED : options.types.typeOf(options.schema);
  validate(object, type, { allowDuplicates: true });
  const part = extractFields(object, parseFieldsV1(entry.fieldsV1).leaves(), type);
  const { metadata: own, ...rest } = isJsonObject(part) ? part : {};
  const metadata = { ...(isJsonObject(own) ? own : {}) };
  for (const key of ['name', 'namespace']) {
    const value = ownValue(metadataOf(object), key);
    if (value !== undefined) metadata[key] = value;
  }
  const { apiVersion = null, kind = null } = object;
  const configuration: object = { apiVersion, kind, metadata, ...rest };
  return configuration as DeepPartial<T>; // it is made of parts of the object
}

function appliedBy(
  entries: readonly ManagedFieldsEntry[],
  manager: string,
  subresource: string,
): ManagedFieldsEntry | undefined {
  return entries.find(
    (entry) =>
      entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === subresource,
  );
}
