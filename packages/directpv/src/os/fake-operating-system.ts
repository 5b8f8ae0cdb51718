import type { BlockDevice } from './block-device.ts';
import { ChangeFeed } from './change-feed.ts';
import { FakeDisk, type FakeDiskOptions } from './fake-disk.ts';
import {
  copyOf,
  type FakeDirectory,
  type FakeEntry,
  fakeDirectory,
  fault,
  measure,
  measureProject,
  partsOf,
} from './fake-file-tree.ts';
import { type MountEntry, mountAt } from './mount-entry.ts';
import type {
  BindMountOptions,
  DeviceChange,
  DeviceStatistics,
  FileSystemStats,
  FormatOptions,
  OperatingSystem,
  Project,
  QuotaSupport,
  RepairOptions,
  Usage,
} from './operating-system.ts';

/** What can be made to fail, and what is counted. */
export type FakeOperation = Exclude<keyof OperatingSystem, 'kind'>;

export interface FakeFailure {
  readonly operation: FakeOperation;
  /** Thrown as the error's code. */
  readonly code: string;
  /** How often it fails. @default 1 */
  readonly times?: number;
  /** Only calls whose arguments, as text, hold this. @default every call */
  readonly matching?: string;
}

interface FakeMount {
  readonly entry: MountEntry;
  readonly shown: FakeDirectory;
  readonly disk: FakeDisk | undefined;
}

interface Place {
  readonly entry: FakeEntry | undefined;
  readonly parent: FakeDirectory;
  readonly name: string;
  readonly disk: FakeDisk | undefined;
  readonly mount: FakeMount | undefined;
  /** The path without links. */
  readonly path: string;
  /** Inside its file system. */
  readonly root: string;
}

const SUPPORTED: QuotaSupport = { enforced: true };

/**
 * A machine in memory: disks, mounts, directories, quotas. Mounts and data outlive whoever uses it, as those of a
 * machine outlive a process. Whatever the seam has can be made to fail.
 */
export class FakeOperatingSystem implements OperatingSystem {
  readonly kind = 'fake';
  /** Every call that was made: its name and its arguments as text. */
  readonly calls: string[] = [];
  /** Whether writers are stopped at their limits. */
  quotas: QuotaSupport = SUPPORTED;
  readonly #disks = new Map<string, FakeDisk>();
  readonly #host = fakeDirectory();
  readonly #changes = new ChangeFeed<DeviceChange>((change) => change.name);
  #mounts: FakeMount[] = [];
  #failures: { failure: FakeFailure; left: number }[] = [];
  #gates: { operation: FakeOperation; open: Promise<void>; entered: () => void }[] = [];
  #lastMountId = 100;
  #lastMinor = 0;

  plug(name: string, options: FakeDiskOptions = {}): FakeDisk {
    let disk = this.#disks.get(name);
    if (disk === undefined) {
      disk = new FakeDisk(name, `259:${this.#lastMinor++}`, options);
      this.#disks.set(name, disk);
    } else {
      // The kernel counts on: what was mounted before still means the device that is gone.
      disk.majorMinor = `259:${this.#lastMinor++}`;
      disk.isPlugged = true;
    }
    this.#changes.push({ action: 'add', name });
    return disk;
  }

  /** What is mounted from it stays mounted, and answers EIO. */
  unplug(name: string): void {
    this.disk(name).isPlugged = false;
    for (const mount of this.#mounts)
      if (mount.disk?.name === name)
        this.#mounts[this.#mounts.indexOf(mount)] = { ...mount, disk: goneDisk(name) };
    this.#changes.push({ action: 'remove', name });
  }

  resize(name: string, size: number): void {
    this.disk(name).size = size;
    this.#changes.push({ action: 'change', name });
  }

  disk(name: string): FakeDisk {
    const disk = this.#disks.get(name);
    if (disk === undefined) throw fault('ENODEV', name);
    return disk;
  }

  fail(failure: FakeFailure): void {
    this.#failures.push({ failure, left: failure.times ?? 1 });
  }

  heal(): void {
    this.#failures = [];
  }

  /** Holds the next call of the operation until it is opened. */
  hold(operation: FakeOperation): { readonly entered: Promise<void>; readonly open: () => void } {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    this.#gates.push({ operation, open: gate.promise, entered: () => entered.resolve() });
    return { entered: entered.promise, open: () => gate.resolve() };
  }

  /** What a restart of the machine takes away. */
  reboot(): void {
    this.#mounts = [];
  }

  /** Writes as a pod would: a limit, a read-only mount and a broken disk stop it. */
  write(path: string, bytes: number): void {
    const place = this.#place(path);
    const { disk } = place;
    if (place.mount?.entry.readOnly === true) throw fault('EROFS', path);
    const before = place.entry?.type === 'file' ? place.entry.bytes : 0;
    if (disk !== undefined && this.quotas.enforced)
      for (const [project, limit] of disk.limits) {
        if (!isInProject(disk.root, place.root, project)) continue;
        if (limit > 0 && measureProject(disk.root, project).bytes - before + bytes > limit)
          throw fault('EDQUOT', path);
      }
    place.parent.children.set(place.name, { type: 'file', bytes, text: '' });
  }

  async devices(): Promise<readonly BlockDevice[]> {
    await this.#enter('devices');
    return [...this.#disks.values()]
      .filter((disk) => disk.isPlugged)
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .map((disk) => disk.device(this.#mounts.filter((m) => m.disk === disk).map((m) => m.entry.mountPoint)));
  }

  deviceChanges({ signal }: { readonly signal: AbortSignal }): AsyncIterable<DeviceChange> {
    return this.#changes.read(signal);
  }

  async deviceStatistics(name: string): Promise<DeviceStatistics> {
    await this.#enter('deviceStatistics', name);
    return this.#plugged(name).statistics;
  }

  async format(device: BlockDevice, { fsuuid, label, force }: FormatOptions): Promise<void> {
    await this.#enter('format', device.name, fsuuid);
    const disk = this.#plugged(device.name);
    if (this.#mounts.some((mount) => mount.disk === disk)) throw fault('EBUSY', device.path);
    if (disk.contents !== undefined && !force) throw fault('EEXIST', `${device.path} has a file system`);
    disk.format(fsuuid, label);
  }

  async repair(device: BlockDevice, _options: RepairOptions = {}): Promise<string> {
    await this.#enter('repair', device.name);
    const disk = this.#plugged(device.name, { evenBroken: true });
    if (this.#mounts.some((mount) => mount.disk === disk)) throw fault('EBUSY', device.path);
    disk.isBroken = false;
    return 'done';
  }

  async grow(mountPath: string): Promise<void> {
    await this.#enter('grow', mountPath);
    const { disk } = this.#directory(mountPath);
    if (disk?.contents === undefined) throw fault('EINVAL', mountPath);
    const grown = disk.size - (disk.contents.totalBytes ?? disk.size);
    const freeBytes = (disk.contents.freeBytes ?? 0) + grown;
    disk.contents = { ...disk.contents, totalBytes: disk.size, freeBytes };
  }

  async mounts(): Promise<readonly MountEntry[]> {
    await this.#enter('mounts');
    return this.#mounts.map((mount) => mount.entry);
  }

  async mount(device: BlockDevice, target: string): Promise<void> {
    await this.#enter('mount', device.name, target);
    const disk = this.#plugged(device.name);
    if (disk.contents?.fsType !== 'xfs') throw fault('EINVAL', `${device.path} has no XFS`);
    const there = this.#mounts.findLast((mount) => mount.entry.mountPoint === target);
    if (there?.disk === disk) return;
    this.#makeDirectories(target);
    const options = ['rw', 'noatime'];
    const superOptions = this.quotas.enforced ? ['rw', 'prjquota'] : ['rw'];
    this.#push(target, disk.root, disk, {
      root: '/',
      fsType: 'xfs',
      source: device.path,
      options,
      superOptions,
    });
  }

  async mountEmpty(target: string): Promise<void> {
    await this.#enter('mountEmpty', target);
    if (mountAt(await this.mounts(), target)?.fsType === 'tmpfs') return;
    this.#makeDirectories(target);
    const facts = { root: '/', fsType: 'tmpfs', source: 'tmpfs', options: ['ro'], superOptions: ['ro'] };
    this.#push(target, fakeDirectory(), undefined, facts);
  }

  async bindMount(source: string, target: string, options: BindMountOptions = {}): Promise<void> {
    await this.#enter('bindMount', source, target);
    const from = this.#directory(source);
    const to = this.#directory(target);
    const below = from.mount?.entry;
    this.#push(to.path, from.entry, from.disk, {
      root: from.root,
      fsType: below?.fsType ?? 'ext4',
      source: below?.source ?? '/dev/root',
      options: [
        options.readOnly === true || below?.readOnly === true ? 'ro' : 'rw',
        ...(options.options ?? []),
      ],
      superOptions: below?.superOptions ?? ['rw'],
    });
  }

  async unmount(target: string): Promise<void> {
    await this.#enter('unmount', target);
    const index = this.#mounts.findLastIndex((mount) => mount.entry.mountPoint === target);
    if (index !== -1) this.#mounts.splice(index, 1);
  }

  async quotaSupport(mountPath: string): Promise<QuotaSupport> {
    await this.#enter('quotaSupport', mountPath);
    return this.quotas;
  }

  async projects(mountPath: string): Promise<ReadonlyMap<string, number>> {
    await this.#enter('projects', mountPath);
    const projects = new Map<string, number>();
    for (const [name, child] of this.#directory(mountPath).entry.children)
      if (child.type === 'directory' && child.project !== undefined) projects.set(name, child.project);
    return projects;
  }

  async setQuota({ path, projectId }: Project, limitBytes: number): Promise<void> {
    await this.#enter('setQuota', path, String(projectId), String(limitBytes));
    const { entry, disk } = this.#directory(path);
    entry.project = projectId;
    disk?.limits.set(projectId, limitBytes);
  }

  async clearQuota({ mountPath, projectId }: Pick<Project, 'mountPath' | 'projectId'>): Promise<void> {
    await this.#enter('clearQuota', mountPath, String(projectId));
    this.#directory(mountPath).disk?.limits.delete(projectId);
  }

  async usage({ path, projectId }: Project): Promise<Usage> {
    await this.#enter('usage', path);
    const { entry, disk } = this.#directory(path);
    const limitBytes = disk?.limits.get(projectId);
    const isCounted = this.quotas.enforced && disk !== undefined && limitBytes !== undefined;
    const used = isCounted ? measureProject(disk.root, projectId) : measure(entry);
    return { usedBytes: used.bytes, usedInodes: used.inodes, ...(isCounted && { limitBytes }) };
  }

  async statFileSystem(path: string): Promise<FileSystemStats> {
    await this.#enter('statFileSystem', path);
    const { disk } = this.#directory(path);
    const totalBytes = disk?.contents?.totalBytes ?? 1024 ** 4;
    const used = disk === undefined ? { bytes: 0, inodes: 0 } : measure(disk.root);
    const freeBytes = (disk?.contents?.freeBytes ?? totalBytes) - used.bytes;
    return { totalBytes, freeBytes, totalInodes: 1_000_000, freeInodes: 1_000_000 - used.inodes };
  }

  async realPath(path: string): Promise<string> {
    const parts = partsOf(path);
    const above = this.#lookUp(`/${parts.slice(0, -1).join('/')}`)?.path;
    return above === undefined ? path : `${above === '/' ? '' : above}/${parts.at(-1) ?? ''}`;
  }

  async entryType(path: string): Promise<FakeEntry['type'] | undefined> {
    await this.#enter('entryType', path);
    return this.#lookUp(path)?.entry?.type;
  }

  async list(path: string): Promise<readonly string[]> {
    await this.#enter('list', path);
    return [...this.#directory(path).entry.children.keys()].toSorted();
  }

  async makeDirectory(path: string, options: { readonly recursive?: boolean } = {}): Promise<void> {
    await this.#enter('makeDirectory', path);
    if (options.recursive === true) return this.#makeDirectories(path);
    const place = this.#place(path);
    if (place.entry === undefined) place.parent.children.set(place.name, fakeDirectory());
    else if (place.entry.type === 'file') throw fault('EEXIST', path);
  }

  async removeDirectory(path: string): Promise<void> {
    await this.#enter('removeDirectory', path);
    const place = this.#lookUp(path);
    if (place?.entry === undefined) return;
    if (this.#isMounted(place.path)) throw fault('EBUSY', path);
    if (place.entry.type !== 'directory') throw fault('ENOTDIR', path);
    if (place.entry.children.size > 0) throw fault('ENOTEMPTY', path);
    place.parent.children.delete(place.name);
  }

  async link(target: string, path: string): Promise<void> {
    await this.#enter('link', target, path);
    const place = this.#place(path);
    if (place.entry === undefined) place.parent.children.set(place.name, { type: 'link', target });
  }

  async writeFile(path: string, text: string): Promise<void> {
    await this.#enter('writeFile', path);
    const place = this.#place(path);
    place.parent.children.set(place.name, { type: 'file', bytes: text.length, text });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#enter('rename', from, to);
    const source = this.#place(from);
    if (source.entry === undefined) throw fault('ENOENT', from);
    const target = this.#place(to);
    if (source.disk !== target.disk) throw fault('EXDEV', `${from} to ${to}`);
    source.parent.children.delete(source.name);
    target.parent.children.set(target.name, source.entry);
  }

  async removeTree(path: string): Promise<void> {
    await this.#enter('removeTree', path);
    const place = this.#lookUp(path);
    if (place?.entry === undefined) return;
    if (this.#mounts.some(({ entry }) => `${entry.mountPoint}/`.startsWith(`${place.path}/`)))
      throw fault('EBUSY', path);
    place.parent.children.delete(place.name);
  }

  async copyTree(from: string, to: string): Promise<void> {
    await this.#enter('copyTree', from, to);
    const source = this.#directory(from);
    const target = this.#directory(to);
    target.entry.children.clear();
    const copy = copyOf(source.entry);
    if (copy.type === 'directory')
      for (const [name, child] of copy.children) target.entry.children.set(name, child);
  }

  async #enter(operation: FakeOperation, ...details: string[]): Promise<void> {
    const call = [operation, ...details].join(' ');
    this.calls.push(call);
    const gate = this.#gates.findIndex((one) => one.operation === operation);
    if (gate !== -1) {
      const [held] = this.#gates.splice(gate, 1);
      held?.entered();
      await held?.open;
    }
    for (const entry of this.#failures) {
      const { failure } = entry;
      if (failure.operation !== operation || entry.left <= 0) continue;
      if (failure.matching !== undefined && !call.includes(failure.matching)) continue;
      entry.left -= 1;
      throw fault(failure.code, `injected into ${call}`);
    }
  }

  #plugged(name: string, { evenBroken = false } = {}): FakeDisk {
    const disk = this.#disks.get(name);
    if (disk === undefined || !disk.isPlugged) throw fault('ENOENT', `/dev/${name}`);
    if (disk.isBroken && !evenBroken) throw fault('EIO', `/dev/${name}`);
    return disk;
  }

  #push(
    mountPoint: string,
    shown: FakeDirectory,
    disk: FakeDisk | undefined,
    facts: Pick<MountEntry, 'root' | 'fsType' | 'source' | 'options' | 'superOptions'>,
  ): void {
    const entry: MountEntry = {
      mountId: ++this.#lastMountId,
      majorMinor: disk?.majorMinor ?? '0:50',
      mountPoint,
      readOnly: facts.options.includes('ro'),
      ...facts,
    };
    this.#mounts.push({ entry, shown, disk });
  }

  #isMounted(path: string): boolean {
    return this.#mounts.some((mount) => mount.entry.mountPoint === path);
  }

  #makeDirectories(path: string): void {
    const parts = partsOf(path);
    for (let count = 1; count <= parts.length; count++) {
      const place = this.#place(`/${parts.slice(0, count).join('/')}`);
      if (place.entry === undefined) place.parent.children.set(place.name, fakeDirectory());
    }
  }

  #directory(path: string): Omit<Place, 'entry'> & { readonly entry: FakeDirectory } {
    const place = this.#place(path);
    if (place.entry === undefined) throw fault('ENOENT', path);
    if (place.entry.type !== 'directory') throw fault('ENOTDIR', path);
    return { ...place, entry: place.entry };
  }

  #lookUp(path: string): Place | undefined {
    try {
      return this.#place(path);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Walks from the host's root, over links and mounts. Everything above the last part must be there. */
  #place(path: string): Place {
    let place: Place = {
      entry: this.#host,
      parent: this.#host,
      name: '',
      disk: undefined,
      mount: undefined,
      path: '',
      root: '',
    };
    for (const name of partsOf(path)) {
      if (place.entry?.type === 'link') continue;
      if (place.entry === undefined) throw fault('ENOENT', path);
      if (place.entry.type !== 'directory') throw fault('ENOTDIR', path);
      if (place.disk?.isBroken === true) throw fault('EIO', path);
      const child: FakeEntry | undefined = place.entry.children.get(name);
      // Links on drives point to the directory that they are in.
      if (child?.type === 'link' && !path.endsWith(`/${name}`)) continue;
      const at: string = `${place.path}/${name}`;
      const mount = this.#mounts.findLast((one) => one.entry.mountPoint === at);
      const below = mount ?? place.mount;
      const root: string = mount === undefined ? `${place.root}/${name}` : mount.entry.root;
      place = {
        entry: mount?.shown ?? child,
        parent: place.entry,
        name,
        disk: below?.disk,
        mount: below,
        path: at,
        root: root === '/' ? '' : root,
      };
    }
    if (place.disk?.isBroken === true) throw fault('EIO', path);
    return {
      ...place,
      path: place.path === '' ? '/' : place.path,
      root: place.root === '' ? '/' : place.root,
    };
  }
}

/** What the kernel leaves of a device that went while it was mounted. */
function goneDisk(name: string): FakeDisk {
  const disk = new FakeDisk(name, '259:9999', {});
  disk.isBroken = true;
  return disk;
}

function isInProject(root: FakeDirectory, path: string, project: number): boolean {
  let entry: FakeEntry | undefined = root;
  for (const name of partsOf(path)) {
    if (entry?.type !== 'directory') return false;
    if (entry.project === project) return true;
    entry = entry.children.get(name);
  }
  return entry?.type === 'directory' && entry.project === project;
}
