import { isBeingDeleted, type Served } from '@windlass/apimachinery';
import {
  type DirectPVDrive,
  type DirectPVVolume,
  DRIVE_LIMITATION_TYPES,
  isPublished,
  isReleased,
  isSuspended,
  problemOf,
} from '../resources/index.ts';

/** A drive's status, and what else there is to say of it: `Ready,SchedulingDisabled,Suspended`. */
export function driveState(drive: Served<DirectPVDrive>): string {
  return [
    drive.status.status,
    ...(drive.spec?.unschedulable === true ? ['SchedulingDisabled'] : []),
    ...(isSuspended(drive) ? ['Suspended'] : []),
    ...DRIVE_LIMITATION_TYPES.filter((type) => problemOf(drive, type) !== undefined),
    ...(isBeingDeleted(drive) ? ['Deleting'] : []),
  ].join(',');
}

/**
 * A volume's status as people need it: Released when nobody wants it any more, Lost when its drive is, Bounded when a
 * pod has it, else Pending or Ready; and then what else there is to say.
 */
export function volumeState(volume: Served<DirectPVVolume>): string {
  const isLost = problemOf(volume, 'Lost') !== undefined;
  const state = isReleased(volume)
    ? 'Released'
    : isLost
      ? 'Lost'
      : isPublished(volume)
        ? 'Bounded'
        : volume.status.status;
  return [
    state,
    ...(isSuspended(volume) ? ['Suspended'] : []),
    ...(['QuotaNotEnforced', 'QuotaExceeded'] as const).filter(
      (type) => problemOf(volume, type) !== undefined,
    ),
    ...(isBeingDeleted(volume) ? ['Deleting'] : []),
  ].join(',');
}
