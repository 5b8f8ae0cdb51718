import { type Clock, realClock, toError } from '@windlass/base';
import type { JsonObject } from '../json/json-object.ts';
import { isJsonObject } from '../json/json-object.ts';
import { newBadRequest } from '../status/status-constructors.ts';
import { formatTime } from '../time/time.ts';
import { emptyObject } from './empty-object.ts';
import type { FieldManagerOptions } from './field-manager-options.ts';
import { ApplyError, KindTypes } from './kind-types.ts';
import { KUBECTL, lastAppliedFields, lastAppliedOf, withLastApplied } from './last-applied.ts';
import { capUpdateManagers } from './managers/cap-managers.ts';
import { FieldConflicts } from './managers/conflicts.ts';
import {
  decodeManagedFields,
  encodeManagedFields,
  type Manager,
  type Managers,
  managerId,
  withManager,
  withoutManager,
} from './managers/managers.ts';
import { stripMeta } from './managers/strip-meta.ts';
import { type ApplyOutcome, mergeConfiguration, trackUpdate } from './merge/structured-merge.ts';
import {
  isReset,
  managedFieldsOf,
  metadataOf,
  textOf,
  withManagedFields,
  withoutManagedFields,
} from './object-access.ts';
import type { ApplyRequest, UpdateRequest, UpdateResult } from './requests.ts';
import { ValueWrites } from './value-writes.ts';

/** Owns what existed before anybody applied. */
const BEFORE_FIRST_APPLY = 'before-first-apply';
const DEFAULT_MAX_UPDATE_MANAGERS = 10;

/**
 * Keeps `metadata.managedFields` and merges applied configurations, for one version of a kind and one
 * of its endpoints. It neither reads nor writes anything. Objects that go in are not changed, and what
 * comes out shares with them what is the same.
 *
 * Cost: applying to an 8 kB pod with three owners takes twice as long as JSON.parse of it, and 7 times
 * when something must be removed; an update takes as long as a parse and a half when it shares what it
 * did not change with the live object. On a busy 2-core machine that was 0.12, 0.5 and 0.1 ms.
 */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #types: KindTypes;
  readonly #subresource: string;
  readonly #clock: Clock;
  readonly #values: ValueWrites;
  #emptyObject: JsonObject | undefined;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#types = new KindTypes(options);
    this.#subresource = options.subresource ?? '';
    this.#clock = options.clock ?? realClock;
    this.#values = new ValueWrites(this.#types, {
      subresource: this.#subresource,
      now: () => this.#now(),
    });
  }

  /**
   * The live object with the configuration merged into it. Throws StatusError: Conflict with a cause for
   * each field, or BadRequest; ApplyError when the configuration is not of the kind's type.
   */
  apply<T extends object>(request: ApplyRequest<T>): T {
    const { manager, force = false } = request;
    const applied = asJson(request.applied);
    const live = request.live === undefined ? this.#empty() : asJson(request.live);
    this.#checkApplied(applied);
    const managers = decodeLive(live);
    const outcome = this.#applyOrAdopt(withoutManagedFields(live), applied, managers, manager, force);
    let { value } = outcome.object;
    if (manager === KUBECTL && lastAppliedOf(value) !== undefined) value = withLastApplied(value, applied);
    // The merge has checked the value against the schema of the kind.
    return withManagedFields(value, encodeManagedFields(outcome.managers)) as T;
  }

  /** The updated object with its owners. For create, update, and every patch but apply. */
  update<T extends object>(request: UpdateRequest<T>): UpdateResult<T> {
    const live = request.live === undefined ? this.#empty() : asJson(request.live);
    const given = asJson(request.updated);
    const updated = withoutManagedFields(given);
    const result = (object: JsonObject, problem?: Error): UpdateResult<T> => ({
      // It is what the caller gave as a T, but for its owners.
      object: object as T,
      problem,
    });
    try {
      const kept = this.#values.write(live, given, request.manager);
      if (kept !== undefined) return result(withManagedFields(updated, kept));
      const managers = this.#managersForUpdate(live, given);
      // Nobody owned anything of a stored object, so that stays so until somebody applies.
      if (managers.size === 0 && textOf(metadataOf(live), 'uid') !== '') return result(updated);
      const owners = this.#update(withoutManagedFields(live), updated, managers, request.manager);
      const entries = encodeManagedFields(owners);
      this.#values.note(entries);
      return result(withManagedFields(updated, entries));
    } catch (error) {
      return result(updated, toError(error));
    }
  }

  /** kubectl may take what client-side apply, its former self, wrote and nobody changed since. */
  #applyOrAdopt(
    live: JsonObject,
    applied: JsonObject,
    managers: Managers,
    name: string,
    force: boolean,
  ): ApplyOutcome {
    try {
      return this.#apply(live, applied, managers, name, force);
    } catch (error) {
      if (!(error instanceof FieldConflicts)) throw error;
      const adopted = name === KUBECTL ? lastAppliedFields(this.#types.typed(live)) : undefined;
      if (adopted === undefined) throw error.toStatusError();
      if (!error.paths.difference(adopted).isEmpty) throw error.without(adopted).toStatusError();
      return this.#apply(live, applied, managers, name, true);
    }
  }

  #apply(value: JsonObject, config: JsonObject, known: Managers, name: string, force: boolean): ApplyOutcome {
    const managers = known.size > 0 ? known : this.#update(this.#empty(), value, known, BEFORE_FIRST_APPLY);
    const applied = this.#types.validated(config, 'failed to create typed patch object ()', {});
    const live = this.#types.validated(value, 'failed to create typed live object ()', {
      allowDuplicates: true,
    });
    const manager = this.#managerOf(name, 'Apply');
    const outcome = mergeConfiguration({ live, applied, managers, manager, force }, this.#types);
    return this.#finished(outcome, managerId(manager), outcome.object !== live);
  }

  #finished({ object, managers }: ApplyOutcome, self: string, changed: boolean): ApplyOutcome {
    const { applyDefaults } = this.#options;
    const value = changed && applyDefaults !== undefined ? applyDefaults(object.value) : object.value;
    return { object: { ...object, value }, managers: this.#withOwn(managers, self, changed) };
  }

  /** A manager that changed nothing keeps the time of its last change, or has none. */
  #withOwn(managers: Managers, self: string, changed: boolean): Managers {
    const own = managers.get(self);
    if (own === undefined) return managers;
    const fields = stripMeta(own.fields);
    if (fields.isEmpty) return withoutManager(managers, self);
    return withManager(managers, { ...own, fields, time: changed ? this.#now() : own.time });
  }

  #update(live: JsonObject, updated: JsonObject, managers: Managers, name: string): Managers {
    const options = { allowDuplicates: true };
    const after = this.#types.validated(updated, 'failed to convert new object () to smd typed', options);
    const before = this.#types.validated(live, 'failed to convert live object () to smd typed', options);
    const outcome = trackUpdate(before, after, managers, this.#types);
    const max = this.#options.maxUpdateManagers ?? DEFAULT_MAX_UPDATE_MANAGERS;
    const changed = stripMeta(outcome.changed);
    if (changed.isEmpty) return capUpdateManagers(outcome.managers, max);
    const manager = this.#managerOf(name, 'Update');
    const previous = outcome.managers.get(managerId(manager));
    const fields = previous === undefined ? changed : changed.union(previous.fields);
    return capUpdateManagers(withManager(outcome.managers, { ...manager, time: this.#now(), fields }), max);
  }

  #managerOf(name: string, operation: 'Apply' | 'Update'): Omit<Manager, 'fields' | 'time'> {
    const { apiVersion } = this.#types;
    return { name: name === '' ? 'unknown' : name, operation, apiVersion, subresource: this.#subresource };
  }

  /**
   * Owners may be set by writing `managedFields`, though not through a subresource. Who knows nothing of
   * them, or sends something unreadable, does not remove them.
   */
  #managersForUpdate(live: JsonObject, updated: JsonObject): Managers {
    if (this.#subresource === '') {
      const entries = managedFieldsOf(updated);
      if (isReset(entries)) return new Map();
      const managers = decodeOrNone(updated);
      if (managers.size > 0) return managers;
    }
    return decodeOrNone(live);
  }

  #checkApplied(applied: JsonObject): void {
    const apiVersion = textOf(applied, 'apiVersion');
    const kind = textOf(applied, 'kind');
    if (apiVersion !== this.#types.apiVersion || kind !== this.#options.kind.kind) {
      const slashed = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
      throw newBadRequest(`invalid object type: ${slashed}, Kind=${kind}`);
    }
    if (managedFieldsOf(applied) !== undefined) throw newBadRequest('metadata.managedFields must be nil');
  }

  #empty(): JsonObject {
    this.#emptyObject ??= this.#options.empty ?? emptyObject(this.#options.kind);
    return this.#emptyObject;
  }

  #now(): string {
    return formatTime(this.#clock.now());
  }
}

function decodeLive(live: JsonObject): Managers {
  try {
    return decodeManagedFields(managedFieldsOf(live));
  } catch (cause) {
    throw new ApplyError(`failed to decode managed fields: ${toError(cause).message}`, cause);
  }
}

function decodeOrNone(object: JsonObject): Managers {
  try {
    return decodeManagedFields(managedFieldsOf(object));
  } catch {
    return new Map();
  }
}

function asJson(object: object): JsonObject {
  if (!isJsonObject(object)) throw new ApplyError('what is applied must be an object');
  return object;
}
