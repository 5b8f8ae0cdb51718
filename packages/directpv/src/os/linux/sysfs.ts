import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DeviceIdentity } from '../block-device.ts';
import { isNoEntry } from '../errors.ts';
import { parseMountInfo } from './mount-info.ts';

/** Where the kernel and udev show themselves. Tests have their own. */
export interface SystemPaths {
  readonly sys: string;
  readonly proc: string;
  readonly dev: string;
  readonly udev: string;
}

export const SYSTEM_PATHS: SystemPaths = {
  sys: '/sys',
  proc: '/proc',
  dev: '/dev',
  udev: '/run/udev/data',
};

/** What the whole machine uses, read once for all devices. */
export interface MachineFacts {
  /** By `major:minor`. */
  readonly mountPoints: ReadonlyMap<string, readonly string[]>;
  /** Names of devices. */
  readonly swaps: ReadonlySet<string>;
  readonly cdroms: ReadonlySet<string>;
}

export interface DeviceFacts {
  readonly majorMinor: string;
  readonly path: string;
  readonly size: number;
  readonly make: string;
  readonly hidden: boolean;
  readonly removable: boolean;
  readonly readOnly: boolean;
  readonly partitioned: boolean;
  readonly holders: readonly string[];
  readonly dmName: string;
  readonly udevData: Readonly<Record<string, string>>;
  readonly identity: DeviceIdentity;
}

const SECTOR = 512;

/** The text of a file without its last newline; undefined where there is none. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trimEnd();
  } catch (error) {
    // ENXIO and EINVAL: attributes that this kind of device does not answer.
    if (isNoEntry(error) || isUnanswered(error)) return undefined;
    throw error;
  }
}

function isUnanswered(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    (error.code === 'ENXIO' || error.code === 'EINVAL')
  );
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).toSorted();
  } catch (error) {
    if (isNoEntry(error)) return [];
    throw error;
  }
}

export function blockDeviceNames({ sys }: SystemPaths): Promise<string[]> {
  return namesIn(join(sys, 'class/block'));
}

export async function readMachineFacts(paths: SystemPaths): Promise<MachineFacts> {
  const mountPoints = new Map<string, string[]>();
  // What only the host has mounted must not be formatted either; a container sees it as that of process 1.
  for (const process of ['self', '1']) {
    const content = await readText(join(paths.proc, process, 'mountinfo')).catch(() => undefined);
    for (const { majorMinor, mountPoint } of parseMountInfo(content ?? '')) {
      const known = mountPoints.get(majorMinor) ?? [];
      if (!known.includes(mountPoint)) mountPoints.set(majorMinor, [...known, mountPoint].toSorted());
    }
  }
  return { mountPoints, swaps: await readSwaps(paths), cdroms: await readCdroms(paths) };
}

async function readSwaps(paths: SystemPaths): Promise<Set<string>> {
  const names = new Set<string>();
  for (const line of ((await readText(join(paths.proc, 'swaps'))) ?? '').split('\n').slice(1)) {
    const path = line.split(/\s/)[0];
    if (path === undefined || path === '') continue;
    names.add(basename(await realpath(path).catch(() => path)));
  }
  return names;
}

async function readCdroms(paths: SystemPaths): Promise<Set<string>> {
  const info = (await readText(join(paths.proc, 'sys/dev/cdrom/info'))) ?? '';
  const line = info.split('\n').find((one) => one.startsWith('drive name:'));
  return new Set((line ?? '').split(/\s+/).slice(2));
}

/** @throws where a device cannot be read; the caller keeps that to the device */
export async function readDeviceFacts(name: string, paths: SystemPaths): Promise<DeviceFacts> {
  const folder = join(paths.sys, 'class/block', name);
  const read = (file: string): Promise<string | undefined> => readText(join(folder, file));
  const majorMinor = (await read('dev')) ?? '';
  const uevent = propertiesOf((await read('uevent')) ?? '');
  const udevData = propertiesOf((await readText(join(paths.udev, `b${majorMinor}`))) ?? '');
  const dmName = (await read('dm/name')) ?? '';
  return {
    majorMinor,
    path: join(paths.dev, uevent['DEVNAME'] ?? name.replaceAll('!', '/')),
    size: Number((await read('size')) ?? 0) * SECTOR,
    make: await makeOf(dmName, udevData, read),
    hidden: (await read('hidden')) === '1',
    removable: (await read('removable')) === '1',
    readOnly: (await read('ro')) === '1',
    partitioned: await hasPartitions(folder),
    holders: await namesIn(join(folder, 'holders')),
    dmName,
    udevData,
    identity: await identityOf(folder, udevData, uevent),
  };
}

/** What tells the device from others, from udev where there is one and from the kernel. A partition has its disk's. */
async function identityOf(
  folder: string,
  udev: Readonly<Record<string, string>>,
  uevent: Readonly<Record<string, string>>,
): Promise<DeviceIdentity> {
  const number = await readText(join(folder, 'partition'));
  const disk = number === undefined ? folder : dirname(await realpath(folder));
  const read = async (...files: readonly string[]): Promise<string | undefined> => {
    for (const file of files) {
      const text = (await readText(join(disk, file)))?.trim();
      if (text !== undefined && text !== '') return text;
    }
    return undefined;
  };
  const wwid = udev['E:ID_WWN_WITH_EXTENSION'] ?? udev['E:ID_WWN'] ?? (await read('wwid', 'device/wwid'));
  const serial = udev['E:ID_SERIAL_SHORT'] ?? udev['E:ID_SERIAL'] ?? (await read('device/serial', 'serial'));
  const partition = udev['E:ID_PART_ENTRY_UUID'] ?? uevent['PARTUUID'] ?? (number && `#${number}`);
  const mapper = await read('dm/uuid', 'md/uuid');
  const backing = await read('loop/backing_file');
  return {
    ...(wwid !== undefined && { wwid }),
    ...(serial !== undefined && { serial }),
    ...(partition !== undefined && { partition }),
    ...(mapper !== undefined && { mapper }),
    ...(backing !== undefined && { backing }),
  };
}

/** `key=value` lines; keys keep what udev puts before them: `E:ID_MODEL`. */
function propertiesOf(content: string): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const line of content.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0) properties[line.slice(0, equals)] = line.slice(equals + 1);
  }
  return properties;
}

async function makeOf(
  dmName: string,
  udev: Readonly<Record<string, string>>,
  read: (file: string) => Promise<string | undefined>,
): Promise<string> {
  const part = udev['E:ID_PART_ENTRY_NUMBER'] ?? (await read('partition'));
  const backing = await read('loop/backing_file');
  const parts = [
    dmName,
    udev['E:ID_VENDOR'] ?? (await read('device/vendor')) ?? '',
    udev['E:ID_MODEL'] ?? (await read('device/model')) ?? '',
    part === undefined ? '' : `(Part ${part})`,
    backing === undefined ? '' : `Loop ${backing}`,
  ];
  return parts
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(' ');
}

async function hasPartitions(folder: string): Promise<boolean> {
  const name = basename(folder);
  for (const entry of await namesIn(folder))
    if (entry.startsWith(name) && (await readText(join(folder, entry, 'partition'))) !== undefined)
      return true;
  return false;
}
