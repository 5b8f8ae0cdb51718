import type { Cached } from '@windlass/apimachinery';
import type { BlockDevice, DeviceContents, DeviceIdentity } from '../os/index.ts';
import { type DirectPVDrive, LABELS, type RecordedDevice, recordedDevice } from '../resources/index.ts';

type Drive = Cached<DirectPVDrive>;

/**
 * Why a device that does not show a drive's file system is the drive's all the same.
 * - `damaged`: copies of its superblock are there; the first is gone, or says something else.
 * - `overwritten`: as `damaged`, and something else stands at the beginning.
 * - `relabelled`: its file system was given another UUID.
 * - `unreadable`: it is the device that the drive was on, and it cannot be read.
 * - `unrecognised`: it is the device that the drive was on, and nothing of the drive was found on it.
 * - `similar`: nothing tells it from the device that the drive was on.
 */
export interface DriveClaim {
  readonly state: 'damaged' | 'overwritten' | 'relabelled' | 'unreadable' | 'unrecognised' | 'similar';
  readonly device: BlockDevice;
  readonly fsuuid: string;
  readonly isOwn: boolean;
}

/**
 * What a device has to do with a drive whose file system no device shows as it should. Undefined: nothing. It is asked
 * before a device is offered or formatted, so in doubt the device is the drive's: taking one that is not back costs a
 * command, and the other way round costs the data.
 * @param isOwn whether the drive is of this node: what is recorded of devices of other nodes means their devices
 */
export function claimOn(device: BlockDevice, drive: Drive, isOwn = true): DriveClaim | undefined {
  const { fsuuid } = drive.status;
  const { contents, traces = [], problem } = device;
  const claim = (state: DriveClaim['state']): DriveClaim => ({ state, device, fsuuid, isOwn });
  if (contents?.fsuuid !== fsuuid && contents?.madeAs === fsuuid) return claim('relabelled');
  if (traces.some((trace) => isOf(trace, fsuuid)))
    return claim(contents === undefined || contents.fsType === 'xfs' ? 'damaged' : 'overwritten');
  if (!isOwn) return undefined;
  const recorded = recordedDevice(drive);
  const likeness = recorded === undefined ? 'unknown' : compare(recorded, device.identity ?? {});
  if (likeness === 'other') return undefined;
  if (likeness === 'same') {
    if (problem !== undefined) return claim('unreadable');
    return claim(contents === undefined || contents.fsType === 'xfs' ? 'unrecognised' : 'overwritten');
  }
  // Something known stands on it, and nothing of the drive: then it is another device with the same name.
  if (contents !== undefined || !isSimilar(device, drive, recorded)) return undefined;
  return claim(problem === undefined ? 'similar' : 'unreadable');
}

function isOf({ fsuuid, madeAs }: DeviceContents, wanted: string): boolean {
  return fsuuid === wanted || madeAs === wanted;
}

/** Whether two are one device, by whatever both say. The first that both know decides. */
function compare(recorded: DeviceIdentity, found: DeviceIdentity): 'same' | 'other' | 'unknown' {
  const [before, now] = [recorded.partition, found.partition];
  // A table that is lost turns a partition back into its disk, which is then the drive's; another partition is not.
  if (before !== undefined && now !== undefined && before !== now) return 'other';
  for (const key of ['mapper', 'wwid', 'backing', 'serial'] as const)
    if (recorded[key] !== undefined && found[key] !== undefined)
      return recorded[key] === found[key] ? 'same' : 'other';
  const isUuid = before?.startsWith('#') === false;
  return isUuid && before === now ? 'same' : 'unknown';
}

/**
 * By name and size alone, for machines that tell nothing else of their devices. Where the places of the superblocks are
 * known and none is there, the drive's data is not either.
 */
function isSimilar(device: BlockDevice, drive: Drive, recorded: RecordedDevice | undefined): boolean {
  if (recorded !== undefined)
    return (
      recorded.name === device.name && (device.problem !== undefined || recorded.groupBytes === undefined)
    );
  const { make = '', totalCapacity } = drive.status;
  return (
    drive.metadata?.labels?.[LABELS.driveName] === device.name &&
    (make === '' || make === device.make) &&
    device.size >= totalCapacity
  );
}

/** Why the device is not offered, for people. */
export function deniedBy({ state, fsuuid, isOwn, device }: DriveClaim): string {
  const whose = isOwn ? `drive ${fsuuid}` : `drive ${fsuuid} of another node`;
  switch (state) {
    case 'damaged':
      return `Holds ${whose}, whose first superblock is damaged; repair the drive`;
    case 'overwritten':
      return `Holds ${whose}, over whose beginning ${typeOf(device)} was written; repair or remove the drive`;
    case 'relabelled':
      return `Holds ${whose} under another UUID; repair or remove the drive`;
    case 'unreadable':
      return `Holds ${whose}, but cannot be read`;
    case 'unrecognised':
      return `Is the device of ${whose}, of whose file system nothing was found; repair or remove the drive`;
    case 'similar':
      return `May be the device of ${whose}, which is not found; repair or remove the drive`;
    default:
      return state satisfies never;
  }
}

/** Why the drive is lost, for people, and what to do. */
export function lostBy({ state, fsuuid, device }: DriveClaim): string {
  const { name, path } = device;
  const repair = `run "kubectl directpv repair ${fsuuid} --dangerous"`;
  switch (state) {
    case 'damaged':
      return `Device ${name} holds the drive, but the first superblock of its file system is damaged: ${repair}`;
    case 'overwritten':
      return `Device ${name} holds the drive, but ${typeOf(device)} was written over its beginning: remove that with wipefs, then ${repair}`;
    case 'relabelled':
      return `Device ${name} holds the drive, but its file system was given UUID ${device.contents?.fsuuid ?? ''}: run "xfs_admin -U ${fsuuid} ${path}" on the node`;
    case 'unreadable':
      return `Device ${name} is the one that the drive was on, but it cannot be read: ${device.problem ?? ''}`;
    case 'unrecognised':
    case 'similar':
      return `Device ${name} ${state === 'similar' ? 'may be' : 'is'} the one that the drive was on, but nothing of its file system was found: ${repair}`;
    default:
      return state satisfies never;
  }
}

function typeOf({ contents }: BlockDevice): string {
  return contents?.fsType ?? 'something else';
}
