import {
  deepEqual,
  FieldPath,
  failureStatus,
  fieldInvalid,
  keepTimestamps,
  newConflict,
  newInvalid,
  newNotFound,
  parseResourceVersion,
  StatusError,
} from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { AdmissionRequest } from '../admission/admission.ts';
import { admittedOptions } from '../admission/admitted-options.ts';
import type { Draft, Stored, Strategy } from '../resource/strategy.ts';
import {
  fromStorage,
  groupResource,
  keyOfTarget,
  type ServedObject,
  served,
  type Target,
  toStorage,
} from '../resource/target.ts';
import { RevisionConflictError } from '../storage/errors.ts';
import type { StoredObject } from '../storage/store.ts';
import { createObject } from './create.ts';
import { setDefaults } from './defaults.ts';
import { dedupeOwners, metadataOf } from './metadata.ts';
import type { WriteRuntime } from './runtime.ts';
import { keepSystemFields, prepareUpdate, validateUpdate } from './update-rules.ts';

export interface UpdateRequest {
  readonly target: Target;
  /** Empty for the object itself, or `status`, or another part that is written through it. */
  readonly subresource: string;
  /**
   * The object as it shall be, made of the one that is stored; undefined when there is none yet. May be
   * called again when somebody else wrote meanwhile. Its managed fields are right already.
   */
  readonly change: (live: Stored | undefined) => Promise<Draft> | Draft;
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether what is not there is created: an apply does, other patches never do. @default what the kind says */
  readonly createsMissing?: boolean;
  /** Of the object that the client means; anything when undefined. */
  readonly expectedUid?: string | undefined;
  /** What admission sees, where that is not the object itself. */
  readonly view?: AdmissionView;
}

/** Another kind in which a part of an object is written: a Scale. */
interface AdmissionView {
  readonly kind: NonNullable<AdmissionRequest['kind']>;
  readonly show: (object: Stored) => Draft;
  /** Takes over what admission has made of what it was shown. */
  readonly take: (draft: Draft, shown: Draft) => void;
}

export interface UpdateOutcome extends ServedObject {
  readonly isCreated: boolean;
}

/** How often a write is tried again because others wrote in between, before the client must. */
const MAX_ATTEMPTS = 100;

/** Reads, changes, checks and writes, again and again until nobody wrote in between. */
export async function updateObject(runtime: WriteRuntime, request: UpdateRequest): Promise<UpdateOutcome> {
  const { target } = request;
  const key = keyOfTarget(target);
  let current = await runtime.store.get(key);
  for (let attempt = 1; ; attempt++) {
    if (current === undefined) return create(runtime, request);
    try {
      return { ...(await replace(runtime, request, key, current)), isCreated: false };
    } catch (error) {
      if (!(error instanceof RevisionConflictError) || attempt === MAX_ATTEMPTS) throw error;
      current = error.current;
    }
  }
}

async function create(
  runtime: WriteRuntime,
  { target, subresource, change, options, createsMissing, expectedUid }: UpdateRequest,
): Promise<UpdateOutcome> {
  const { definition, namespace, name, context } = target;
  const isAllowed =
    subresource === '' && (createsMissing ?? definition.strategy.allowCreateOnUpdate === true);
  const mayCreate = definition.strategy.allowCreateOnUpdate === true;
  if (!isAllowed && !(mayCreate && createsMissing === undefined && expectedUid !== undefined))
    throw newNotFound(groupResource(target), name);
  if (expectedUid !== undefined) {
    throw newConflict(
      groupResource(target),
      name,
      `Precondition failed: UID in precondition: ${expectedUid}, UID in object meta: `,
    );
  }
  const draft = await change(undefined);
  versionOf(draft);
  const created = await createObject(runtime, {
    definition,
    namespace,
    draft,
    options,
    context,
    isManaged: true,
  });
  return { ...created, isCreated: true };
}

async function replace(
  runtime: WriteRuntime,
  request: UpdateRequest,
  key: string,
  current: StoredObject,
): Promise<ServedObject> {
  const { target, subresource, options, view } = request;
  const { definition, namespace, name, context } = target;
  const { strategy } = definition;
  const live = await fromStorage(definition, current);
  if (request.expectedUid !== undefined && request.expectedUid !== live.metadata?.uid) {
    throw newConflict(
      groupResource(target),
      name,
      `Precondition failed: UID in precondition: ${request.expectedUid}, UID in object meta: ${live.metadata?.uid ?? ''}`,
    );
  }
  const draft = await request.change(live);
  const admission: AdmissionRequest = {
    operation: 'UPDATE',
    definition,
    subresource,
    namespace,
    name,
    object: view === undefined ? draft : view.show(draft),
    oldObject: view === undefined ? live : view.show(live),
    options: admittedOptions('UpdateOptions', options),
    context,
    ...(view !== undefined && { kind: view.kind }),
  };
  await runtime.admission.mutate(admission);
  if (view !== undefined && admission.object !== undefined) view.take(draft, admission.object);
  setDefaults(definition, draft, live);
  dedupeOwners(draft, context, true);
  checkVersion(target, draft, live);
  keepSystemFields(draft, live);
  prepareUpdate(target, subresource, draft, live);
  const undo =
    subresource === '' ? await runtime.allocator.allocate(definition, draft, live, context.isDryRun) : noUndo;
  try {
    validateUpdate(target, subresource, draft, live);
    keepTimes(draft, live);
    await runtime.admission.validate(
      view === undefined ? admission : { ...admission, object: view.show(draft) },
    );
    if (isDeletionDue(draft, live, strategy.holdsDeletion))
      return { object: await remove(runtime, target, key, current, draft) };
    if (await isUnchanged(target, draft, live, current)) {
      undo();
      return await served(definition, current);
    }
    if (context.isDryRun) {
      undo();
      return { object: draft };
    }
    const stored = await runtime.store.put(key, await toStorage(definition, draft), current.revision);
    return await served(definition, stored);
  } catch (error) {
    undo();
    throw error;
  }
}

const noUndo = (): void => {};

/**
 * Owners keep their times when the write changes nothing. The field manager cannot know that: it compares what
 * was sent, before the server puts it into its form and resets what this endpoint does not write.
 */
function keepTimes(draft: Draft, live: Stored): void {
  const { managedFields } = keepTimestamps(live, draft).metadata ?? {};
  if (managedFields !== undefined) metadataOf(draft).managedFields = managedFields;
}

/** In the form that is stored, for two objects that look alike in one version may not be so in another. */
async function isUnchanged(
  { definition }: Target,
  draft: Draft,
  live: Stored,
  current: StoredObject,
): Promise<boolean> {
  if (!deepEqual(draft, live)) return false;
  if (definition.storage.convertToStorage === undefined) return true;
  return deepEqual(await toStorage(definition, draft), current.object);
}

function checkVersion(target: Target, draft: Draft, live: Stored): void {
  const metadata = metadataOf(draft);
  const given = versionOf(draft);
  if (given === '' || given === '0') {
    if (target.definition.strategy.allowUnconditionalUpdate === false) {
      const error = fieldInvalid(
        FieldPath.of('metadata', 'resourceVersion'),
        0,
        'must be specified for an update',
      );
      // Upstream names the resource where a kind is due.
      const { group, plural } = target.definition;
      throw newInvalid({ group, kind: plural }, target.name, [error]);
    }
  } else if (given !== live.metadata?.resourceVersion) throw newConflict(groupResource(target), target.name);
  // Equal versions make an unchanged object equal as a whole, which is how a write that changes nothing is seen.
  if (live.metadata?.resourceVersion !== undefined) metadata.resourceVersion = live.metadata.resourceVersion;
}

/** @throws StatusError when it is no number: upstream has no reason for it, and calls it its own fault */
function versionOf({ metadata }: Draft): string {
  const { resourceVersion: given = '' } = metadata ?? {};
  try {
    parseResourceVersion(given);
  } catch (error) {
    throw new StatusError(failureStatus(500, '', toError(error).message));
  }
  return given;
}

/** A deletion that waits for nothing any more is over with the next write: mostly that which takes the last finalizer. */
function isDeletionDue(
  draft: Draft,
  live: Stored,
  holdsDeletion: Strategy['holdsDeletion'] = () => false,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = live.metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds > 0) return false;
  return (draft.metadata?.finalizers?.length ?? 0) === 0 && !holdsDeletion(draft);
}

async function remove(
  runtime: WriteRuntime,
  target: Target,
  key: string,
  current: StoredObject,
  draft: Draft,
): Promise<Stored> {
  if (target.context.isDryRun) return draft;
  await runtime.store.delete(key, current.revision);
  runtime.allocator.release(target.definition, current.object);
  return draft;
}
