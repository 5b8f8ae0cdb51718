import type { Cached } from '@windlass/apimachinery';
import type { Clock } from '@windlass/base';
import type { EventRecorder } from '@windlass/runtime';
import { overcommittedBytes, usableCapacity } from '../accounting/index.ts';
import type { QuotaSupport } from '../os/index.ts';
import {
  type DirectPVDrive,
  DRIVE_LIMITATION_TYPES,
  DRIVE_LIMITATIONS,
  type DriveLimitationType,
  problemOf,
  withoutProblem,
  withProblem,
} from '../resources/index.ts';

type Drive = Cached<DirectPVDrive>;

/** What the machine does for a drive that is mounted. */
export interface DriveSupport {
  readonly quota: QuotaSupport;
  readonly limitations: readonly string[];
}

/**
 * The drive with what it does not do, although it is used: each in a condition of its own, as long as it holds. What is
 * left unsaid here would degrade in silence.
 */
export function withLimitations(drive: Drive, { quota, limitations }: DriveSupport, clock: Clock): Drive {
  const unlimited = quota.enforced
    ? undefined
    : `Quotas are not enforced on this drive, and volumes may take more than their size: ${quota.reason}`;
  const overcommitted =
    overcommittedBytes(drive) === 0
      ? undefined
      : `Volumes were promised ${drive.status.allocatedCapacity} bytes, but the file system has ${usableCapacity(drive)} for them: the drive gets no new ones; move or delete some`;
  const degraded = limitations.length === 0 ? undefined : limitations.join('; ');
  const said: Readonly<Record<DriveLimitationType, string | undefined>> = {
    QuotaNotEnforced: unlimited,
    Overcommitted: overcommitted,
    Degraded: degraded,
  };
  let next = drive;
  for (const type of DRIVE_LIMITATION_TYPES) {
    const message = said[type];
    next = message === undefined ? withoutProblem(next, type) : withProblem(next, type, message, clock);
  }
  return next;
}

/** Tells people of what a drive has not said before: once, not at each look. */
export function tellLimitations(recorder: EventRecorder, before: Drive, after: Drive): void {
  for (const type of DRIVE_LIMITATION_TYPES) {
    const limitation = problemOf(after, type);
    if (limitation !== undefined && problemOf(before, type) === undefined)
      recorder.warning(after, DRIVE_LIMITATIONS[type], limitation.message ?? '');
  }
}
