import { type Cached, deepEqual, formatTime, Quantity } from '@windlass/apimachinery';
import type { VolumeSnapshot, VolumeSnapshotContent, VolumeSnapshotStatus } from './volume-snapshot.ts';

const NANOS_PER_MS = 1_000_000;

/**
 * What a snapshot's status is to say, given its content; undefined when it says so. A snapshot that was ready once
 * does not become less ready: its driver's answer may be lost for a moment, and volumes are made of it.
 */
export function statusFrom(
  { status: before }: Cached<VolumeSnapshot>,
  { metadata, status = {} }: Cached<VolumeSnapshotContent>,
): VolumeSnapshotStatus | undefined {
  const { creationTime, restoreSize, error } = status;
  const isReady = status.readyToUse === true || before?.readyToUse === true;
  const wanted: VolumeSnapshotStatus = {
    ...(before?.volumeGroupSnapshotName !== undefined && {
      volumeGroupSnapshotName: before.volumeGroupSnapshotName,
    }),
    boundVolumeSnapshotContentName: metadata.name,
    readyToUse: isReady,
    ...(creationTime === undefined
      ? before?.creationTime !== undefined && { creationTime: before.creationTime }
      : { creationTime: formatTime(creationTime / NANOS_PER_MS) }),
    ...(restoreSize === undefined
      ? before?.restoreSize !== undefined && { restoreSize: before.restoreSize }
      : { restoreSize: Quantity.of(restoreSize, 'BinarySI').toString() }),
    ...(error !== undefined && !isReady && { error: { ...error } }),
  };
  return deepEqual(wanted, before) ? undefined : wanted;
}
