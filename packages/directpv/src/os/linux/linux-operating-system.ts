import { access, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Logger, silentLogger, sleep } from '@windlass/base';
import type { BlockDevice } from '../block-device.ts';
import { CommandError, OperatingSystemError, QuotaUnsupportedError, systemCode } from '../errors.ts';
import type { HostFilesOptions } from '../host-files.ts';
import { measureTree } from '../measure-tree.ts';
import { type MountEntry, mountAt } from '../mount-entry.ts';
import type {
  BindMountOptions,
  Cancellable,
  DeviceChange,
  DeviceStatistics,
  FormatOptions,
  MountOptions,
  OperatingSystem,
  ProbeHints,
  Project,
  QuotaSupport,
  RepairOptions,
  Usage,
} from '../operating-system.ts';
import { watchDevices } from './device-changes.ts';
import { parseDeviceStatistics } from './device-statistics.ts';
import { LinuxFiles } from './linux-files.ts';
import { parseMountInfo } from './mount-info.ts';
import { probeDevices } from './probe-devices.ts';
import { SYSTEM_PATHS, type SystemPaths } from './sysfs.ts';
import { isUnwrittenLoop } from './unwritten-loop.ts';
import { XfsQuota } from './xfs-quota.ts';

/** How drives of a real machine are used. */
export interface LinuxOperatingSystemOptions extends HostFilesOptions {
  /**
   * What to do on a kernel that cannot limit directories: `required` refuses to mount drives, `preferred` mounts
   * them and only measures.
   * @default required
   */
  readonly quota?: 'required' | 'preferred';
  /**
   * Which loop devices count as drives: none, all, or those of these names.
   * @default none
   */
  readonly loopDevices?: 'none' | 'all' | readonly string[];
  /** Which of the other devices are this node's. @default all */
  readonly includes?: (name: string) => boolean;
  /** How long looking at one device may take, in milliseconds. @default 15000 */
  readonly probeTimeoutMs?: number;
  /** How often devices are compared besides the kernel's events, in milliseconds. @default 5000 */
  readonly pollMs?: number;
  /** @default silent */
  readonly logger?: Logger;
  /** @default where Linux has them */
  readonly paths?: Partial<SystemPaths>;
}

const DEFAULT_PROBE_TIMEOUT_MS = 15_000;
/** It reads up to a gibibyte, unless nothing was ever written there. */
const EXAMINE_TIMEOUT_MS = 120_000;
const DEFAULT_POLL_MS = 5_000;
/** mkfs discards the whole device, repair reads it. */
const LONG_MS = 6 * 3_600_000;
const REPAIR_RUNS = 3;
const UNMOUNT_MS = 60_000;
/** Two seconds: a probe that waits for a processor holds its device for longer than one would think. */
const BUSY_ATTEMPTS = 20;
const BUSY_PAUSE_MS = 100;

/** Real devices, XFS and mounts, through the kernel's files and the programs of util-linux and xfsprogs. */
export function linuxOperatingSystem(options: LinuxOperatingSystemOptions = {}): OperatingSystem {
  return new LinuxOperatingSystem(options);
}

class LinuxOperatingSystem extends LinuxFiles implements OperatingSystem {
  readonly kind = 'linux';
  readonly #options: LinuxOperatingSystemOptions;
  readonly #paths: SystemPaths;
  readonly #quota: XfsQuota;
  readonly #logger: Logger;
  #hasWarned = false;

  constructor(options: LinuxOperatingSystemOptions) {
    const paths = { ...SYSTEM_PATHS, ...options.paths };
    super(options, paths);
    this.#options = options;
    this.#paths = paths;
    this.#logger = options.logger ?? silentLogger;
    this.#quota = new XfsQuota({ run: this.run, clock: this.clock });
  }

  devices({ signal, groupBytes = [] }: ProbeHints = {}): Promise<readonly BlockDevice[]> {
    const { probeTimeoutMs: timeoutMs = DEFAULT_PROBE_TIMEOUT_MS } = this.#options;
    const { clock } = this;
    return probeDevices({
      paths: this.#paths,
      clock,
      includes: this.#includes,
      timeoutMs,
      signal,
      groupBytes,
    });
  }

  async examine(name: string, { signal, groupBytes = [] }: ProbeHints = {}): Promise<BlockDevice> {
    const { clock, run } = this;
    const paths = this.#paths;
    const [device] = await probeDevices({
      paths,
      clock,
      includes: (one) => one === name && this.#includes(one),
      timeoutMs: EXAMINE_TIMEOUT_MS,
      signal,
      groupBytes,
      isThorough: !(await isUnwrittenLoop(name, { paths, run, clock, signal })),
    });
    if (device === undefined) throw new OperatingSystemError('ENOENT', `there is no device ${name}`);
    return device;
  }

  deviceChanges({ signal }: { readonly signal: AbortSignal }): AsyncIterable<DeviceChange> {
    const { pollMs = DEFAULT_POLL_MS } = this.#options;
    return watchDevices({
      paths: this.#paths,
      clock: this.clock,
      logger: this.#logger,
      signal,
      includes: this.#includes,
      pollMs,
      udevadm: 'udevadm',
    });
  }

  async deviceStatistics(name: string): Promise<DeviceStatistics> {
    return parseDeviceStatistics(await readFile(join(this.#paths.sys, 'class/block', name, 'stat'), 'utf8'));
  }

  async format(device: BlockDevice, { fsuuid, label, force, signal }: FormatOptions): Promise<void> {
    if (device.contents !== undefined && !force)
      throw new OperatingSystemError('EEXIST', `${device.path} holds ${device.contents.fsType}`);
    // Half of the space may become inodes: volumes of many small files are usual.
    const args = ['-i', 'maxpct=50', '-m', `uuid=${fsuuid}`, '-L', label];
    if (force) args.push('-f');
    const { clock } = this;
    await this.#whenFree(signal, () =>
      this.run('mkfs.xfs', [...args, device.path], { clock, signal, timeoutMs: LONG_MS }),
    );
  }

  async repair(device: BlockDevice, options: RepairOptions = {}): Promise<string> {
    const args = ['-v'];
    if (options.force === true) args.push('-L');
    if (options.disablePrefetch === true) args.push('-P');
    if (options.dryRun === true) args.push('-n');
    const { clock } = this;
    const { signal } = options;
    for (let attempt = 1; ; attempt++)
      try {
        return await this.run('xfs_repair', [...args, device.path], { clock, signal, timeoutMs: LONG_MS });
      } catch (error) {
        // After a first superblock was made again from a copy, it asks for another run to count what is free.
        const wantsAnother = error instanceof CommandError && /re-?run xfs_repair\.?\s*$/i.test(error.stderr);
        if (!wantsAnother || options.dryRun === true || attempt >= REPAIR_RUNS) throw error;
      }
  }

  async grow(mountPath: string, { signal }: Cancellable = {}): Promise<void> {
    await this.run('xfs_growfs', ['-d', mountPath], { clock: this.clock, signal });
  }

  async mounts(): Promise<readonly MountEntry[]> {
    return parseMountInfo(await readFile(join(this.#paths.proc, 'self/mountinfo'), 'utf8'));
  }

  async mount(
    device: BlockDevice,
    target: string,
    { options = [], signal }: MountOptions = {},
  ): Promise<void> {
    await this.makeDirectory(target, { recursive: true });
    const there = mountAt(await this.mounts(), await this.realPath(target));
    if (there?.majorMinor === device.majorMinor && there.root === '/') return;
    if (there !== undefined)
      throw new OperatingSystemError(
        'EBUSY',
        `${device.path} is not mounted: ${there.source} (${there.majorMinor}) is at ${target}`,
      );
    const mount = async (...more: readonly string[]): Promise<void> => {
      const all = ['noatime', ...more, ...options].join(',');
      const args = ['-t', 'xfs', '-o', all, device.path, target];
      await this.#whenFree(signal, () => this.run('mount', args, { clock: this.clock, signal }));
    };
    try {
      await mount('prjquota');
    } catch (error) {
      // Who has the device still has it, with quotas or without.
      if (systemCode(error) === 'EBUSY' || !(await this.#lacksQuota())) throw error;
      if (this.#options.quota !== 'preferred') throw new QuotaUnsupportedError(NO_KERNEL_QUOTA);
      // It is the same for every drive, so that one warning does for all.
      this.#logger[this.#hasWarned ? 'debug' : 'warn'](
        'drives are mounted without quotas: volumes are measured, but not limited',
        { device: device.path, reason: NO_KERNEL_QUOTA },
      );
      this.#hasWarned = true;
      await mount();
    }
    await this.#failFast(device.name);
  }

  async mountEmpty(target: string, { signal }: Cancellable = {}): Promise<void> {
    await this.makeDirectory(target, { recursive: true });
    if (mountAt(await this.mounts(), await this.realPath(target))?.fsType === 'tmpfs') return;
    const args = ['-t', 'tmpfs', '-o', 'ro,size=4k,mode=0555', 'tmpfs', target];
    await this.run('mount', args, { clock: this.clock, signal });
  }

  async bindMount(source: string, target: string, options: BindMountOptions = {}): Promise<void> {
    const { readOnly = false, options: flags = [], signal } = options;
    const { clock } = this;
    await this.run('mount', ['--bind', source, target], { clock, signal });
    const wanted = [...(readOnly ? ['ro'] : []), ...flags];
    if (wanted.length === 0) return;
    // The kernel ignores flags of the first call: only a remount makes a bind mount read-only.
    try {
      await this.run('mount', ['-o', `remount,bind,${wanted.join(',')}`, target], { clock, signal });
    } catch (error) {
      await this.unmount(target);
      throw error;
    }
  }

  async unmount(target: string, options: Cancellable & { readonly lazy?: boolean } = {}): Promise<void> {
    if (mountAt(await this.mounts(), target) === undefined) return;
    const args = options.lazy === true ? ['--lazy', target] : [target];
    await this.run('umount', args, { clock: this.clock, signal: options.signal, timeoutMs: UNMOUNT_MS });
  }

  async quotaSupport(mountPath: string): Promise<QuotaSupport> {
    const mount = mountAt(await this.mounts(), await this.realPath(mountPath));
    if (mount === undefined) return { enforced: false, reason: `nothing is mounted at ${mountPath}` };
    if (mount.superOptions.includes('prjquota')) return { enforced: true };
    const reason = (await this.#lacksQuota())
      ? NO_KERNEL_QUOTA
      : `${mount.source} is mounted without the option prjquota`;
    return { enforced: false, reason };
  }

  async limitations(mountPath: string): Promise<readonly string[]> {
    const mount = mountAt(await this.mounts(), await this.realPath(mountPath));
    if (mount === undefined) return [];
    const path = this.#retriesOf(basename(mount.source), 'EIO');
    const retries = (await readFile(path, 'utf8').catch(() => '0')).trim();
    if (retries === '0') return [];
    return [
      `XFS retries writes to a dying disk for ever, and who waits for them hangs: ${path} cannot be set to 0`,
    ];
  }

  projects(mountPath: string, options: Cancellable = {}): Promise<ReadonlyMap<string, number>> {
    return this.#quota.projects(mountPath, options);
  }

  async setQuota(project: Project, limitBytes: number, options: Cancellable = {}): Promise<void> {
    const support = await this.quotaSupport(project.mountPath);
    if (support.enforced) await this.#quota.set(project, limitBytes, options);
    else if (this.#options.quota !== 'preferred') throw new QuotaUnsupportedError(support.reason);
  }

  async clearQuota(
    project: Pick<Project, 'mountPath' | 'projectId'>,
    options: Cancellable = {},
  ): Promise<void> {
    if ((await this.quotaSupport(project.mountPath)).enforced) await this.#quota.clear(project, options);
  }

  async usage(project: Project, options: Cancellable = {}): Promise<Usage> {
    if ((await this.quotaSupport(project.mountPath)).enforced) {
      // The books know projects, not directories.
      if ((await this.entryType(project.path)) === undefined)
        throw new OperatingSystemError('ENOENT', `${project.path} is not there`);
      return this.#quota.usage(project, options);
    }
    const { bytes, inodes } = await measureTree(project.path, options.signal);
    return { usedBytes: bytes, usedInodes: inodes };
  }

  readonly #includes = (name: string): boolean => {
    const { loopDevices = 'none', includes = () => true } = this.#options;
    if (/^loop\d/.test(name)) {
      if (loopDevices === 'all') return true;
      return loopDevices !== 'none' && loopDevices.some((loop) => name === loop || isPartitionOf(name, loop));
    }
    // Memory is no drive.
    return !/^z?ram\d/.test(name) && includes(name);
  };

  /** A probe, of ours or of another program, may have the device open for itself for a moment. */
  async #whenFree(signal: AbortSignal | undefined, work: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        await work();
        return;
      } catch (error) {
        if (systemCode(error) !== 'EBUSY' || attempt >= BUSY_ATTEMPTS) throw error;
        await sleep(this.clock, BUSY_PAUSE_MS, signal);
      }
  }

  /** XFS with quotas shows `xqmstat`; asked after a mount, so that the module is loaded. */
  async #lacksQuota(): Promise<boolean> {
    const shows = (file: string): Promise<boolean> =>
      access(join(this.#paths.proc, 'fs/xfs', file)).then(
        () => true,
        () => false,
      );
    return (await shows('stat')) && !(await shows('xqmstat'));
  }

  #retriesOf(name: string, error: string): string {
    return join(this.#paths.sys, 'fs/xfs', name, 'error/metadata', error, 'max_retries');
  }

  /** Without this XFS retries a write to a dying disk for ever, and whoever waits for it hangs. */
  async #failFast(name: string): Promise<void> {
    for (const error of ['EIO', 'ENOSPC', 'default']) {
      const path = this.#retriesOf(name, error);
      await writeFile(path, '0').catch((cause: unknown) =>
        this.#logger.debug('XFS keeps its own rule for retries', { path, code: systemCode(cause) }),
      );
    }
  }
}

const NO_KERNEL_QUOTA = 'this kernel has XFS without quotas, so that nothing stops a volume at its size';

function isPartitionOf(name: string, disk: string): boolean {
  return name.startsWith(`${disk}p`);
}
