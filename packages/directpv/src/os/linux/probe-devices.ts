import { constants, type FileHandle, open } from 'node:fs/promises';
import { type Clock, orAbort, sleep, throwIfAborted, toError, withDeadline } from '@windlass/base';
import type { BlockDevice, DeviceContents } from '../block-device.ts';
import { OperatingSystemError, systemCode } from '../errors.ts';
import type { ReadAt } from './bytes.ts';
import { probeContents } from './signatures.ts';
import {
  blockDeviceNames,
  type DeviceFacts,
  type MachineFacts,
  readDeviceFacts,
  readMachineFacts,
  type SystemPaths,
} from './sysfs.ts';
import { findTraces, type TraceOptions } from './traces.ts';

export interface ProbeOptions extends TraceOptions {
  readonly paths: SystemPaths;
  readonly clock: Clock;
  /** Which devices are this node's. */
  readonly includes: (name: string) => boolean;
  /** For one device, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const BUSY_LOOKS = 5;
const BUSY_PAUSE_MS = 40;

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
    const found = await orAbort(readContents(device, options, deadline.signal), deadline.signal);
    const busy = !isInUse(device) && (await isBusy(facts.path, clock, deadline.signal));
    return { ...device, ...found, ...(busy && { busy }) };
  } catch (error) {
    return { ...device, problem: toError(error).message };
  }
}

/** Something that we can name has it. */
function isInUse({ mountPoints, holders, swapOn, partitioned }: BlockDevice): boolean {
  return mountPoints.length > 0 || holders.length > 0 || swapOn || partitioned;
}

/**
 * The kernel refuses an exclusive open of a device that a file system, RAID, mapper, swap or pool has open. Another
 * probe may have it open in just that way, for a moment; who uses it has it for longer.
 */
async function isBusy(path: string, clock: Clock, signal: AbortSignal): Promise<boolean> {
  for (let look = 1; ; look++)
    try {
      const file = await orAbort(open(path, constants.O_RDONLY | constants.O_EXCL), signal);
      await file.close();
      return false;
    } catch (error) {
      if (systemCode(error) !== 'EBUSY') throw error;
      if (look >= BUSY_LOOKS) return true;
      await sleep(clock, BUSY_PAUSE_MS, signal);
    }
}

type Found = Pick<BlockDevice, 'contents' | 'traces' | 'problem'>;

/** What cannot be read is a problem of the device, and never the same as nothing. */
async function readContents(device: BlockDevice, options: TraceOptions, signal: AbortSignal): Promise<Found> {
  const file = await open(device.path, constants.O_RDONLY);
  try {
    const read = readerOf(file, device, signal);
    const contents: DeviceContents | undefined = await probeContents(device.size, read);
    const known = contents !== undefined && { contents };
    // What others are built on shows what is on the whole; its own copies are theirs.
    if (device.partitioned || device.holders.length > 0 || device.swapOn) return { ...known };
    try {
      const traces = await findTraces(device.size, read, options);
      return { ...known, ...(traces.length > 0 && { traces }) };
    } catch (error) {
      return { ...known, problem: toError(error).message };
    }
  } finally {
    await file.close();
  }
}

/** Nobody waits for what is read after the signal: the device and the threads that read are for others then. */
function readerOf(file: FileHandle, { path, size }: BlockDevice, signal: AbortSignal): ReadAt {
  return async (offset, length) => {
    throwIfAborted(signal);
    const wanted = Math.min(length, size - offset);
    const buffer = Buffer.alloc(Math.max(0, wanted));
    for (let filled = 0; filled < wanted; ) {
      const { bytesRead } = await file.read(buffer, filled, wanted - filled, offset + filled);
      if (bytesRead === 0)
        throw new OperatingSystemError(
          'EIO',
          `${path} has ${size} bytes, but nothing is to be read at ${offset + filled}; it is not taken for empty`,
        );
      filled += bytesRead;
    }
    return buffer;
  };
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
