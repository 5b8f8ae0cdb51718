// `metadata.managedFields`, decoded: who owns what.

import { WindlassError } from '@windlass/base';
import { compareUtf8 } from '../../json/go-format.ts';
import type { ManagedFieldsEntry } from '../../object.ts';
import { goJson, goQuote } from '../../text/go-text.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { formatFieldsV1, parseFieldsV1 } from '../fields/fields-v1.ts';

/** One owner. */
export interface Manager {
  readonly name: string;
  /** `Apply` for server-side apply, `Update` for all other writes. */
  readonly operation: 'Apply' | 'Update';
  /** The version that the fields are named in. */
  readonly apiVersion: string;
  /** Empty when the owner wrote the object itself. */
  readonly subresource: string;
  /** When it last changed something. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** By `managerId`. Immutable by convention: changed in copies only. */
export type Managers = ReadonlyMap<string, Manager>;

/** `managedFields` cannot be read. Upstream's message. */
export class ManagedFieldsError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'MANAGED_FIELDS_INVALID', cause });
  }
}

/** What tells owners apart. One who applies stays the same when it moves to another version. */
export function managerId(
  manager: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>,
): string {
  const { name, operation, apiVersion, subresource } = manager;
  return goJson({
    ...(name === '' ? {} : { manager: name }),
    operation,
    ...(operation === 'Apply' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

export function withManager(managers: Managers, manager: Manager): Managers {
  return new Map(managers).set(managerId(manager), manager);
}

export function withoutManager(managers: Managers, id: string): Managers {
  const rest = new Map(managers);
  rest.delete(id);
  return rest;
}

/** Throws ManagedFieldsError. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): Managers {
  const managers = new Map<string, Manager>();
  for (const [index, entry] of (entries ?? []).entries()) {
    const manager = decodeEntry(entry, index);
    managers.set(managerId(manager), manager);
  }
  return managers;
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): Manager {
  const { operation, apiVersion = '', fieldsType = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update')
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1')
    throw new ManagedFieldsError(
      `invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`,
    );
  return {
    name: entry.manager ?? '',
    operation,
    apiVersion,
    subresource: entry.subresource ?? '',
    time: entry.time,
    fields: decodeFields(entry, index),
  };
}

function decodeFields(entry: ManagedFieldsEntry, index: number): FieldSet {
  try {
    return parseFieldsV1(entry.fieldsV1);
  } catch (cause) {
    throw new ManagedFieldsError(`error decoding versioned set of managed fields entry ${index}`, cause);
  }
}

/** Sorted as servers sort them: appliers first, then by time, name, version and subresource. */
export function encodeManagedFields(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()]
    .map((manager) => ({
      ...(manager.name === '' ? {} : { manager: manager.name }),
      operation: manager.operation,
      apiVersion: manager.apiVersion,
      ...(manager.time === undefined ? {} : { time: manager.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: formatFieldsV1(manager.fields),
      ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
    }))
    .sort(compareEntries);
}

/** The order of entries. */
export function compareEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  return (
    compareUtf8(left.operation ?? '', right.operation ?? '') ||
    secondsOf(left) - secondsOf(right) ||
    compareUtf8(left.manager ?? '', right.manager ?? '') ||
    compareUtf8(left.apiVersion ?? '', right.apiVersion ?? '') ||
    compareUtf8(left.subresource ?? '', right.subresource ?? '')
  );
}

/** 0 without a time, so that such an owner counts as the oldest. */
export function secondsOf({ time }: { readonly time?: string | undefined }): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}
