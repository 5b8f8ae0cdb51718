import { MIN_DRIVE_BYTES } from '../resources/index.ts';
import type { BlockDevice } from './block-device.ts';

/** Parts of something larger. They look unused while it is stopped, and losing one loses it all. */
const MEMBERS: ReadonlySet<string> = new Set([
  'LVM2_member',
  'linux_raid_member',
  'isw_raid_member',
  'ddf_raid_member',
  'zfs_member',
  'bcache',
  'bcachefs',
  'ceph_bluestore',
  'crypto_LUKS',
  'drbd',
  'VMFS_volume_member',
]);

/** Only a table: the device has no partitions that anything could be on. */
const TABLES: ReadonlySet<string> = new Set(['gpt', 'dos']);

/**
 * Why a device must not be formatted, whoever asks; empty when it may.
 * @param isOurs whether a drive with this file system is known
 */
export function deniedReasons(device: BlockDevice, isOurs: (fsuuid: string) => boolean): string[] {
  const { contents } = device;
  const reasons: [boolean, string][] = [
    [device.problem !== undefined, `internal error; ${device.problem ?? ''}`],
    [device.problem === undefined && device.size < MIN_DRIVE_BYTES, 'Too small'],
    [device.hidden, 'Hidden'],
    [device.readOnly, 'Read only'],
    [device.partitioned, 'Partitioned'],
    [device.holders.length > 0, 'Held by other device'],
    [device.mountPoints.length > 0, 'Mounted'],
    [device.swapOn, 'Swap'],
    [device.cdrom, 'CDROM'],
    [contents?.fsType === 'xfs' && isOurs(contents.fsuuid), 'Used by DirectPV'],
    [contents !== undefined && MEMBERS.has(contents.fsType), `Part of ${contents?.fsType ?? ''}`],
    [isBusyOtherwise(device), 'In use'],
  ];
  return reasons.filter(([holds]) => holds).map(([, reason]) => reason);
}

/** Busy for a reason that nothing else names. */
function isBusyOtherwise(device: BlockDevice): boolean {
  if (device.busy !== true) return false;
  return (
    !device.partitioned && !device.swapOn && device.holders.length === 0 && device.mountPoints.length === 0
  );
}

/** Whether formatting it takes nothing away: it is empty, or has a table without partitions. */
export function isFreeToFormat(device: BlockDevice): boolean {
  return device.contents === undefined || TABLES.has(device.contents.fsType);
}
