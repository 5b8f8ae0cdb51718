// From client-side apply, which owns fields by update, to server-side apply, which owns them by apply.
// Without this, what is left out of a configuration stays on the object for ever: its owner by update
// still claims it.

import { deepEqual } from '../json/deep-equal.ts';
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import type { JsonPatchOperation } from '../patches/json-patch.ts';
import { formatFieldsV1, parseFieldsV1 } from './fields/fields-v1.ts';

/** Whose fields go from client-side apply to server-side apply, and to whom. */
export interface CsaUpgradeOptions {
  /** The managers by update whose fields are taken: `kubectl-client-side-apply`, say. */
  readonly from: readonly string[];
  /** The manager by apply that gets them. */
  readonly to: string;
  /** @default '', the object itself */
  readonly subresource?: string;
}

/**
 * The object's `managedFields` with the fields of all `from` given to `to`. An owner by update in
 * another version than `to` has is dropped. The entries themselves when there is nothing to do.
 */
export function upgradeManagedFields(
  entries: readonly ManagedFieldsEntry[],
  options: CsaUpgradeOptions,
): readonly ManagedFieldsEntry[] {
  const subresource = options.subresource ?? '';
  return options.from.reduce((current, from) => upgrade(current, from, options.to, subresource), entries);
}

/**
 * The JSON patch that does it on the server; undefined when there is nothing to do. It carries the
 * resource version, so that a write in between is a Conflict.
 */
export function upgradeManagedFieldsPatch(
  object: KubeObject,
  options: CsaUpgradeOptions,
): JsonPatchOperation[] | undefined {
  const entries = object.metadata?.managedFields ?? [];
  const upgraded = upgradeManagedFields(entries, options);
  if (deepEqual(entries, upgraded)) return undefined;
  return [
    { op: 'replace', path: '/metadata/managedFields', value: upgraded },
    // Not `test`: that fails as an invalid request, this as the conflict that it is.
    { op: 'replace', path: '/metadata/resourceVersion', value: object.metadata?.resourceVersion ?? '' },
  ];
}

function upgrade(
  entries: readonly ManagedFieldsEntry[],
  from: string,
  to: string,
  subresource: string,
): readonly ManagedFieldsEntry[] {
  const is = (entry: ManagedFieldsEntry, manager: string, operation: string): boolean =>
    entry.manager === manager && entry.operation === operation && (entry.subresource ?? '') === subresource;
  const target =
    entries.find((entry) => is(entry, to, 'Apply')) ?? entries.find((entry) => is(entry, from, 'Update'));
  if (target === undefined) return entries;
  const source = entries.find((entry) => is(entry, from, 'Update') && entry.apiVersion === target.apiVersion);
  const fields = parseFieldsV1(target.fieldsV1).union(parseFieldsV1(source?.fieldsV1));
  const merged = { ...target, manager: to, operation: 'Apply', fieldsV1: formatFieldsV1(fields) };
  return entries
    .map((entry) => (entry === target ? merged : entry))
    .filter((entry) => !is(entry, from, 'Update'));
}
