import {
  FOREGROUND_DELETION_FINALIZER,
  formatTime,
  newConflict,
  newNotFound,
  ORPHAN_FINALIZER,
  type Status,
} from '@windlass/apimachinery';
import type { AdmissionRequest } from '../admission/admission.ts';
import { admittedOptions } from '../admission/admitted-options.ts';
import type { DeleteParameters } from '../request/delete-options.ts';
import type { Stored } from '../resource/strategy.ts';
import { fromStorage, groupResource, keyOfTarget, type Target, toStorage } from '../resource/target.ts';
import { RevisionConflictError } from '../storage/errors.ts';
import type { StoredObject } from '../storage/store.ts';
import type { VerbRuntime } from './runtime.ts';

export interface DeleteOutcome {
  /** The object, or a Status that says that it is gone. */
  readonly answer: Stored | Status;
  /** False when it is only marked, and waits for its grace period or its finalizers. */
  readonly isGone: boolean;
}

export async function deleteObject(
  runtime: VerbRuntime,
  target: Target,
  parameters: DeleteParameters,
): Promise<DeleteOutcome> {
  const key = keyOfTarget(target);
  let current = await runtime.store.get(key);
  for (;;) {
    if (current === undefined) throw newNotFound(groupResource(target), target.name);
    try {
      return await tryDelete(runtime, target, parameters, key, current);
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error;
      current = error.current;
    }
  }
}

async function tryDelete(
  runtime: VerbRuntime,
  target: Target,
  parameters: DeleteParameters,
  key: string,
  current: StoredObject,
): Promise<DeleteOutcome> {
  const { definition, namespace, name, context } = target;
  const live = await fromStorage(definition, current);
  checkPreconditions(target, parameters, live);
  const admission: AdmissionRequest = {
    operation: 'DELETE',
    definition,
    subresource: '',
    namespace,
    name,
    object: undefined,
    oldObject: live,
    options: admittedOptions('DeleteOptions', parameters.raw),
    context,
  };
  // Nothing can be changed any more, but those who could have a say.
  await runtime.admission.mutate(admission);
  await runtime.admission.validate(admission);
  const marked = mark(target, parameters, live);
  if (marked === 'pending') return { answer: live, isGone: false };
  if (marked !== 'now') {
    if (context.isDryRun) return { answer: marked, isGone: false };
    // The store freezes what it keeps and changes nothing, so a shared part may go in again.
    const stored = await runtime.store.put(key, await toStorage(definition, marked), current.revision);
    return { answer: await fromStorage(definition, stored), isGone: false };
  }
  const last = await shownLast(runtime, target, key, current, live);
  if (context.isDryRun) return { answer: answerOf(target, last.object), isGone: true };
  const stored = await runtime.store.delete(key, last.revision);
  runtime.allocator.release(definition, stored.object);
  return { answer: answerOf(target, await fromStorage(definition, stored)), isGone: true };
}

/** What can wait for its deletion is seen once more when it need not: as deleted, with nothing left to wait for. */
async function shownLast(
  runtime: VerbRuntime,
  { definition, context }: Target,
  key: string,
  current: StoredObject,
  live: Stored,
): Promise<{ readonly object: Stored; readonly revision: number }> {
  if (definition.strategy.gracePeriod === undefined || live.metadata?.deletionTimestamp !== undefined)
    return { object: live, revision: current.revision };
  const { generation } = live.metadata ?? {};
  const marked: Stored = {
    ...live,
    metadata: {
      ...live.metadata,
      deletionTimestamp: formatTime(context.clock.now()),
      deletionGracePeriodSeconds: 0,
      ...(generation !== undefined && generation > 0 && { generation: generation + 1 }),
    },
  };
  if (context.isDryRun) return { object: marked, revision: current.revision };
  const { revision } = await runtime.store.put(key, await toStorage(definition, marked), current.revision);
  return { object: marked, revision };
}

function checkPreconditions(target: Target, { preconditions }: DeleteParameters, live: Stored): void {
  const { uid, resourceVersion } = live.metadata ?? {};
  // Upstream names the kind here, where it names the resource elsewhere.
  const { group, kind, strategy } = target.definition;
  // A namespace is checked where it is written, and says so in other words.
  if (strategy.holdsDeletion !== undefined && preconditions.uid !== undefined && preconditions.uid !== uid)
    throw newConflict(
      groupResource(target),
      target.name,
      `Precondition failed: UID in precondition: ${preconditions.uid}, UID in object meta: ${uid}`,
    );
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    throw newConflict(
      { group, resource: kind },
      target.name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw newConflict(
      { group, resource: kind },
      target.name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/** The object with its deletion marked; `now` when nothing holds it; `pending` when it is marked as asked already. */
function mark(target: Target, parameters: DeleteParameters, live: Stored): Stored | 'now' | 'pending' {
  const { strategy } = target.definition;
  const old = live.metadata ?? {};
  const grace = strategy.gracePeriod === undefined ? undefined : gracePeriod(target, parameters, live);
  if (grace === 'pending') return 'pending';
  const finalizers = finalizersFor(target, parameters, live);
  const seconds = grace ?? 0;
  const isFirst = old.deletionTimestamp === undefined;
  const isHeld =
    finalizers.length > 0 ||
    strategy.holdsDeletion?.(live) === true ||
    (isFirst && strategy.isMarkedFirst === true);
  if (seconds === 0 && !isHeld) return 'now';
  const isGraceful = seconds > 0;
  if (!isFirst && !isGraceful && sameList(finalizers, old.finalizers ?? [])) return 'pending';
  const metadata = { ...old, finalizers };
  if (isFirst || isGraceful) {
    // A period that is shortened counts from when the deletion began.
    const began = isFirst
      ? target.context.clock.now()
      : Date.parse(old.deletionTimestamp ?? '') - (old.deletionGracePeriodSeconds ?? 0) * 1000;
    Object.assign(metadata, {
      deletionTimestamp: formatTime(began + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
    });
    if (isFirst && (old.generation ?? 0) > 0)
      Object.assign(metadata, { generation: (old.generation ?? 0) + 1 });
  }
  if (finalizers.length === 0) Reflect.deleteProperty(metadata, 'finalizers');
  const marked = { ...live, metadata };
  return isFirst ? (strategy.markDeleted?.(marked) ?? marked) : marked;
}

/** In seconds; `pending` when a deletion is under way that this request cannot shorten. */
function gracePeriod(
  target: Target,
  { gracePeriodSeconds: asked }: DeleteParameters,
  live: Stored,
): number | 'pending' {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = live.metadata ?? {};
  if (deletionTimestamp === undefined) return target.definition.strategy.gracePeriod?.(live, asked) ?? 0;
  if (deletionGracePeriodSeconds === 0) return 0;
  if (asked === undefined) return 'pending';
  const period = asked < 0 ? 1 : asked;
  return period >= deletionGracePeriodSeconds ? 'pending' : period;
}

/** Foreground deletion and orphaning are finalizers that the garbage collector works off. */
function finalizersFor(
  { definition }: Target,
  parameters: DeleteParameters,
  live: Stored,
): readonly string[] {
  const present = live.metadata?.finalizers ?? [];
  const added =
    live.metadata?.deletionTimestamp === undefined ? (definition.strategy.deletionFinalizers ?? []) : [];
  const finalizers = added.length === 0 ? present : [...new Set([...present, ...added])];
  const policy = policyFor(definition.strategy.defaultDeletion, parameters, finalizers);
  const wanted = finalizers.filter(
    (finalizer) => finalizer !== ORPHAN_FINALIZER && finalizer !== FOREGROUND_DELETION_FINALIZER,
  );
  if (policy === 'Orphan') wanted.push(ORPHAN_FINALIZER);
  else if (policy === 'Foreground') wanted.push(FOREGROUND_DELETION_FINALIZER);
  return sameList(wanted.toSorted(), finalizers.toSorted()) ? finalizers : wanted;
}

function policyFor(
  fallback: string | undefined,
  { orphanDependents, propagationPolicy }: DeleteParameters,
  finalizers: readonly string[],
): string {
  // Whoever has no dependents waits for nobody who would take such a finalizer off.
  if (fallback === 'no-garbage-collection') return 'Background';
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  if (propagationPolicy !== undefined) return propagationPolicy;
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  if (finalizers.includes(FOREGROUND_DELETION_FINALIZER)) return 'Foreground';
  return fallback === 'orphan-dependents' ? 'Orphan' : 'Background';
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function answerOf({ definition, name }: Target, deleted: Stored): Stored | Status {
  if (definition.strategy.returnsDeletedObject === true) return deleted;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(definition.group !== '' && { group: definition.group }),
      kind: definition.plural,
      ...(deleted.metadata?.uid !== undefined && { uid: deleted.metadata.uid }),
    },
  };
}
