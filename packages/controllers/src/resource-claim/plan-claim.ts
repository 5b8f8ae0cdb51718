import {
  type Cached,
  CLAIM_PROTECTION_FINALIZER,
  controllerOf,
  isBeingDeleted,
} from '@windlass/apimachinery';
import type { ResourceClaim, ResourceClaimConsumerReference } from '@windlass/apimachinery/api/resource/v1';
import { isTerminal, type ReadonlyPod } from '../shared/pods.ts';

type ReadonlyClaim = Cached<ResourceClaim>;

/** What is to be done with a claim, in this order. */
export interface ClaimPlan {
  /** Who is left to use it; undefined when the status stays as it is. */
  readonly reservedFor: readonly Readonly<ResourceClaimConsumerReference>[] | undefined;
  /** Its devices are free for others. */
  readonly deallocates: boolean;
  /** Nothing keeps it any more. */
  readonly removesFinalizer: boolean;
  /** It was made for a pod that does not need it any more. */
  readonly deletes: boolean;
}

export const NOTHING: ClaimPlan = Object.freeze({
  reservedFor: undefined,
  deallocates: false,
  removesFinalizer: false,
  deletes: false,
});

/** It runs no container, and never will. */
export function isPodDone(pod: ReadonlyPod): boolean {
  return isTerminal(pod) || (isBeingDeleted(pod) && (pod.spec?.nodeName ?? '') === '');
}

/** The pods that claims are reserved for; undefined for other consumers, of which nothing is known here. */
export function podNameOf({
  apiGroup = '',
  resource,
  name,
}: ResourceClaimConsumerReference): string | undefined {
  return apiGroup === '' && resource === 'pods' ? name : undefined;
}

/** Whether a pod of the name of a consumer is that consumer, and still needs the claim. */
export function stillUses(consumer: ResourceClaimConsumerReference, pod: ReadonlyPod | undefined): boolean {
  return pod !== undefined && pod.metadata.uid === consumer.uid && !isPodDone(pod);
}

/**
 * A claim is released when the last of its consumers is done, so that the next one may get it on another node. One
 * that has never had a consumer stays allocated.
 *
 * @param pods those that the claim is reserved for, and the one that it was made for, by their names
 */
export function planClaim(claim: ReadonlyClaim, pods: ReadonlyMap<string, ReadonlyPod>): ClaimPlan {
  const before = claim.status?.reservedFor ?? [];
  const left = before.filter((consumer) => {
    const name = podNameOf(consumer);
    return name === undefined || stillUses(consumer, pods.get(name));
  });
  if (left.length > 0) return left.length < before.length ? { ...NOTHING, reservedFor: left } : NOTHING;
  const isProtected = claim.metadata.finalizers?.includes(CLAIM_PROTECTION_FINALIZER) === true;
  const isReleased = before.length > 0 || isBeingDeleted(claim);
  return {
    reservedFor: before.length > 0 ? [] : undefined,
    deallocates: isProtected && isReleased && claim.status?.allocation !== undefined,
    removesFinalizer: isProtected && isReleased,
    deletes: isUnneeded(claim, pods),
  };
}

/** The pod may not be known yet. When it is really gone, the garbage collector takes the claim along. */
function isUnneeded(claim: ReadonlyClaim, pods: ReadonlyMap<string, ReadonlyPod>): boolean {
  const owner = controllerOf(claim);
  if (owner?.kind !== 'Pod' || isBeingDeleted(claim)) return false;
  const pod = pods.get(owner.name);
  return pod !== undefined && (pod.metadata.uid !== owner.uid || isPodDone(pod));
}
