import type { FieldSet } from '../fields/field-set.ts';
import { type FieldConflict, FieldConflicts } from '../managers/conflicts.ts';
import type { Manager, Managers } from '../managers/managers.ts';
import type { TypedObject, UpdateContext } from '../types/typed-object.ts';
import { type Comparison, compare } from './compare.ts';
import { reconcileWithSchema } from './reconcile.ts';

export interface OwnershipChange {
  readonly before: TypedObject;
  readonly after: TypedObject;
  readonly managers: Managers;
  /** The id of the manager that makes the change, which loses nothing by it. */
  readonly self: string | undefined;
  /** Whether to take fields from others; otherwise that is a conflict. */
  readonly force: boolean;
}

export interface OwnershipResult {
  readonly managers: Managers;
  /** In the version of the objects. */
  readonly comparison: Comparison;
}

/**
 * What a change does to the other owners: they lose what it removed, and what it modified or added.
 * Throws FieldConflicts. Owners that are left with nothing are gone, and so are those in a version that
 * does not exist any more.
 */
export function changeOwnership(change: OwnershipChange, context: UpdateContext): OwnershipResult {
  const { before, after, self } = change;
  const comparisons = new Map<string, VersionComparison>();
  const own = compareVersions(before, after, context);
  comparisons.set(before.apiVersion, own);

  const managers = new Map<string, Manager>();
  const conflicts: FieldConflict[] = [];
  for (const [id, manager] of change.managers) {
    if (id === self) {
      managers.set(id, manager);
      continue;
    }
    const known = comparisons.get(manager.apiVersion) ?? compareIn(manager.apiVersion, change, context);
    if (known === undefined) continue;
    comparisons.set(manager.apiVersion, known);
    const taken = manager.fields.intersection(known.taken);
    if (!taken.isEmpty && !change.force) for (const path of taken.paths()) conflicts.push({ manager, path });
    const fields = manager.fields.difference(taken).difference(known.removed);
    managers.set(id, fields === manager.fields ? manager : { ...manager, fields });
  }
  if (conflicts.length > 0) throw new FieldConflicts(conflicts);
  for (const [id, manager] of managers) if (manager.fields.isEmpty) managers.delete(id);
  return { managers, comparison: own };
}

interface VersionComparison extends Comparison {
  readonly taken: FieldSet;
}

function compareIn(
  apiVersion: string,
  { before, after }: OwnershipChange,
  context: UpdateContext,
): VersionComparison | undefined {
  const from = context.convert(before, apiVersion);
  const to = context.convert(after, apiVersion);
  return from === undefined || to === undefined ? undefined : compareVersions(from, to, context);
}

function compareVersions(before: TypedObject, after: TypedObject, context: UpdateContext): VersionComparison {
  const raw = compare(before.value, after.value, before.type);
  const filter = (set: FieldSet): FieldSet => context.filter(set, before.apiVersion);
  const modified = filter(raw.modified);
  const added = filter(raw.added);
  return { removed: filter(raw.removed), modified, added, taken: modified.union(added) };
}

/**
 * The owners under today's schema. What they own was written under yesterday's, where something may
 * have been granular that is atomic now.
 */
export function reconcileManagers(live: TypedObject, managers: Managers, context: UpdateContext): Managers {
  let result: Map<string, Manager> | undefined;
  for (const [id, manager] of managers) {
    const typed = context.convert(live, manager.apiVersion);
    const fields = typed === undefined ? undefined : reconcileWithSchema(manager.fields, typed.type);
    if (fields === manager.fields) continue;
    result ??= new Map(managers);
    if (fields === undefined) result.delete(id);
    else result.set(id, { ...manager, fields });
  }
  return result ?? managers;
}
