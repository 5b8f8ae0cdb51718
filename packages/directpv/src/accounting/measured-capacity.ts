import type { Cached } from '@windlass/apimachinery';
import { ANNOTATIONS, type DirectPVDrive, USABLE_BYTES } from '../resources/index.ts';

type Drive = Cached<DirectPVDrive>;

const MIB = 1024 ** 2;
/** A measurement that is higher by less than this, or than this part of the whole, is nothing new. */
const SLACK_BYTES = 16 * MIB;
const SLACK = 0.01;

/** Whether the drive's numbers are of the bytes that volumes may have. One of DirectPV's is adopted first. */
export function isCounted({ metadata }: Drive): boolean {
  return metadata?.annotations?.[ANNOTATIONS.accounting] === USABLE_BYTES;
}

/** What the drive's node has measured; undefined where it has not. */
export function measuredCapacity({ metadata }: Drive): number | undefined {
  const text = metadata?.annotations?.[ANNOTATIONS.measuredCapacity];
  const bytes = text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/**
 * What volumes may have together: what the status says, but not more than was measured. Whoever else writes drives, as
 * DirectPV's own node server does at each start, writes the size of the device there.
 */
export function usableCapacity(drive: Drive): number {
  return Math.min(drive.status.totalCapacity, measuredCapacity(drive) ?? Number.POSITIVE_INFINITY);
}

/** What may still be promised. Never more than the file system has for it, whatever the status says. */
export function freeCapacity(drive: Drive): number {
  const { freeCapacity: free, allocatedCapacity } = drive.status;
  // Without a measurement nothing is known but what the status says: a drive of DirectPV counts in its own way.
  if (measuredCapacity(drive) === undefined) return free;
  return Math.max(0, Math.min(free, usableCapacity(drive) - allocatedCapacity));
}

/** Whether allocated and free may be no more than the total: so we count, and so it is where a node has measured. */
export function isBounded(drive: Drive): boolean {
  return isCounted(drive) || measuredCapacity(drive) !== undefined;
}

/** By how much volumes were promised more than there is. */
export function overcommittedBytes(drive: Drive): number {
  return isBounded(drive) ? Math.max(0, drive.status.allocatedCapacity - usableCapacity(drive)) : 0;
}

/** The drive with no more than was measured; the very drive when it has none. */
export function withinMeasured(drive: Drive): Drive {
  const usable = usableCapacity(drive);
  if (usable === drive.status.totalCapacity) return drive;
  return { ...drive, status: { ...drive.status, totalCapacity: usable, freeCapacity: freeCapacity(drive) } };
}

/**
 * What a drive's total becomes after a measurement. It never is more than was measured. It follows downwards at once,
 * by a little more where it is little, and upwards only by what is worth it: a file system's own needs change with its
 * use, somebody writes while it is measured, and each change is a write of the drive.
 */
export function totalAfter(current: number, measured: number): number {
  if (measured < current) return current - measured < MIB ? Math.floor(measured / MIB) * MIB : measured;
  return measured > current + Math.max(SLACK_BYTES, current * SLACK) ? measured : current;
}
