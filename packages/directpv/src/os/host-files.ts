import {
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Clock, realClock, throwIfAborted } from '@windlass/base';
import { isNoEntry, OperatingSystemError, systemCode } from './errors.ts';
import type { MountEntry } from './mount-entry.ts';
import type { Cancellable, FileSystemStats } from './operating-system.ts';
import { type RunProgram, runProgram } from './run-program.ts';
import { walkedTreeState } from './tree-state.ts';

export interface HostFilesOptions {
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default starts it */
  readonly run?: RunProgram;
}

/** The part of an operating system that is files, on the machine that this process runs on. */
export abstract class HostFiles {
  protected readonly clock: Clock;
  protected readonly run: RunProgram;

  constructor(options: HostFilesOptions) {
    this.clock = options.clock ?? realClock;
    this.run = options.run ?? runProgram;
  }

  abstract mounts(): Promise<readonly MountEntry[]>;

  async statFileSystem(path: string): Promise<FileSystemStats> {
    const stats = await statfs(path);
    return {
      totalBytes: stats.blocks * stats.bsize,
      freeBytes: stats.bavail * stats.bsize,
      totalInodes: stats.files,
      freeInodes: stats.ffree,
    };
  }

  async realPath(path: string): Promise<string> {
    return path === '/' ? path : join(await resolved(dirname(path)), basename(path));
  }

  async entryType(path: string): Promise<'directory' | 'link' | 'file' | undefined> {
    try {
      const stats = await lstat(path);
      return stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'link' : 'file';
    } catch (error) {
      if (isNoEntry(error)) return undefined;
      throw error;
    }
  }

  async list(path: string): Promise<readonly string[]> {
    return (await readdir(path)).toSorted();
  }

  async makeDirectory(
    path: string,
    options: { readonly mode?: number; readonly recursive?: boolean } = {},
  ): Promise<void> {
    const { mode = 0o755, recursive = false } = options;
    try {
      await mkdir(path, { mode, recursive });
    } catch (error) {
      if (systemCode(error) !== 'EEXIST' || (await this.entryType(path)) === 'file') throw error;
    }
  }

  async removeDirectory(path: string): Promise<void> {
    try {
      await rmdir(path);
    } catch (error) {
      if (!isNoEntry(error)) throw error;
    }
  }

  async link(target: string, path: string): Promise<void> {
    try {
      await symlink(target, path);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }

  async readFile(path: string): Promise<string | undefined> {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (isNoEntry(error)) return undefined;
      throw error;
    }
  }

  /** The old text or the new one is there, whenever the machine stops. */
  async writeFile(path: string, text: string, options: { readonly mode?: number } = {}): Promise<void> {
    const { mode = 0o644 } = options;
    const draft = `${path}.new`;
    await writeFile(draft, text, { mode, flush: true });
    await rename(draft, path);
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(from, to);
  }

  async removeTree(path: string, { signal }: Cancellable = {}): Promise<void> {
    throwIfAborted(signal);
    const below = (await this.mounts()).find(({ mountPoint }) => `${mountPoint}/`.startsWith(`${path}/`));
    if (below !== undefined)
      throw new OperatingSystemError('EBUSY', `${path} is not removed: ${below.mountPoint} is mounted in it`);
    await rm(path, { recursive: true, force: true });
  }

  async copyTree(from: string, to: string, { signal }: Cancellable = {}): Promise<void> {
    for (const name of await readdir(to)) await rm(join(to, name), { recursive: true, force: true });
    const { clock } = this;
    // Only cp keeps owners, attributes, holes and hard links in one pass. How long it takes, the data decides.
    const timeoutMs = Number.POSITIVE_INFINITY;
    await this.run('cp', ['-a', '--', `${from}/.`, to], { clock, signal, timeoutMs });
  }

  treeState(path: string, { signal }: Cancellable = {}): Promise<ReadonlyMap<string, string>> {
    return walkedTreeState(path, signal);
  }
}

/** What does not exist is left as it is. */
export async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isNoEntry(error) || path === '/') throw error;
    return join(await resolved(dirname(path)), basename(path));
  }
}
