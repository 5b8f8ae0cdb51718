import {
  type Cached,
  controllerOf,
  controllerReferenceTo,
  isBeingDeleted,
  isInvalid,
  isNotFound,
  type KubeObject,
  keyOf,
  type ResourceType,
  type Selector,
} from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { StrategicPatch } from '@windlass/client';
import type { KindClient } from '@windlass/runtime';
import { OwnerGoneError } from '../errors.ts';
import { labelsOf } from './meta.ts';

export interface AdoptionOptions<O extends KubeObject, T extends KubeObject> {
  readonly owner: Cached<O>;
  readonly ownerType: ResourceType<O>;
  readonly owners: KindClient<O>;
  readonly selector: Selector;
  readonly dependents: KindClient<T>;
  /** All that may be the owner's: what it controls and what nobody does. */
  readonly candidates: readonly Cached<T>[];
  /** Given to what is adopted, and taken from what is released. @default none */
  readonly finalizer?: string;
  readonly signal?: AbortSignal;
}

/**
 * Returns the dependents of an owner. Objects that it controls and whose labels no longer match are released. Objects
 * that match and have no controller are adopted, after a live read has shown that the owner is the same one and is not
 * being deleted: the cache may not know that yet.
 */
export async function adoptDependents<O extends KubeObject, T extends KubeObject>(
  options: AdoptionOptions<O, T>,
): Promise<Cached<T>[]> {
  const { owner, selector, candidates } = options;
  const uid = owner.metadata.uid;
  const isGoing = isBeingDeleted(owner);
  const claimed: Cached<T>[] = [];
  const released: Cached<T>[] = [];
  const orphans: Cached<T>[] = [];
  // Of a large set nearly all are claimed as they are, in every run, so they cost no promise.
  for (const candidate of candidates) {
    const matches = selector.matches(labelsOf(candidate));
    const controller = controllerOf(candidate);
    if (controller !== undefined) {
      if (controller.uid !== uid) continue;
      if (matches) claimed.push(candidate);
      else if (!isGoing) released.push(candidate);
    } else if (
      matches &&
      !isGoing &&
      !isBeingDeleted(candidate) &&
      candidate.metadata.namespace === owner.metadata.namespace
    )
      orphans.push(candidate);
  }
  if (released.length === 0 && orphans.length === 0) return claimed;
  const mayAdopt = once(() => recheck(options));
  const results = await Promise.allSettled([
    ...released.map((candidate) => release(options, candidate)),
    ...orphans.map((candidate) => mayAdopt().then(() => adopt(options, candidate))),
  ]);
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [toError(result.reason)] : [],
  );
  const [first] = failures;
  if (first !== undefined) throw failures.length === 1 ? first : new AggregateError(failures, first.message);
  for (const result of results)
    if (result.status === 'fulfilled' && result.value !== undefined) claimed.push(result.value);
  return claimed;
}

async function recheck<O extends KubeObject, T extends KubeObject>({
  owner,
  owners,
  ownerType,
  signal,
}: AdoptionOptions<O, T>): Promise<void> {
  const fresh = await owners
    .live(owner.metadata.namespace)
    .get(owner.metadata.name, signal === undefined ? {} : { signal });
  const name = `${ownerType.kind} ${keyOf(owner)}`;
  if (fresh.metadata.uid !== owner.metadata.uid)
    throw new OwnerGoneError(
      `${name} is another one now: its uid is ${fresh.metadata.uid}, and was ${owner.metadata.uid}`,
    );
  if (isBeingDeleted(fresh))
    throw new OwnerGoneError(`${name} has just been deleted, at ${fresh.metadata?.deletionTimestamp}`);
}

async function adopt<O extends KubeObject, T extends KubeObject>(
  { owner, ownerType, dependents, finalizer, signal }: AdoptionOptions<O, T>,
  candidate: Cached<T>,
): Promise<Cached<T> | undefined> {
  const metadata = {
    // With the uid the server refuses to patch another object of the same name.
    uid: candidate.metadata.uid,
    ownerReferences: [controllerReferenceTo(owner, ownerType)],
    ...(finalizer !== undefined && { finalizers: [finalizer] }),
  };
  try {
    // Every kind has metadata, which TypeScript does not see of a patch while T is open.
    const adopted = await dependents.patch(keyOf(candidate), { metadata } as StrategicPatch<T>, {
      type: 'strategic',
      ...(signal !== undefined && { signal }),
    });
    // TypeScript does not see that a Served<T> is also readonly while T is open.
    return adopted as Cached<T>;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function release<O extends KubeObject, T extends KubeObject>(
  { owner, dependents, finalizer, signal }: AdoptionOptions<O, T>,
  candidate: Cached<T>,
): Promise<void> {
  const metadata = {
    uid: candidate.metadata.uid,
    ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid }],
    ...(finalizer !== undefined && { '$deleteFromPrimitiveList/finalizers': [finalizer] }),
  };
  try {
    // The directive makes it a patch of references, which the types cannot say.
    await dependents.patch(keyOf(candidate), { metadata } as unknown as StrategicPatch<T>, {
      type: 'strategic',
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    // It is gone, or it is another one by now, or somebody else has released it.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
}

function once<T>(act: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= act());
}
