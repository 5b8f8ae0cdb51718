import { isBeingDeleted } from '@windlass/apimachinery';
import {
  type DirectPVDrive,
  type DirectPVVolume,
  isPublished,
  isReleased,
  isSuspended,
} from '../resources/index.ts';

/** A drive's status, and what else there is to say of it: `Ready,SchedulingDisabled,Suspended`. */
export function driveState(drive: DirectPVDrive): string {
  return [
    drive.status.status,
    ...(drive.spec?.unschedulable === true ? ['SchedulingDisabled'] : []),
    ...(isSuspended(drive) ? ['Suspended'] : []),
    ...(isBeingDeleted(drive) ? ['Deleting'] : []),
  ].join(',');
}

/**
 * A volume's status as people need it: Released when nobody wants it any more, Lost when its drive is, Bounded when a
 * pod has it, else Pending or Ready; and then what else there is to say.
 */
export function volumeState(volume: DirectPVVolume): string {
  const isLost = volume.status.conditions?.some(({ type, status }) => type === 'Lost' && status === 'True');
  const state = isReleased(volume)
    ? 'Released'
    : isLost === true
      ? 'Lost'
      : isPublished(volume)
        ? 'Bounded'
        : volume.status.status;
  return [
    state,
    ...(isSuspended(volume) ? ['Suspended'] : []),
    ...(isBeingDeleted(volume) ? ['Deleting'] : []),
  ].join(',');
}
