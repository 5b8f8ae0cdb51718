import type { BlockDevice } from './block-device.ts';
import type { MountEntry } from './mount-entry.ts';

/** What can be cancelled. */
export interface Cancellable {
  readonly signal?: AbortSignal;
}

/** What happened to a device. Several changes may be told as one; whoever hears of it looks again. */
export interface DeviceChange {
  readonly action: 'add' | 'remove' | 'change';
  /** `sdb` */
  readonly name: string;
}

/** Where else a probe looks. */
export interface ProbeHints extends Cancellable {
  /** How far apart superblocks of known file systems are: where to look for those that have lost their first. */
  readonly groupBytes?: readonly number[];
}

/** What a new file system is called, and what it may overwrite. */
export interface FormatOptions extends Cancellable {
  readonly fsuuid: string;
  readonly label: string;
  /** Whether to overwrite what a probe knows. */
  readonly force: boolean;
}

/** How a drive is mounted. */
export interface MountOptions extends Cancellable {
  /** Beyond `noatime` and the quota's own. @default none */
  readonly options?: readonly string[];
}

/** How a directory is mounted in another place. */
export interface BindMountOptions extends Cancellable {
  /** @default false */
  readonly readOnly?: boolean;
  /** `noexec`, `nosuid`, `nodev`, `noatime` and the like, for this mount alone. @default none */
  readonly options?: readonly string[];
}

/** A directory whose size is limited, and the project that the file system counts it as. */
export interface Project {
  /** Where the drive is mounted. */
  readonly mountPath: string;
  /** The directory. */
  readonly path: string;
  /** From 1 to 2^32 - 2. */
  readonly projectId: number;
}

/** How much a directory uses, and may use. */
export interface Usage {
  readonly usedBytes: number;
  readonly usedInodes: number;
  /** What the kernel holds the directory to. Undefined: nothing stops a writer. */
  readonly limitBytes?: number;
}

/** Whether the kernel holds directories to their size, and if not, why. */
export type QuotaSupport =
  | { readonly enforced: true }
  | { readonly enforced: false; readonly reason: string };

/** How large a file system is, and how much of it is free. */
export interface FileSystemStats {
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly totalInodes: number;
  readonly freeInodes: number;
}

/** Since the machine started, as `/sys/class/block/<name>/stat` has it. */
export interface DeviceStatistics {
  /** How many were completed. */
  readonly reads: number;
  readonly writes: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly readSeconds: number;
  readonly writeSeconds: number;
  readonly waitSeconds: number;
}

/** How a file system is repaired. */
export interface RepairOptions extends Cancellable {
  /** Drops the journal where it cannot be replayed; what was in it is lost. @default false */
  readonly force?: boolean;
  /** @default false */
  readonly disablePrefetch?: boolean;
  /** Only looks. @default false */
  readonly dryRun?: boolean;
}

/** Processes that stand still. */
export interface Pause {
  /** Pods of which nothing was found, or that could not be stopped: they go on. */
  readonly missing: readonly string[];
  /** Lets them go on. It is no error when they do already. */
  resume(): Promise<void>;
}

/** For how long pods may stand still. */
export interface PauseOptions extends Cancellable {
  /** After this many milliseconds they go on, whatever becomes of this process. */
  readonly maxMs: number;
}

/**
 * Everything that a node does to its machine. Nothing else in this package touches devices, mounts or the
 * drives' files, so that a test can make any of it fail.
 *
 * Paths are absolute. What the system refuses is thrown with the system's code (`systemCode`): `EIO`, `ENOENT`,
 * `EBUSY`. What is done already is no error, where the comment says so.
 */
export interface OperatingSystem {
  readonly kind: 'linux' | 'directory' | 'fake';

  /** Every block device, in the order of names. One that cannot be read has a `problem`, and fails nothing else. */
  devices(options?: ProbeHints): Promise<readonly BlockDevice[]>;
  /**
   * One device as it is now, looked at more closely than `devices` has time for: what is about to be formatted.
   * @throws ENOENT when there is no such device
   */
  examine(name: string, options?: ProbeHints): Promise<BlockDevice>;
  /** Changes from now on, until the signal aborts. They may be told late or together, but are not lost. */
  deviceChanges(options: { readonly signal: AbortSignal }): AsyncIterable<DeviceChange>;
  /** @throws ENOENT when there is no such device */
  deviceStatistics(name: string): Promise<DeviceStatistics>;

  /** Makes an XFS file system. The caller has made sure that nothing uses the device. */
  format(device: BlockDevice, options: FormatOptions): Promise<void>;
  /**
   * Looks over a file system that is not mounted, and mends it; a first superblock that is gone is made again from the
   * others. Returns what the tool said.
   */
  repair(device: BlockDevice, options?: RepairOptions): Promise<string>;
  /** Lets the mounted file system have all of its device. Nothing to grow is no error. */
  grow(mountPath: string, options?: Cancellable): Promise<void>;

  /** The mount table, in the order of mounting. */
  mounts(): Promise<readonly MountEntry[]>;
  /** Mounts a drive, `noatime` and with quotas where there are any. Makes the target. Done already is no error. */
  mount(device: BlockDevice, target: string, options?: MountOptions): Promise<void>;
  /** An empty file system that nobody can write to, for suspended volumes. Makes the target. */
  mountEmpty(target: string, options?: Cancellable): Promise<void>;
  /** Shows `source` at `target`, which must be a directory. Read-only means that nobody can write through it. */
  bindMount(source: string, target: string, options?: BindMountOptions): Promise<void>;
  /** Takes the last mount at the target away; nothing mounted is no error. `lazy`: also while it is in use. */
  unmount(target: string, options?: Cancellable & { readonly lazy?: boolean }): Promise<void>;

  /** Whether directories of the file system mounted there can be limited. */
  quotaSupport(mountPath: string): Promise<QuotaSupport>;
  /**
   * What else is asked of this machine for the drive mounted there and not done, each in a sentence for people: mount
   * options that it ignores, settings that it refuses. Quotas are told by `quotaSupport`.
   */
  limitations(mountPath: string): Promise<readonly string[]>;
  /** By directory below `mountPath`, the project of each that has one. */
  projects(mountPath: string, options?: Cancellable): Promise<ReadonlyMap<string, number>>;
  /** Counts the directory and all in it as the project, and limits it. Done already is no error. */
  setQuota(project: Project, limitBytes: number, options?: Cancellable): Promise<void>;
  /** Lifts the limit of a project; an unknown one is no error. */
  clearQuota(project: Pick<Project, 'mountPath' | 'projectId'>, options?: Cancellable): Promise<void>;
  /** From the file system's books where they are kept, else by walking the directory. */
  usage(project: Project, options?: Cancellable): Promise<Usage>;
  statFileSystem(path: string): Promise<FileSystemStats>;

  /**
   * The path without symbolic links above its last part, as the mount table has it. The last part is not looked at:
   * what is mounted there may be broken, or a link that stands for a mount.
   */
  realPath(path: string): Promise<string>;
  /** Undefined when there is nothing. Does not follow a link. @throws EIO */
  entryType(path: string): Promise<'directory' | 'link' | 'file' | undefined>;
  /** Names in a directory, sorted. */
  list(path: string): Promise<readonly string[]>;
  /** Exists already is no error. `recursive` also makes what is above it. */
  makeDirectory(
    path: string,
    options?: { readonly mode?: number; readonly recursive?: boolean },
  ): Promise<void>;
  /** Removes an empty directory; not there is no error. */
  removeDirectory(path: string): Promise<void>;
  /** Makes a symbolic link; exists already is no error. */
  link(target: string, path: string): Promise<void>;
  /** Undefined when there is no such file. @throws EIO */
  readFile(path: string): Promise<string | undefined>;
  /** Replaces what is there. */
  writeFile(path: string, text: string, options?: { readonly mode?: number }): Promise<void>;
  /** @throws ENOENT when there is no `from` */
  rename(from: string, to: string): Promise<void>;
  /** Removes a directory with all in it, but nothing mounted in it. Not there is no error. */
  removeTree(path: string, options?: Cancellable): Promise<void>;
  /** Copies a directory with owners, modes, times, links and attributes. What the target has besides is removed. */
  copyTree(from: string, to: string, options?: Cancellable): Promise<void>;
  /**
   * Copies a directory into an empty one as `copyTree` does, but each file shares its blocks with the original until
   * one of the two is written. Costs time by file, not by byte. What was written to a file before is in its copy; the
   * files are copied one after the other.
   * @throws EOPNOTSUPP where the file system cannot
   */
  cloneTree(from: string, to: string, options?: Cancellable): Promise<void>;
  /**
   * By path below the directory (the directory itself is ''), a text that is another one after every change: of data,
   * of attributes, of names. Two equal answers mean that nothing has changed in between.
   */
  treeState(path: string, options?: Cancellable): Promise<ReadonlyMap<string, string>>;
  /** What was written on the file system of the path is on its disk when this resolves. */
  flush(path: string, options?: Cancellable): Promise<void>;

  /**
   * Stops all processes of these pods. They go on when the pause is ended, when its time is over, and when this
   * process ends in whatever way.
   */
  pausePods(uids: readonly string[], options: PauseOptions): Promise<Pause>;
  /** Lets pods go on that were stopped by a process that is no more. Those that run are left alone. */
  resumePods(uids: readonly string[]): Promise<void>;
}
