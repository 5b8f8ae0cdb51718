import { constants, open } from 'node:fs/promises';
import { type Clock, orAbort, toError, withDeadline } from '@windlass/base';
import type { BlockDevice, DeviceContents } from '../block-device.ts';
import { systemCode } from '../errors.ts';
import { probeContents } from './signatures.ts';
import {
  blockDeviceNames,
  type DeviceFacts,
  type MachineFacts,
  readDeviceFacts,
  readMachineFacts,
  type SystemPaths,
} from './sysfs.ts';

export interface ProbeOptions {
  readonly paths: SystemPaths;
  readonly clock: Clock;
  /** Which devices are this node's. */
  readonly includes: (name: string) => boolean;
  /** For one device, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Looks at all devices at once. One that hangs or fails has a `problem`; the others are as they are. */
export async function probeDevices(options: ProbeOptions): Promise<readonly BlockDevice[]> {
  const machine = await readMachineFacts(options.paths);
  const names = (await blockDeviceNames(options.paths)).filter(options.includes);
  const devices = await Promise.all(names.map((name) => probeDevice(name, machine, options)));
  return devices.filter((device) => device !== undefined);
}

async function probeDevice(
  name: string,
  machine: MachineFacts,
  options: ProbeOptions,
): Promise<BlockDevice | undefined> {
  const { clock, timeoutMs, paths, signal } = options;
  using deadline = withDeadline(clock, timeoutMs, `looking at ${name}`, signal);
  let facts: DeviceFacts;
  try {
    facts = await orAbort(readDeviceFacts(name, paths), deadline.signal);
  } catch (error) {
    return { ...unknownDevice(name, paths), problem: toError(error).message };
  }
  // A loop device without a file, a card reader without a card: nothing is there.
  if (facts.size === 0) return undefined;
  const device: BlockDevice = {
    name,
    ...facts,
    mountPoints: machine.mountPoints.get(facts.majorMinor) ?? [],
    swapOn: machine.swaps.has(name),
    cdrom: machine.cdroms.has(name),
  };
  try {
    const { busy, contents } = await orAbort(readContents(facts.path, facts.size), deadline.signal);
    return { ...device, ...(contents !== undefined && { contents }), ...(busy && { busy }) };
  } catch (error) {
    return { ...device, problem: toError(error).message };
  }
}

/** The kernel refuses an exclusive open of a device that a file system, RAID, mapper, swap or pool has open. */
async function readContents(
  path: string,
  size: number,
): Promise<{ readonly busy: boolean; readonly contents: DeviceContents | undefined }> {
  let busy = false;
  let file = await open(path, constants.O_RDONLY | constants.O_EXCL).catch((error: unknown) => {
    if (systemCode(error) !== 'EBUSY') throw error;
    busy = true;
    return undefined;
  });
  file ??= await open(path, constants.O_RDONLY);
  try {
    const handle = file;
    const contents = await probeContents(size, async (position, length) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    });
    return { busy, contents };
  } finally {
    await file.close();
  }
}

function unknownDevice(name: string, paths: SystemPaths): BlockDevice {
  return {
    name,
    majorMinor: '',
    path: `${paths.dev}/${name}`,
    size: 0,
    make: '',
    hidden: false,
    removable: false,
    readOnly: false,
    partitioned: false,
    holders: [],
    mountPoints: [],
    swapOn: false,
    cdrom: false,
    dmName: '',
    udevData: {},
  };
}
