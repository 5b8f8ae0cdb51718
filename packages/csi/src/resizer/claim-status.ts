// What the status of a claim says while it grows. Each of these gives a merge patch of the status.
import { compareQuantities, type DeepReadonly, formatTime } from '@windlass/apimachinery';
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimCondition,
} from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { MergePatch } from '@windlass/client';

type Claim = DeepReadonly<PersistentVolumeClaim>;
type ClaimPatch = MergePatch<PersistentVolumeClaim>;

const RESIZE_CONDITIONS: ReadonlySet<string> = new Set([
  'Resizing',
  'FileSystemResizePending',
  'ControllerResizeError',
  'NodeResizeError',
]);

/** Set by finished growth that nodes had no part in: a kubelet need not look. */
const NODE_EXPANSION_NOT_REQUIRED = 'volume.kubernetes.io/node-expansion-not-required';

/** Undefined when the claim says so already. */
export function inProgress(claim: Claim, size: string, clock: Clock): ClaimPatch | undefined {
  const { allocatedResources, conditions } = claim.status ?? {};
  const allocated = allocatedResources?.['storage'];
  const isSame = allocated !== undefined && compareQuantities(allocated, size) === 0;
  if (isSame && conditions?.some(({ type, status }) => type === 'Resizing' && status === 'True') === true)
    return undefined;
  return {
    ...withoutNote(claim),
    status: {
      conditions: merged(claim, { type: 'Resizing', status: 'True' }, isSame, clock),
      allocatedResources: { storage: size },
      ...(isSame ? {} : { allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' } }),
    },
  };
}

/** The driver has done its part; the node must grow the file system. */
export function nodePending(claim: Claim, clock: Clock): ClaimPatch {
  const message = 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.';
  const condition = { type: 'FileSystemResizePending', status: 'True', message };
  return {
    ...withoutNote(claim),
    status: {
      conditions: merged(claim, condition, true, clock),
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
    },
  };
}

export function finished(claim: Claim, size: string): ClaimPatch {
  return {
    metadata: { annotations: { [NODE_EXPANSION_NOT_REQUIRED]: 'true' } },
    status: {
      capacity: { storage: size },
      conditions: kept(claim, new Set()),
      allocatedResourceStatuses: { storage: null },
    },
  };
}

export function failed(claim: Claim, why: string, isInfeasible: boolean, clock: Clock): ClaimPatch {
  const condition = {
    type: 'ControllerResizeError',
    status: 'True',
    message: `failed to expand pvc with ${why}`,
  };
  return {
    status: {
      conditions: merged(claim, condition, true, clock),
      ...(isInfeasible ? { allocatedResourceStatuses: { storage: 'ControllerResizeInfeasible' } } : {}),
    },
  };
}

const withoutNote = (claim: Claim): ClaimPatch =>
  claim.metadata?.annotations?.[NODE_EXPANSION_NOT_REQUIRED] === undefined
    ? {}
    : { metadata: { annotations: { [NODE_EXPANSION_NOT_REQUIRED]: null } } };

/** Conditions that are not about growing, and of those that are the named ones. */
function kept(claim: Claim, types: ReadonlySet<string>): PersistentVolumeClaimCondition[] {
  return (claim.status?.conditions ?? [])
    .filter(({ type }) => !RESIZE_CONDITIONS.has(type) || types.has(type))
    .map((condition) => ({ ...condition }));
}

function merged(
  claim: Claim,
  next: { readonly type: string; readonly status: string; readonly message?: string },
  keepsOthers: boolean,
  clock: Clock,
): PersistentVolumeClaimCondition[] {
  const others = new Set(keepsOthers ? RESIZE_CONDITIONS : []);
  others.delete(next.type);
  const before = claim.status?.conditions?.find(
    ({ type, status }) => type === next.type && status === next.status,
  );
  const lastTransitionTime = before?.lastTransitionTime ?? formatTime(clock.now());
  return [...kept(claim, others), { ...next, lastTransitionTime }];
}
