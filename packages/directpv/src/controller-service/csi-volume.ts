import { type Cached, isConditionTrue } from '@windlass/apimachinery';
import type { MessageInit, Volume, VolumeCondition } from '@windlass/csi';
import {
  contentSource,
  type DirectPVDrive,
  type DirectPVVolume,
  isSuspended,
  latestDriveProblem,
  TOPOLOGY_KEYS,
} from '../resources/index.ts';

/** A volume as CSI tells of it. */
export function toCsiVolume(
  volume: Cached<DirectPVVolume>,
  drive: Cached<DirectPVDrive> | undefined,
  volumeContext: Readonly<Record<string, string>> = {},
): MessageInit<Volume> {
  const source = contentSource(volume);
  return {
    volumeId: volume.metadata.name,
    capacityBytes: volume.status.totalCapacity,
    volumeContext,
    accessibleTopology: drive === undefined ? [] : [{ segments: topologyOf(drive) }],
    ...(source !== undefined && {
      contentSource:
        source.kind === 'snapshot'
          ? { snapshot: { snapshotId: source.id } }
          : { volume: { volumeId: source.id } },
    }),
  };
}

/** The segments that every node of ours tells of, and no others: they become the volume's node affinity. */
function topologyOf({ status }: Cached<DirectPVDrive>): Record<string, string> {
  const known: readonly string[] = TOPOLOGY_KEYS;
  return Object.fromEntries(Object.entries(status.topology).filter(([key]) => known.includes(key)));
}

/** Whether a volume can be used, and if not, why. */
export function conditionOf(
  volume: Cached<DirectPVVolume>,
  drive: Cached<DirectPVDrive> | undefined,
): VolumeCondition {
  const id = volume.status.fsuuid;
  const abnormal = (message: string): VolumeCondition => ({ abnormal: true, message });
  if (isConditionTrue(volume.status.conditions, 'Lost')) return abnormal('the volume is lost with its drive');
  if (drive === undefined) return abnormal(`its drive ${id} does not exist`);
  if (drive.status.status !== 'Ready') {
    const why = latestDriveProblem(drive)?.message;
    return abnormal(
      `its drive ${id} is ${drive.status.status.toLowerCase()}${why === undefined ? '' : `: ${why}`}`,
    );
  }
  if (isSuspended(volume)) return abnormal('the volume is suspended');
  if (isSuspended(drive)) return abnormal(`its drive ${id} is suspended`);
  return { abnormal: false, message: 'the volume is healthy' };
}
