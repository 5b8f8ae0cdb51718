import { MIN_DRIVE_BYTES } from '../resources/index.ts';
import type { BlockDevice, DeviceContents } from './block-device.ts';

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
  const { contents, traces = [] } = device;
  const member = [...(contents === undefined ? [] : [contents]), ...traces].find(({ fsType }) =>
    MEMBERS.has(fsType),
  );
  const isTableLost = traces.some(({ fsType }) => TABLES.has(fsType));
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
    [member !== undefined, `Part of ${member?.fsType ?? ''}`],
    // The kernel shows none of its partitions, and whoever restores the table has them all again.
    [isTableLost, 'Partition table is damaged: its copy at the end names partitions'],
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

/** Whether formatting it takes nothing away: it is empty, also on a second look, or has a table without partitions. */
export function isFreeToFormat({ contents, traces = [] }: BlockDevice): boolean {
  return traces.length === 0 && (contents === undefined || TABLES.has(contents.fsType));
}

/** What formatting it takes away, in the words of blkid; undefined when nothing. */
export function formattedOver(device: BlockDevice): DeviceContents | undefined {
  const { contents, traces = [] } = device;
  const [trace] = traces;
  return contents === undefined || TABLES.has(contents.fsType) ? (trace ?? contents) : contents;
}
