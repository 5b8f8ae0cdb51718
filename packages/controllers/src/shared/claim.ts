import {
  controllerOf,
  controllerReferenceTo,
  type DeepReadonly,
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
import { labelsOf, nameOf, namespaceOf, uidOf } from './meta.ts';

export interface ClaimOptions<O extends KubeObject, T extends KubeObject> {
  readonly owner: DeepReadonly<O>;
  readonly ownerType: ResourceType<O>;
  readonly owners: KindClient<O>;
  readonly selector: Selector;
  readonly dependents: KindClient<T>;
  /** All that may be the owner's: what it controls and what nobody does. */
  readonly candidates: readonly DeepReadonly<T>[];
  /** Given to what is adopted, and taken from what is released. @default none */
  readonly finalizer?: string;
  readonly signal?: AbortSignal;
}

/**
 * The objects that are the owner's. What it controls and no longer matches is released; what matches and
 * belongs to nobody is adopted, once a live read has shown that the owner is still the same and stays: a
 * cache may not know yet that it goes.
 */
export async function claim<O extends KubeObject, T extends KubeObject>(
  options: ClaimOptions<O, T>,
): Promise<DeepReadonly<T>[]> {
  const { owner, selector, candidates } = options;
  const uid = uidOf(owner);
  const isGoing = isBeingDeleted(owner);
  const claimed: DeepReadonly<T>[] = [];
  const released: DeepReadonly<T>[] = [];
  const orphans: DeepReadonly<T>[] = [];
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
      namespaceOf(candidate) === namespaceOf(owner)
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
}: ClaimOptions<O, T>): Promise<void> {
  const fresh = await owners
    .live(namespaceOf(owner))
    .get(nameOf(owner), signal === undefined ? {} : { signal });
  const name = `${ownerType.kind} ${keyOf(owner)}`;
  if (uidOf(fresh) !== uidOf(owner))
    throw new OwnerGoneError(
      `${name} is another one now: its uid is ${uidOf(fresh)}, and was ${uidOf(owner)}`,
    );
  if (isBeingDeleted(fresh))
    throw new OwnerGoneError(`${name} has just been deleted, at ${fresh.metadata?.deletionTimestamp}`);
}

async function adopt<O extends KubeObject, T extends KubeObject>(
  { owner, ownerType, dependents, finalizer, signal }: ClaimOptions<O, T>,
  candidate: DeepReadonly<T>,
): Promise<DeepReadonly<T> | undefined> {
  const metadata = {
    // With the uid the server refuses to patch another object of the same name.
    uid: uidOf(candidate),
    ownerReferences: [controllerReferenceTo(owner, ownerType)],
    ...(finalizer !== undefined && { finalizers: [finalizer] }),
  };
  try {
    const adopted = await dependents.patch(keyOf(candidate), { metadata } as StrategicPatch<T>, {
      type: 'strategic',
      ...(signal !== undefined && { signal }),
    });
    return adopted as DeepReadonly<T>;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function release<O extends KubeObject, T extends KubeObject>(
  { owner, dependents, finalizer, signal }: ClaimOptions<O, T>,
  candidate: DeepReadonly<T>,
): Promise<void> {
  const metadata = {
    uid: uidOf(candidate),
    ownerReferences: [{ $patch: 'delete', uid: uidOf(owner) }],
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
