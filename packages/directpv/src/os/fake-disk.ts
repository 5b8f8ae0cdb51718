import type { BlockDevice, DeviceContents, DeviceIdentity } from './block-device.ts';
import { type FakeDirectory, fakeDirectory } from './fake-file-tree.ts';
import type { DeviceStatistics } from './operating-system.ts';

/** What a disk of a test is like. */
export interface FakeDiskOptions {
  /** In bytes. @default 10 GiB */
  readonly size?: number;
  readonly make?: string;
  /** @default nothing is on it */
  readonly contents?: DeviceContents;
  readonly removable?: boolean;
  readonly readOnly?: boolean;
  readonly hidden?: boolean;
  readonly partitioned?: boolean;
  readonly holders?: readonly string[];
  readonly swapOn?: boolean;
  readonly cdrom?: boolean;
  readonly problem?: string;
  /** @default nothing tells it from others */
  readonly identity?: DeviceIdentity;
}

const GIB = 1024 ** 3;
/** What a file system keeps for itself. */
export const FAKE_OVERHEAD_BYTES = 1024 ** 2;

const NO_STATISTICS: DeviceStatistics = {
  reads: 0,
  writes: 0,
  readBytes: 0,
  writtenBytes: 0,
  readSeconds: 0,
  writeSeconds: 0,
  waitSeconds: 0,
};

/** A disk of the fake, with what is on it. It keeps that while it is unplugged. */
export class FakeDisk {
  readonly name: string;
  majorMinor: string;
  size: number;
  contents: DeviceContents | undefined;
  /** What copies of superblocks say, where the first is gone. */
  traces: readonly DeviceContents[] = [];
  /** Why it cannot be looked at as a whole. */
  problem: string | undefined;
  root: FakeDirectory = fakeDirectory();
  /** Every access answers EIO. */
  isBroken = false;
  isPlugged = true;
  /** What the kernel has counted, as a test says. */
  statistics: DeviceStatistics = NO_STATISTICS;
  readonly limits = new Map<number, number>();
  readonly #options: FakeDiskOptions;

  constructor(name: string, majorMinor: string, options: FakeDiskOptions) {
    this.name = name;
    this.majorMinor = majorMinor;
    this.size = options.size ?? 10 * GIB;
    this.contents = options.contents;
    this.problem = options.problem;
    this.#options = options;
  }

  format(fsuuid: string, label: string): void {
    const totalBytes = this.size;
    this.contents = {
      fsType: 'xfs',
      fsuuid,
      label,
      totalBytes,
      freeBytes: totalBytes - FAKE_OVERHEAD_BYTES,
      groupBytes: totalBytes / 4,
    };
    this.traces = [];
    this.root = fakeDirectory();
    this.limits.clear();
  }

  /** The first superblock goes, and what follows is over its place: nothing, unless told. */
  loseSuperblock(instead?: DeviceContents): void {
    if (this.contents !== undefined) this.traces = [this.contents];
    this.contents = instead;
  }

  /** As if it came from the factory. */
  wipe(): void {
    this.contents = undefined;
    this.traces = [];
    this.root = fakeDirectory();
  }

  /** What a repair does: the first superblock is made again from the others. */
  mend(): void {
    this.isBroken = false;
    this.contents = this.traces[0] ?? this.contents;
    this.traces = [];
  }

  device(mountPoints: readonly string[]): BlockDevice {
    const { make = 'FAKE Disk', removable = false, readOnly = false, hidden = false } = this.#options;
    const { partitioned = false, holders = [], swapOn = false, cdrom = false, identity } = this.#options;
    return {
      name: this.name,
      majorMinor: this.majorMinor,
      path: `/dev/${this.name}`,
      size: this.size,
      make,
      hidden,
      removable,
      readOnly,
      partitioned,
      holders,
      mountPoints,
      swapOn,
      cdrom,
      dmName: '',
      udevData: {},
      ...(this.contents !== undefined && { contents: this.contents }),
      ...(identity !== undefined && { identity }),
      ...(this.traces.length > 0 && { traces: this.traces }),
      ...(this.problem !== undefined && { problem: this.problem }),
    };
  }
}
