// The scale subresource shows one field of an object as `spec.replicas` of another kind. Who owns that
// field owns it under its own path, so owners are translated on the way in and out.

import type { ManagedFieldsEntry } from '../object.ts';
import { FieldSet } from './fields/field-set.ts';
import { type ElementPath, pathOf } from './fields/path-element.ts';
import { decodeManagedFields, encodeManagedFields, type Manager, managerId } from './managers/managers.ts';

const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS = pathOf('spec', 'replicas');

/** What says who owns the replicas of an object with a scale. */
export interface ScaleOwners {
  /** The parent's. */
  readonly entries: readonly ManagedFieldsEntry[] | undefined;
  /** The parent's version that is asked for. */
  readonly apiVersion: string;
  /** By the parent's versions: where its replicas are; undefined where that version has no scale. */
  readonly paths: ReadonlyMap<string, ElementPath | undefined>;
}

/** The owners of the parent's replicas, as owners of a Scale. */
export function ownersOfScale(owners: ScaleOwners): ManagedFieldsEntry[] {
  const result = new Map<string, Manager>();
  for (const [id, manager] of decodeManagedFields(owners.entries)) {
    const path = owners.paths.get(manager.apiVersion);
    if (path !== undefined && manager.fields.has(path))
      result.set(id, { ...manager, apiVersion: SCALE_VERSION, fields: FieldSet.of(REPLICAS) });
  }
  return encodeManagedFields(result);
}

/**
 * The parent's owners after a Scale was written: those of `scaleEntries` own its replicas, others do not.
 * kube-apiserver takes an owner by update for another one here, because the Scale has another version;
 * then a write that changes nothing makes it lose its replicas. That is not so here. As there, times are those
 * of the parent's owners, so that one who came by a scale has none and stands first.
 */
export function ownersOfParent(
  owners: ScaleOwners,
  scaleEntries: readonly ManagedFieldsEntry[] | undefined,
): ManagedFieldsEntry[] {
  const scale = new Map<string, Manager>();
  for (const manager of decodeManagedFields(scaleEntries).values())
    if (manager.fields.has(REPLICAS)) scale.set(identityOf(manager), manager);
  const parent = decodeManagedFields(owners.entries);
  const result = new Map<string, Manager>();
  for (const [id, manager] of parent) {
    if (!owners.paths.has(manager.apiVersion)) continue;
    const path = owners.paths.get(manager.apiVersion);
    const owns = path !== undefined && manager.fields.has(path);
    const stays = !owns || scale.delete(identityOf(manager));
    const fields = stays ? manager.fields : manager.fields.difference(FieldSet.of(path));
    if (!fields.isEmpty) result.set(id, stays ? manager : { ...manager, fields });
  }
  const path = owners.paths.get(owners.apiVersion);
  for (const manager of path === undefined ? [] : scale.values()) {
    const owner = { ...manager, apiVersion: owners.apiVersion };
    const id = managerId(owner);
    const others = result.get(id)?.fields ?? FieldSet.EMPTY;
    const fields = others.union(FieldSet.of(path ?? []));
    result.set(id, { ...owner, time: parent.get(id)?.time, fields });
  }
  return encodeManagedFields(result);
}

/** Whoever it is, in whichever version. */
function identityOf(manager: Manager): string {
  return managerId({ ...manager, apiVersion: '' });
}
