import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToGroup } from './fs-group.ts';
import { mountMemory, unmountMemory } from './memory-folder.ts';
import { mountsBelow } from './mount-table.ts';
import { errorCode, type NodeFiles } from './node-files.ts';
import { writePayload } from './payload-writer.ts';

/** The file system of this machine. */
export const machineFiles: NodeFiles = {
  async makeFolder(path, mode) {
    // The process takes bits off what it makes; whoever a container runs as needs all of them.
    if ((await mkdir(path, { recursive: true, mode })) !== undefined) await chmod(path, mode);
  },
  removeFolder: (path) => ifThere(rmdir(path)),
  removeFile: (path) => ifThere(unlink(path)),
  async removeTree(path) {
    // What is mounted below is somebody else's, and would be emptied.
    const real = await realpath(path).catch(() => path);
    const [mount] = mountsBelow(await mountTable(), real);
    if (mount !== undefined) throw new Error(`${mount} is still mounted, so that ${path} is not removed`);
    await rm(path, { recursive: true, force: true });
  },
  async foldersIn(path) {
    try {
      const entries = await readdir(path, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
        .map(({ name }) => name)
        .sort();
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
      throw error;
    }
  },
  async exists(path) {
    try {
      await lstat(path);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  },
  async readText(path) {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '')) return undefined;
      throw error;
    }
  },
  async replaceText(path, text) {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  },
  async link(target, path) {
    await mkdir(dirname(path), { recursive: true, mode: 0o750 });
    try {
      await symlink(target, path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  },
  writePayload,
  giveToGroup,
  mountMemory,
  unmountMemory,
};

/** Empty on a system that has no such table. */
function mountTable(): Promise<string> {
  return readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
}

async function ifThere(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
