import { type Cached, isBeingDeleted } from '@windlass/apimachinery';
import { type DirectPVDrive, isSuspended, volumeClaimIdLabel } from '../resources/index.ts';
import { overcommittedBytes } from './measured-capacity.ts';

type Drive = Cached<DirectPVDrive>;

/** Segments that a drive's topology must have, all of them. */
export type TopologySegments = Readonly<Record<string, string>>;

/** What a volume wants of its drive, besides room. */
export interface DriveCriteria {
  /** Labels that the drive must have, the access tier among them. */
  readonly labels: Readonly<Record<string, string>>;
  /** The drive must not have a volume of this claim. */
  readonly claimId?: string;
}

/** Whether a drive takes new volumes at all. */
export function isSchedulable(drive: Drive): boolean {
  return (
    drive.status.status === 'Ready' &&
    drive.spec?.unschedulable !== true &&
    !isSuspended(drive) &&
    !isBeingDeleted(drive) &&
    overcommittedBytes(drive) === 0
  );
}

/** Whether the drive has all of these topology segments. */
export function isIn(drive: Drive, segments: TopologySegments): boolean {
  for (const key in segments) if (drive.status.topology[key] !== segments[key]) return false;
  return true;
}

/** Whether the drive is of the kind that is wanted. Says nothing of room, place or whether it takes volumes. */
export function meets(drive: Drive, { labels, claimId }: DriveCriteria): boolean {
  const has = drive.metadata?.labels ?? {};
  for (const key in labels) if (has[key] !== labels[key]) return false;
  return claimId === undefined || has[volumeClaimIdLabel(claimId)] === undefined;
}
