import { type Cached, compareQuantities } from '@windlass/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';

export interface ResizeFacts {
  readonly claim: Cached<PersistentVolumeClaim>;
  readonly volume: Cached<PersistentVolume>;
  readonly driver: string;
  /** Whether the driver grows volumes itself; else nodes do all. */
  readonly growsVolumes: boolean;
  /** Whether the driver's last answer was final, so that nothing of an earlier attempt goes on. */
  readonly hasFinalError: boolean;
}

/** The size to grow to. Undefined: nothing is to be done, or not by us. */
export function decideResize(facts: ResizeFacts): string | undefined {
  const { claim, volume } = facts;
  if (claim.status?.phase !== 'Bound' || volume.spec?.csi?.driver !== facts.driver) return undefined;
  const { claimRef } = volume.spec;
  if (claimRef?.uid !== claim.metadata.uid || claimRef.namespace !== claim.metadata.namespace)
    return undefined;
  const wanted = claim.spec?.resources?.requests?.['storage'];
  const present = claim.status.capacity?.['storage'];
  if (wanted === undefined || present === undefined || compareQuantities(wanted, present) <= 0)
    return undefined;
  const state = claim.status.allocatedResourceStatuses?.['storage'];
  const allocated = claim.status.allocatedResources?.['storage'];
  const size = volume.spec.capacity?.['storage'] ?? '0';
  return compareQuantities(size, wanted) < 0
    ? smaller(facts, wanted, allocated, size, state)
    : largeEnough(facts, wanted, allocated, state);
}

/** The volume is smaller than wanted. What was begun before ends first. */
function smaller(
  { hasFinalError }: ResizeFacts,
  wanted: string,
  allocated: string | undefined,
  size: string,
  state: string | undefined,
): string | undefined {
  switch (state) {
    case 'NodeResizeInfeasible':
      return allocated ?? wanted;
    case 'NodeResizePending':
    case 'NodeResizeInProgress': {
      const target = allocated ?? wanted;
      // The driver has done its part of that, and the node is at it.
      return compareQuantities(size, target) >= 0 ? undefined : target;
    }
    case 'ControllerResizeInProgress':
      // With no final answer it may go on, and another size could not be taken back.
      return hasFinalError ? wanted : (allocated ?? wanted);
    default:
      return wanted;
  }
}

/** The volume is large enough, and the claim does not say so yet. */
function largeEnough(
  { claim, growsVolumes }: ResizeFacts,
  wanted: string,
  allocated: string | undefined,
  state: string | undefined,
): string | undefined {
  switch (state) {
    case 'NodeResizePending':
    case 'NodeResizeInProgress':
      return undefined;
    case 'NodeResizeInfeasible':
      return growsVolumes ? (allocated ?? wanted) : wanted;
    case 'ControllerResizeInProgress':
    case 'ControllerResizeInfeasible':
      // The write after the driver's answer was lost, or the wish was made smaller since.
      return allocated ?? wanted;
    default: {
      if (allocated !== undefined) return allocated;
      const isPending = claim.status?.conditions?.some(
        ({ type, status }) => type === 'FileSystemResizePending' && status === 'True',
      );
      return isPending === true ? undefined : wanted;
    }
  }
}
