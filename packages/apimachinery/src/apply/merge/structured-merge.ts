import { deepEqual } from '../../json/deep-equal.ts';
import { isJsonObject } from '../../json/json-object.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { type Manager, type Managers, managerId, withManager } from '../managers/managers.ts';
import { toFieldSet } from '../types/to-field-set.ts';
import type { TypedObject, UpdateContext } from '../types/typed-object.ts';
import { merge } from './merge.ts';
import { changeOwnership, reconcileManagers } from './ownership.ts';
import { prune } from './prune.ts';

export interface UpdateOutcome {
  /** The owners from before, without what was taken from them. */
  readonly managers: Managers;
  /** What the update set or changed. */
  readonly changed: FieldSet;
}

/** Who owns what after an object was written as a whole. */
export function trackUpdate(
  before: TypedObject,
  after: TypedObject,
  managers: Managers,
  context: UpdateContext,
): UpdateOutcome {
  const reconciled = reconcileManagers(before, managers, context);
  const change = { before, after, managers: reconciled, self: undefined, force: true };
  const { managers: others, comparison } = changeOwnership(change, context);
  const changed = comparison.modified.union(comparison.added);
  return { managers: others, changed: context.filter(changed, after.apiVersion) };
}

export interface ApplyInput {
  readonly live: TypedObject;
  readonly applied: TypedObject;
  readonly managers: Managers;
  /** Who applies. */
  readonly manager: Omit<Manager, 'fields' | 'time'>;
  readonly force: boolean;
}

export interface ApplyOutcome {
  /** `live` itself when nothing changed. */
  readonly object: TypedObject;
  /** With what the manager owns now; its time is still that of its last change. */
  readonly managers: Managers;
}

/** Merges a configuration into the live object. Throws FieldConflicts unless forced. */
export function mergeConfiguration(input: ApplyInput, context: UpdateContext): ApplyOutcome {
  const { live, applied, force } = input;
  const reconciled = reconcileManagers(live, input.managers, context);
  const self = managerId(input.manager);
  const last = reconciled.get(self);
  const fields = context.filter(toFieldSet(applied.value, applied.type), applied.apiVersion);
  // Also when its last configuration was in a version that is gone: then what it owned is forgotten, not when.
  const time = input.managers.get(self)?.time;
  const now: Manager = { ...input.manager, time, fields };
  const managers = withManager(reconciled, now);

  const value = merge(live.value, applied.value, live.type);
  const merged: TypedObject = value === live.value || !isJsonObject(value) ? live : { ...live, value };
  const object = prune(merged, managers, last, now, context);
  const change = { before: live, after: object, managers, self, force };
  const { managers: result } = changeOwnership(change, context);
  return { object: deepEqual(live.value, object.value) ? live : object, managers: result };
}
