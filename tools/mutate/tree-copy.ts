// A copy of the working tree in which mutants are made, so that nobody's files are ever changed.
import { constants } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** What is no source, and large or private to the tree that it is in. */
const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'coverage', '.windlass']);

export class TreeCopy implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Copies the files below `root` as they are now, committed or not. Dependencies are links to those of `root`. A
   * file system that can share blocks between copies shares them.
   */
  static async of(root: string): Promise<TreeCopy> {
    const copy = new TreeCopy(await mkdtemp(join(tmpdir(), 'windlass-mutate-')));
    try {
      await cp(root, copy.path, {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
        filter: (path) => !LEFT_OUT.has(basename(path)),
      });
      await linkModules(join(root, 'node_modules'), join(copy.path, 'node_modules'));
      return copy;
    } catch (error) {
      await copy[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Runs `action` while `file` has the text `mutated`. */
  async during<T>(file: string, mutated: string, action: () => Promise<T>): Promise<T> {
    const path = join(this.path, file);
    const original = await readFile(path);
    await writeFile(path, mutated);
    try {
      return await action();
    } finally {
      await writeFile(path, original);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Workspace packages are relative links, which then lead into the copy and not back into the tree. */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === '.cache') continue;
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.name.startsWith('@')) await linkModules(source, target);
    else await symlink(source, target);
  }
}
