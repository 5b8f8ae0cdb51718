// Folders are only ever removed when they are empty: what a driver mounts in one may be somebody's data.
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** @throws when there is something in it, or mounted on it */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** @returns whether it is gone */
export async function removeFolderIfEmpty(path: string): Promise<boolean> {
  try {
    await removeFolder(path);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Nothing when there is no such folder. In the order of their names. */
export async function foldersIn(path: string): Promise<string[]> {
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
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
