import type { BlockDevice } from './block-device.ts';
import type { FakeFailure, FakeOperation } from './fake-calls.ts';
import type { FakeDisk, FakeDiskOptions } from './fake-disk.ts';
import { FakeDisks } from './fake-disks.ts';
import { fakeDirectory, fault, isInProject, measure, measureProject, occupied } from './fake-file-tree.ts';
import { FakeFiles } from './fake-files.ts';
import { type MountEntry, mountAt } from './mount-entry.ts';
import type {
  BindMountOptions,
  DeviceChange,
  DeviceStatistics,
  FileSystemStats,
  FormatOptions,
  OperatingSystem,
  Pause,
  Project,
  QuotaSupport,
  RepairOptions,
  Usage,
} from './operating-system.ts';

const SUPPORTED: QuotaSupport = { enforced: true };

/**
 * A machine in memory: disks, mounts, directories, quotas. Mounts and data outlive whoever uses it, as those of a
 * machine outlive a process. Whatever the seam has can be made to fail.
 */
export class FakeOperatingSystem extends FakeFiles implements OperatingSystem {
  readonly kind = 'fake';
  /** Whether writers are stopped at their limits. */
  quotas: QuotaSupport = SUPPORTED;
  /** What else the machine does not do. */
  refused: readonly string[] = [];
  readonly #disks = new FakeDisks();
  /** What pods do all the time, by uid: it is done in the middle of every copy, unless the pod is paused. */
  readonly pods = new Map<string, () => void>();
  readonly paused = new Set<string>();

  /** Every call that was made: its name and its arguments as text. */
  get calls(): readonly string[] {
    return this.noted.made;
  }

  plug(name: string, options: FakeDiskOptions = {}): FakeDisk {
    return this.#disks.plug(name, options);
  }

  /** What is mounted from it stays mounted, and answers EIO. */
  unplug(name: string): void {
    this.tree.replaceDisk(name, this.#disks.unplug(name));
  }

  resize(name: string, size: number): void {
    this.#disks.resize(name, size);
  }

  disk(name: string): FakeDisk {
    return this.#disks.get(name);
  }

  fail(failure: FakeFailure): void {
    this.noted.fail(failure);
  }

  heal(): void {
    this.noted.heal();
  }

  /** Holds the next call of the operation until it is opened. */
  hold(operation: FakeOperation): { readonly entered: Promise<void>; readonly open: () => void } {
    return this.noted.hold(operation);
  }

  /** What a restart of the machine takes away. */
  reboot(): void {
    this.tree.clear();
  }

  /** Writes as a pod would: a limit, a read-only mount and a broken disk stop it. */
  write(path: string, bytes: number): void {
    const place = this.tree.place(path);
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
    await this.noted.enter('devices');
    return this.#disks.list().map((disk) => disk.device(this.tree.mountPointsOf(disk)));
  }

  async examine(name: string): Promise<BlockDevice> {
    await this.noted.enter('examine', name);
    const disk = this.#disks.plugged(name, { evenBroken: true });
    return disk.device(this.tree.mountPointsOf(disk));
  }

  deviceChanges({ signal }: { readonly signal: AbortSignal }): AsyncIterable<DeviceChange> {
    return this.#disks.changes.read(signal);
  }

  async deviceStatistics(name: string): Promise<DeviceStatistics> {
    await this.noted.enter('deviceStatistics', name);
    return this.#disks.plugged(name).statistics;
  }

  async format(device: BlockDevice, { fsuuid, label, force }: FormatOptions): Promise<void> {
    await this.noted.enter('format', device.name, fsuuid);
    const disk = this.#disks.plugged(device.name);
    if (this.tree.mountPointsOf(disk).length > 0) throw fault('EBUSY', device.path);
    if (disk.contents !== undefined && !force) throw fault('EEXIST', `${device.path} has a file system`);
    disk.format(fsuuid, label);
  }

  async repair(device: BlockDevice, { dryRun = false }: RepairOptions = {}): Promise<string> {
    await this.noted.enter('repair', device.name);
    const disk = this.#disks.plugged(device.name, { evenBroken: true });
    if (this.tree.mountPointsOf(disk).length > 0) throw fault('EBUSY', device.path);
    if (disk.contents?.fsType !== 'xfs' && disk.traces.length === 0)
      throw fault('EINVAL', `no secondary superblock was found on ${device.path}`);
    if (!dryRun) disk.mend();
    return 'done';
  }

  async grow(mountPath: string): Promise<void> {
    await this.noted.enter('grow', mountPath);
    const { disk } = this.tree.directory(mountPath);
    if (disk?.contents === undefined) throw fault('EINVAL', mountPath);
    const grown = disk.size - (disk.contents.totalBytes ?? disk.size);
    const freeBytes = (disk.contents.freeBytes ?? 0) + grown;
    disk.contents = { ...disk.contents, totalBytes: disk.size, freeBytes };
  }

  async mounts(): Promise<readonly MountEntry[]> {
    await this.noted.enter('mounts');
    return this.tree.mounts.map((mount) => mount.entry);
  }

  async mount(device: BlockDevice, target: string): Promise<void> {
    await this.noted.enter('mount', device.name, target);
    const disk = this.#disks.plugged(device.name);
    if (disk.contents?.fsType !== 'xfs') throw fault('EINVAL', `${device.path} has no XFS`);
    const there = this.tree.mounts.findLast((mount) => mount.entry.mountPoint === target);
    if (there?.disk === disk) return;
    this.tree.makeDirectories(target);
    const options = ['rw', 'noatime'];
    const superOptions = this.quotas.enforced ? ['rw', 'prjquota'] : ['rw'];
    this.tree.mount(target, disk.root, disk, {
      root: '/',
      fsType: 'xfs',
      source: device.path,
      options,
      superOptions,
    });
  }

  async mountEmpty(target: string): Promise<void> {
    await this.noted.enter('mountEmpty', target);
    if (mountAt(await this.mounts(), target)?.fsType === 'tmpfs') return;
    this.tree.makeDirectories(target);
    const facts = { root: '/', fsType: 'tmpfs', source: 'tmpfs', options: ['ro'], superOptions: ['ro'] };
    this.tree.mount(target, fakeDirectory(), undefined, facts);
  }

  async bindMount(source: string, target: string, options: BindMountOptions = {}): Promise<void> {
    await this.noted.enter('bindMount', source, target);
    const from = this.tree.directory(source);
    const to = this.tree.directory(target);
    const below = from.mount?.entry;
    this.tree.mount(to.path, from.entry, from.disk, {
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
    await this.noted.enter('unmount', target);
    this.tree.unmount(target);
  }

  async quotaSupport(mountPath: string): Promise<QuotaSupport> {
    await this.noted.enter('quotaSupport', mountPath);
    return this.quotas;
  }

  async limitations(mountPath: string): Promise<readonly string[]> {
    await this.noted.enter('limitations', mountPath);
    return this.refused;
  }

  async projects(mountPath: string): Promise<ReadonlyMap<string, number>> {
    await this.noted.enter('projects', mountPath);
    const projects = new Map<string, number>();
    for (const [name, child] of this.tree.directory(mountPath).entry.children)
      if (child.type === 'directory' && child.project !== undefined) projects.set(name, child.project);
    return projects;
  }

  async setQuota({ path, projectId }: Project, limitBytes: number): Promise<void> {
    await this.noted.enter('setQuota', path, String(projectId), String(limitBytes));
    const { entry, disk } = this.tree.directory(path);
    entry.project = projectId;
    disk?.limits.set(projectId, limitBytes);
  }

  async clearQuota({ mountPath, projectId }: Pick<Project, 'mountPath' | 'projectId'>): Promise<void> {
    await this.noted.enter('clearQuota', mountPath, String(projectId));
    this.tree.directory(mountPath).disk?.limits.delete(projectId);
  }

  async usage({ path, projectId }: Project): Promise<Usage> {
    await this.noted.enter('usage', path);
    const { entry, disk } = this.tree.directory(path);
    const limitBytes = disk?.limits.get(projectId);
    const isCounted = this.quotas.enforced && disk !== undefined && limitBytes !== undefined;
    const used = isCounted ? measureProject(disk.root, projectId) : measure(entry);
    return { usedBytes: used.bytes, usedInodes: used.inodes, ...(isCounted && { limitBytes }) };
  }

  async statFileSystem(path: string): Promise<FileSystemStats> {
    await this.noted.enter('statFileSystem', path);
    const { disk } = this.tree.directory(path);
    const totalBytes = disk?.contents?.totalBytes ?? 1024 ** 4;
    const used = disk === undefined ? { bytes: 0, inodes: 0 } : measure(disk.root);
    const taken = disk === undefined ? 0 : occupied(disk.root);
    const freeBytes = (disk?.contents?.freeBytes ?? totalBytes) - taken;
    return { totalBytes, freeBytes, totalInodes: 1_000_000, freeInodes: 1_000_000 - used.inodes };
  }

  override async cloneTree(from: string, to: string): Promise<void> {
    await super.cloneTree(from, to);
    for (const [uid, work] of this.pods) if (!this.paused.has(uid)) work();
  }

  async pausePods(uids: readonly string[]): Promise<Pause> {
    await this.noted.enter('pausePods', ...uids);
    const found = uids.filter((uid) => this.pods.has(uid));
    for (const uid of found) this.paused.add(uid);
    const resume = async (): Promise<void> => {
      for (const uid of found) this.paused.delete(uid);
    };
    return { missing: uids.filter((uid) => !this.pods.has(uid)), resume };
  }

  async resumePods(uids: readonly string[]): Promise<void> {
    await this.noted.enter('resumePods', ...uids);
    for (const uid of uids) this.paused.delete(uid);
  }
}
