import type { Stats } from 'node:fs';
import { lstat, mkdir, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { WindlassError } from '@windlass/base';

/** A folder of the machine that a container sees at a path of its own. */
export interface Mount {
  readonly path: string;
  /** Undefined when the node has written nothing: the container sees an empty folder. */
  readonly directory: string | undefined;
  /** The part of the folder that is shown; empty for all of it. */
  readonly subPath: string;
  readonly isReadOnly: boolean;
}

/** A mount whose folder is there, without links. */
interface FoundMount {
  readonly path: string;
  readonly directory: string;
  readonly isReadOnly: boolean;
}

/** A path of a container, and what it is on the machine. */
export interface Resolved {
  /** As the container names it, without links. */
  readonly path: string;
  readonly hostPath: string;
  readonly isReadOnly: boolean;
  /** The folder of the machine that nothing may lead out of. */
  readonly base: string;
  /** Undefined when nothing is there; its folder is. */
  readonly stats: Stats | undefined;
}

/** What a program says of a file: `No such file or directory`. */
export class FileError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'FILE' });
  }
}

const MAX_LINKS = 40;
/** What every image has. */
const OWN_FOLDERS = ['etc', 'home', 'root', 'tmp', 'var'];

/**
 * The files of a container: its volumes at their paths, and a folder of its own for everything else. Links are
 * followed as the container would, step by step and never by the operating system. So no path, whatever it and the
 * links on the way say, leads out of these folders.
 */
export class ContainerFiles {
  readonly #root: string;
  readonly #mounts: readonly FoundMount[];

  private constructor(root: string, mounts: readonly FoundMount[]) {
    this.#root = root;
    this.#mounts = mounts;
  }

  /** @param root a folder for what is in no volume; it is made when it is missing */
  static async open(root: string, mounts: readonly Mount[]): Promise<ContainerFiles> {
    for (const name of OWN_FOLDERS) await mkdir(join(root, name), { recursive: true, mode: 0o755 });
    const found: FoundMount[] = [];
    for (const mount of mounts) {
      await mkdir(join(root, normal(mount.path)), { recursive: true, mode: 0o755 });
      if (mount.directory === undefined) continue;
      // The folder itself may be a link, which the node has made.
      const volume = await realpath(mount.directory).catch(() => undefined);
      if (volume === undefined) continue;
      const directory = await realpath(join(volume, normal(mount.subPath))).catch(() => undefined);
      // A link within a volume must not lead out of it.
      if (directory === undefined || !isWithin(directory, volume)) continue;
      found.push({ path: normal(mount.path), directory, isReadOnly: mount.isReadOnly });
    }
    // The longest path first: a volume may be mounted within another.
    return new ContainerFiles(
      await realpath(root),
      found.toSorted((a, b) => b.path.length - a.path.length),
    );
  }

  /** The paths at which something is mounted directly within a folder. */
  mountsIn(path: string): string[] {
    const prefix = path === '/' ? '/' : `${path}/`;
    return this.#mounts
      .map((mount) => mount.path)
      .filter((each) => each.startsWith(prefix) && !each.slice(prefix.length).includes('/') && each !== path)
      .map((each) => each.slice(prefix.length));
  }

  /**
   * @param follow whether a link at the end is followed too
   * @throws FileError when a folder on the way is missing or none, or links lead in a circle
   */
  async resolve(path: string, follow = true): Promise<Resolved> {
    if (path.includes('\0')) throw new FileError('Invalid argument');
    const todo = segments(path);
    const done: string[] = [];
    for (let links = 0; ; ) {
      const next = todo.shift();
      if (next === undefined) return this.#found(done);
      if (next === '..') {
        done.pop();
        continue;
      }
      done.push(next);
      const { stats, hostPath } = await this.#found(done);
      if (stats === undefined && todo.length > 0) throw new FileError('No such file or directory');
      if (stats?.isSymbolicLink() === true && (follow || todo.length > 0)) {
        if (++links > MAX_LINKS) throw new FileError('Too many levels of symbolic links');
        const target = await readlink(hostPath);
        if (target.startsWith('/')) done.length = 0;
        else done.pop();
        todo.unshift(...segments(target));
      } else if (stats !== undefined && todo.length > 0 && !stats.isDirectory())
        throw new FileError('Not a directory');
    }
  }

  async #found(done: readonly string[]): Promise<Resolved> {
    const path = `/${done.join('/')}`;
    const mount = this.#mounts.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    const base = mount?.directory ?? this.#root;
    const inside = mount === undefined ? path : path.slice(mount.path.length);
    const hostPath = join(base, inside);
    if (!isWithin(hostPath, base)) throw new FileError('Permission denied');
    return { path, hostPath, base, isReadOnly: mount?.isReadOnly ?? false, stats: await statsOf(hostPath) };
  }
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/** Whether a path is a folder or in it. Both are without links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function segments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function normal(path: string): string {
  const kept: string[] = [];
  for (const segment of segments(path)) {
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  return `/${kept.join('/')}`;
}
