import { watch } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { makeDirectory, makeDirectorySync, onAbort } from '@windlass/base';
import type { BlockDevice, DeviceContents } from './block-device.ts';
import { ChangeFeed } from './change-feed.ts';
import { DirectoryMountTable } from './directory-mount-table.ts';
import { isNoEntry, OperatingSystemError } from './errors.ts';
import { HostFiles, type HostFilesOptions, resolved } from './host-files.ts';
import { measureTree } from './measure-tree.ts';
import { type MountEntry, mountAt } from './mount-entry.ts';
import type {
  BindMountOptions,
  Cancellable,
  DeviceChange,
  DeviceStatistics,
  FileSystemStats,
  FormatOptions,
  OperatingSystem,
  Pause,
  Project,
  QuotaSupport,
  Usage,
} from './operating-system.ts';

/** Where drives that are only directories are kept. */
export interface DirectoryOperatingSystemOptions extends HostFilesOptions {
  /** Where the drives are kept: `<root>/devices/<name>`, and the mounts: `<root>/mounts.json`. */
  readonly root: string;
  /** Drives that are made unless they are there. @default none */
  readonly drives?: readonly { readonly name: string; readonly size: number }[];
}

interface DriveFile {
  readonly size: number;
  readonly majorMinor: string;
}

const NOT_ENFORCED: QuotaSupport = {
  enforced: false,
  reason: 'drives that are directories cannot stop a writer; what it writes is only measured',
};
const NO_STATISTICS: DeviceStatistics = {
  reads: 0,
  writes: 0,
  readBytes: 0,
  writtenBytes: 0,
  readSeconds: 0,
  writeSeconds: 0,
  waitSeconds: 0,
};
/** A major number that no driver has, so that nothing is taken for a device of the machine. */
const MAJOR = 4095;
const EMPTY = { majorMinor: `0:${MAJOR}`, root: '/', device: 'tmpfs' };

/**
 * Drives that are directories: no root, no kernel, the same on every machine. A mount is a symbolic link, and a
 * read-only one is only noted. Data and mounts are there again after a restart.
 */
export function directoryOperatingSystem(options: DirectoryOperatingSystemOptions): OperatingSystem {
  return new DirectoryOperatingSystem(options);
}

class DirectoryOperatingSystem extends HostFiles implements OperatingSystem {
  readonly kind = 'directory';
  readonly #devices: string;
  /** What suspended volumes show. */
  readonly #empty: string;
  readonly #table: DirectoryMountTable;
  readonly #drives: readonly { readonly name: string; readonly size: number }[];
  #prepared: Promise<void> | undefined = undefined;

  constructor(options: DirectoryOperatingSystemOptions) {
    super(options);
    const root = resolve(options.root);
    this.#devices = join(root, 'devices');
    this.#empty = join(root, 'empty');
    this.#table = new DirectoryMountTable(join(root, 'mounts.json'));
    this.#drives = options.drives ?? [];
  }

  async devices(): Promise<readonly BlockDevice[]> {
    await this.#prepare();
    const mounts = await this.#table.entries();
    const names = await readdir(this.#devices);
    return Promise.all(names.toSorted().map((name) => this.#device(name, mounts)));
  }

  async examine(name: string): Promise<BlockDevice> {
    const device = (await this.devices()).find((one) => one.name === name);
    if (device === undefined) throw new OperatingSystemError('ENOENT', `there is no device ${name}`);
    return device;
  }

  deviceChanges({ signal }: { readonly signal: AbortSignal }): AsyncIterable<DeviceChange> {
    // At once, so that no change after this call is missed.
    makeDirectorySync(this.#devices);
    const feed = new ChangeFeed<DeviceChange>((change) => change.name);
    const watcher = watch(this.#devices, { persistent: false }, (_, name) => {
      if (name !== null) feed.push({ action: 'change', name });
    });
    onAbort(signal, () => watcher.close());
    return feed.read(signal);
  }

  async deviceStatistics(name: string): Promise<DeviceStatistics> {
    await this.#drive(name);
    return NO_STATISTICS;
  }

  async format(device: BlockDevice, { fsuuid, label, force }: FormatOptions): Promise<void> {
    const { contents, mountPoints } = await this.#device(device.name, await this.#table.entries());
    if (mountPoints.length > 0)
      throw new OperatingSystemError('EBUSY', `${device.path} is mounted at ${mountPoints.join(', ')}`);
    if (contents !== undefined && !force)
      throw new OperatingSystemError('EEXIST', `${device.path} holds ${contents.fsType}`);
    const { size } = await this.#drive(device.name);
    await rm(this.#data(device.name), { recursive: true, force: true });
    await mkdir(this.#data(device.name));
    await this.#writeContents(device.name, {
      fsType: 'xfs',
      fsuuid,
      label,
      totalBytes: size,
      freeBytes: size,
    });
  }

  async repair(device: BlockDevice): Promise<string> {
    await this.#drive(device.name);
    return 'a directory needs no repair';
  }

  async grow(mountPath: string): Promise<void> {
    const name = await this.#driveMountedAt(mountPath);
    const { size } = await this.#drive(name);
    const contents = await this.#contents(name);
    if (contents !== undefined) await this.#writeContents(name, { ...contents, totalBytes: size });
  }

  async mounts(): Promise<readonly MountEntry[]> {
    return this.#table.entries();
  }

  async mount(device: BlockDevice, target: string): Promise<void> {
    if ((await this.#contents(device.name)) === undefined)
      throw new OperatingSystemError('EINVAL', `${device.path} is not formatted`);
    const there = mountAt(await this.mounts(), target);
    if (there?.majorMinor === device.majorMinor && there.root === '/') return;
    await this.makeDirectory(target, { recursive: true });
    await this.#table.add({
      majorMinor: device.majorMinor,
      root: '/',
      mountPoint: target,
      fsType: 'xfs',
      source: device.path,
      readOnly: false,
      options: ['rw', 'noatime'],
      superOptions: ['rw'],
      backing: this.#data(device.name),
    });
  }

  async mountEmpty(target: string): Promise<void> {
    if (mountAt(await this.mounts(), target)?.majorMinor === EMPTY.majorMinor) return;
    await this.makeDirectory(this.#empty, { recursive: true, mode: 0o555 });
    await this.makeDirectory(target, { recursive: true });
    await this.#table.add({
      ...EMPTY,
      mountPoint: target,
      fsType: 'tmpfs',
      source: EMPTY.device,
      readOnly: true,
      options: ['ro'],
      superOptions: ['ro'],
      backing: this.#empty,
    });
  }

  async bindMount(source: string, target: string, options: BindMountOptions = {}): Promise<void> {
    const { readOnly = false, options: flags = [] } = options;
    const backing = await resolved(source);
    const { majorMinor, root, device } = await this.#identify(backing);
    await this.#table.add({
      majorMinor,
      root,
      mountPoint: await this.realPath(target),
      fsType: device === EMPTY.device ? 'tmpfs' : 'xfs',
      source: device,
      readOnly,
      options: [readOnly ? 'ro' : 'rw', ...flags],
      superOptions: ['rw'],
      backing,
    });
  }

  async unmount(target: string): Promise<void> {
    await this.#table.remove(target);
  }

  async quotaSupport(): Promise<QuotaSupport> {
    return NOT_ENFORCED;
  }

  async limitations(): Promise<readonly string[]> {
    return [
      'drives that are directories do not stop writers of read-only mounts, nor keep other mount options',
    ];
  }

  async projects(): Promise<ReadonlyMap<string, number>> {
    return new Map();
  }

  async setQuota(): Promise<void> {}

  async clearQuota(): Promise<void> {}

  async usage({ path }: Project, { signal }: Cancellable = {}): Promise<Usage> {
    const { bytes, inodes } = await measureTree(path, signal);
    return { usedBytes: bytes, usedInodes: inodes };
  }

  /** Blocks are shared where the machine's file system can. */
  async cloneTree(from: string, to: string, { signal }: Cancellable = {}): Promise<void> {
    const shares = process.platform === 'linux' ? ['--reflink=auto'] : [];
    const { clock } = this;
    await this.run('cp', ['-a', ...shares, '--', `${from}/.`, to], { clock, signal });
  }

  async flush(): Promise<void> {}

  /** Nobody knows which processes of the machine are the pods'. */
  async pausePods(uids: readonly string[]): Promise<Pause> {
    return { missing: uids, resume: () => Promise.resolve() };
  }

  async resumePods(): Promise<void> {}

  /** Of the drive, not of the disk that its directory is on. */
  override async statFileSystem(path: string): Promise<FileSystemStats> {
    const stats = await super.statFileSystem(path);
    const { device } = await this.#identify(await resolved(path));
    const name = basename(device);
    const contents = await this.#contents(name);
    if (contents === undefined) return stats;
    const { bytes } = await measureTree(this.#data(name));
    const totalBytes = contents.totalBytes ?? 0;
    return { ...stats, totalBytes, freeBytes: Math.max(0, totalBytes - bytes) };
  }

  #prepare(): Promise<void> {
    this.#prepared ??= this.#makeDrives();
    return this.#prepared;
  }

  async #makeDrives(): Promise<void> {
    await makeDirectory(this.#devices);
    const names = new Set(await readdir(this.#devices));
    let minor = names.size;
    for (const { name, size } of this.#drives) {
      if (names.has(name)) continue;
      const drive: DriveFile = { size, majorMinor: `${MAJOR}:${minor++}` };
      await mkdir(join(this.#devices, name));
      await this.writeFile(join(this.#devices, name, 'drive.json'), JSON.stringify(drive));
    }
  }

  async #device(name: string, mounts: readonly MountEntry[]): Promise<BlockDevice> {
    const facts = {
      name,
      path: join(this.#devices, name),
      make: 'Directory',
      hidden: false,
      removable: false,
      readOnly: false,
      partitioned: false,
      holders: [],
      swapOn: false,
      cdrom: false,
      dmName: '',
      udevData: {},
    };
    try {
      const { size, majorMinor } = await this.#drive(name);
      const contents = await this.#contents(name);
      const mountPoints = mounts
        .filter((mount) => mount.majorMinor === majorMinor)
        .map((mount) => mount.mountPoint);
      return { ...facts, size, majorMinor, mountPoints, ...(contents !== undefined && { contents }) };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { ...facts, size: 0, majorMinor: `${MAJOR}:?`, mountPoints: [], problem };
    }
  }

  async #drive(name: string): Promise<DriveFile> {
    // Written by us, with nothing but these two.
    return JSON.parse(await readFile(join(this.#devices, name, 'drive.json'), 'utf8')) as DriveFile;
  }

  async #contents(name: string): Promise<DeviceContents | undefined> {
    try {
      // As above.
      return JSON.parse(await readFile(this.#contentsFile(name), 'utf8')) as DeviceContents;
    } catch (error) {
      if (isNoEntry(error)) return undefined;
      throw error;
    }
  }

  async #writeContents(name: string, contents: DeviceContents): Promise<void> {
    await this.writeFile(this.#contentsFile(name), JSON.stringify(contents));
  }

  #contentsFile(name: string): string {
    return join(this.#devices, name, 'contents.json');
  }

  #data(name: string): string {
    return join(this.#devices, name, 'data');
  }

  async #driveMountedAt(mountPath: string): Promise<string> {
    const mount = mountAt(await this.mounts(), mountPath);
    if (mount === undefined) throw new OperatingSystemError('EINVAL', `nothing is mounted at ${mountPath}`);
    return basename(mount.source);
  }

  /** Which drive a directory is on, and where in it. */
  async #identify(
    path: string,
  ): Promise<{ readonly majorMinor: string; readonly root: string; readonly device: string }> {
    const devices = await resolved(this.#devices);
    for (const { name, majorMinor } of await this.devices()) {
      const data = join(devices, name, 'data');
      if (path === data || path.startsWith(`${data}/`))
        return { majorMinor, root: path.slice(data.length) || '/', device: join(this.#devices, name) };
    }
    if (path === (await resolved(this.#empty))) return EMPTY;
    return { majorMinor: '0:0', root: path, device: 'none' };
  }
}
