import { readdir } from 'node:fs/promises';
import type { Clock } from '@windlass/base';
import { isNoEntry, OperatingSystemError } from '../errors.ts';
import type { Cancellable, Project, Usage } from '../operating-system.ts';
import type { RunProgram } from '../run-program.ts';

const BLOCK_BYTES = 1024;
/** More arguments than this may not fit in a command line. */
const PATHS_AT_ONCE = 200;
/** How often directories are listed again that go away meanwhile. */
const LISTINGS = 5;

/**
 * XFS project quotas by the programs of xfsprogs: Node has neither quotactl nor ioctl. Numbers are the only thing
 * that is ever put in a command's text; paths are arguments of their own.
 */
export class XfsQuota {
  readonly #run: RunProgram;
  readonly #clock: Clock;

  constructor(options: { readonly run: RunProgram; readonly clock: Clock }) {
    this.#run = options.run;
    this.#clock = options.clock;
  }

  /** By name, the project of each directory directly below. */
  async projects(mountPath: string, options: Cancellable = {}): Promise<ReadonlyMap<string, number>> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#projectsBelow(mountPath, options);
      } catch (error) {
        // One of them was removed after it was listed.
        if (!isNoEntry(error) || attempt >= LISTINGS) throw error;
      }
  }

  async #projectsBelow(mountPath: string, { signal }: Cancellable): Promise<ReadonlyMap<string, number>> {
    const entries = await readdir(mountPath, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const found = new Map<string, number>();
    for (let start = 0; start < names.length; start += PATHS_AT_ONCE) {
      const some = names.slice(start, start + PATHS_AT_ONCE);
      const ids = await this.#projectsOf(
        some.map((name) => `${mountPath}/${name}`),
        signal,
      );
      for (const [index, id] of ids.entries()) {
        const name = some[index];
        if (id !== 0 && name !== undefined) found.set(name, id);
      }
    }
    return found;
  }

  async set(
    { mountPath, path, projectId }: Project,
    limitBytes: number,
    options: Cancellable = {},
  ): Promise<void> {
    const { signal } = options;
    const [current] = await this.#projectsOf([path], signal);
    if (current !== projectId) {
      // New directories are empty; one that has files already is counted as a whole.
      const isEmpty = (await readdir(path)).length === 0;
      const all = isEmpty ? '' : '-R ';
      await this.#io(['-c', `chproj ${all}${number(projectId)}`, '-c', `chattr ${all}+P`, path], signal);
    }
    await this.#limit(mountPath, projectId, limitBytes, signal);
  }

  async clear(
    { mountPath, projectId }: Pick<Project, 'mountPath' | 'projectId'>,
    options: Cancellable = {},
  ): Promise<void> {
    await this.#limit(mountPath, projectId, 0, options.signal);
  }

  /** What the kernel's books say. */
  async usage({ mountPath, projectId }: Project, options: Cancellable = {}): Promise<Usage> {
    const command = `quota -p -N -n -v -b -i ${number(projectId)}`;
    const output = await this.#run('xfs_quota', ['-x', '-c', command, mountPath], {
      clock: this.#clock,
      signal: options.signal,
    });
    return parseQuota(output, projectId);
  }

  /** One number for each path, in their order. */
  async #projectsOf(paths: readonly string[], signal: AbortSignal | undefined): Promise<number[]> {
    const output = await this.#io(['-r', '-c', 'lsproj', ...paths], signal);
    const ids = Array.from(output.matchAll(/projid\s*=\s*(\d+)/g), (match) => Number(match[1]));
    if (ids.length !== paths.length) throw unexpected('xfs_io lsproj', output);
    return ids;
  }

  async #limit(
    mountPath: string,
    projectId: number,
    bytes: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const limit = `limit -p bsoft=${number(bytes)} bhard=${number(bytes)} ${number(projectId)}`;
    await this.#run('xfs_quota', ['-x', '-c', limit, mountPath], { clock: this.#clock, signal });
  }

  #io(args: readonly string[], signal: AbortSignal | undefined): Promise<string> {
    return this.#run('xfs_io', args, { clock: this.#clock, signal });
  }
}

/** The device, then used, soft, hard, warnings and grace for blocks of 1 KiB; then the same for inodes. */
export function parseQuota(output: string, projectId: number): Usage {
  const fields = output.trim().split(/\s+/);
  const numbers = fields
    .slice(1)
    .filter((field) => /^\d+$/.test(field))
    .map(Number);
  const [blocks, , hard, , inodes] = numbers;
  if (blocks === undefined || hard === undefined || inodes === undefined) {
    throw unexpected(`xfs_quota for project ${projectId}`, output);
  }
  return {
    usedBytes: blocks * BLOCK_BYTES,
    usedInodes: inodes,
    ...(hard > 0 && { limitBytes: hard * BLOCK_BYTES }),
  };
}

function number(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new OperatingSystemError('EINVAL', `${value} is neither a size nor a project`, undefined, 'bug');
  return String(value);
}

function unexpected(program: string, output: string): OperatingSystemError {
  return new OperatingSystemError(
    'EPROTO',
    `${program} wrote what is not understood: ${JSON.stringify(output.slice(0, 300))}`,
  );
}
