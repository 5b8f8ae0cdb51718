// Which resource claims a pod has, and which pods a claim is for.
import type { Pod } from '../generated/api/core/v1.ts';
import type { ResourceClaim } from '../generated/api/resource/v1.ts';
import { controllerOf } from '../metadata/owner-references.ts';
import type { DeepReadonly } from '../object.ts';
import type { Cached } from '../served.ts';

/** Allocated claims stay as long as somebody may use them. */
export const CLAIM_PROTECTION_FINALIZER = 'resource.kubernetes.io/delete-protection';
/** On claims that were made for a pod: the name of the entry in `spec.resourceClaims`. */
export const POD_CLAIM_ANNOTATION = 'resource.kubernetes.io/pod-claim-name';

/** One entry in `spec.resourceClaims` of a pod. */
export interface PodResourceClaim {
  /** As containers call it. */
  readonly name: string;
  /** The name of the claim; undefined as long as it is not made, and also when none is needed. */
  readonly claim: string | undefined;
  /** Of which the claim is made; undefined for one that others have made. */
  readonly template: string | undefined;
  /** There is nothing to wait for: nobody has to make it. */
  readonly isSettled: boolean;
}

/** Who makes claims from templates says in the status of the pod what they are called. */
export function resourceClaimsOfPod({ spec, status }: DeepReadonly<Pod>): PodResourceClaim[] {
  return (spec?.resourceClaims ?? []).map(({ name, resourceClaimName, resourceClaimTemplateName }) => {
    if (resourceClaimName !== undefined)
      return { name, claim: resourceClaimName, template: undefined, isSettled: true };
    const made = status?.resourceClaimStatuses?.find((one) => one.name === name);
    return {
      name,
      claim: made?.resourceClaimName,
      template: resourceClaimTemplateName,
      isSettled: made !== undefined,
    };
  });
}

/** Whether the claim was made for this very pod. */
export function isClaimForPod(claim: Cached<ResourceClaim>, pod: Cached<Pod>): boolean {
  const owner = controllerOf(claim);
  return owner?.kind === 'Pod' && owner.apiVersion === 'v1' && owner.uid === pod.metadata.uid;
}

/** Whether the pod may use the claim now. */
export function isReservedForPod({ status }: DeepReadonly<ResourceClaim>, pod: Cached<Pod>): boolean {
  return (status?.reservedFor ?? []).some(({ uid }) => uid === pod.metadata.uid);
}

/** The entry by which a claim is reserved for a pod. */
export function podConsumer({ metadata }: Cached<Pod>): { resource: string; name: string; uid: string } {
  return { resource: 'pods', name: metadata.name, uid: metadata.uid };
}
