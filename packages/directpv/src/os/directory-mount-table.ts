import { mkdir, readFile, readlink, rename, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { isNoEntry, systemCode } from './errors.ts';
import type { MountEntry } from './mount-entry.ts';

interface RecordedMount extends MountEntry {
  /** The directory that the link at the mount point leads to. */
  readonly backing: string;
}

/**
 * Mounts without a kernel: a symbolic link takes the place of the mount point, and a file remembers what it is.
 * The file is written first, so that a crash leaves a record that shows nothing, never a link that nobody knows.
 */
export class DirectoryMountTable {
  readonly #file: string;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /** Only mounts whose links are there: somebody may have removed the directory that a link was in. */
  entries(): Promise<readonly RecordedMount[]> {
    return this.#exclusively(() => this.#valid());
  }

  add(entry: Omit<RecordedMount, 'mountId'>): Promise<void> {
    return this.#exclusively(async () => {
      const mounts = await this.#valid();
      const mountId = 1 + mounts.reduce((highest, mount) => Math.max(highest, mount.mountId), 0);
      await this.#write([...mounts, { mountId, ...entry }]);
      await clear(entry.mountPoint);
      await symlink(entry.backing, entry.mountPoint);
    });
  }

  /** Shows what was mounted there before, or an empty directory. */
  remove(mountPoint: string): Promise<void> {
    return this.#exclusively(async () => {
      const mounts = await this.#recorded();
      const index = mounts.findLastIndex((mount) => mount.mountPoint === mountPoint);
      if (index === -1) return;
      const left = mounts.toSpliced(index, 1);
      const below = left.findLast((mount) => mount.mountPoint === mountPoint);
      if ((await linkAt(mountPoint)) === mounts[index]?.backing) {
        await unlink(mountPoint);
        if (below === undefined) await mkdir(mountPoint);
        else await symlink(below.backing, mountPoint);
      }
      await this.#write(left);
    });
  }

  async #valid(): Promise<readonly RecordedMount[]> {
    const mounts = await this.#recorded();
    const shown = new Map<string, string | undefined>();
    for (const { mountPoint } of mounts) shown.set(mountPoint, await linkAt(mountPoint));
    return mounts.filter((mount) => {
      const top = mounts.findLast((other) => other.mountPoint === mount.mountPoint);
      return top !== undefined && shown.get(mount.mountPoint) === top.backing;
    });
  }

  async #recorded(): Promise<readonly RecordedMount[]> {
    try {
      // Nobody else writes the file.
      return JSON.parse(await readFile(this.#file, 'utf8')) as RecordedMount[];
    } catch (error) {
      if (isNoEntry(error)) return [];
      throw error;
    }
  }

  async #write(mounts: readonly RecordedMount[]): Promise<void> {
    await writeFile(`${this.#file}.new`, `${JSON.stringify(mounts, undefined, 2)}\n`);
    await rename(`${this.#file}.new`, this.#file);
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    // EINVAL: it is no link.
    if (isNoEntry(error) || systemCode(error) === 'EINVAL') return undefined;
    throw error;
  }
}

async function clear(path: string): Promise<void> {
  try {
    if ((await linkAt(path)) === undefined) await rmdir(path);
    else await unlink(path);
  } catch (error) {
    if (!isNoEntry(error)) throw error;
  }
}
