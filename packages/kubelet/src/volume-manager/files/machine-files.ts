import {
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToGroup } from './fs-group.ts';
import { errorCode, type NodeFiles } from './node-files.ts';
import { writePayload } from './payload-writer.ts';

/** The file system of this machine. */
export const machineFiles: NodeFiles = {
  async makeFolder(path, mode) {
    await mkdir(path, { recursive: true, mode });
  },
  removeFolder: (path) => ifThere(rmdir(path)),
  removeFile: (path) => ifThere(unlink(path)),
  removeTree: (path) => rm(path, { recursive: true, force: true }),
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
};

async function ifThere(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
