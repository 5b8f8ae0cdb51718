import { chmod, lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FsGroup } from './node-files.ts';

const SET_GID = 0o2000;
const GROUP_OF_FOLDER = 0o070;
const GROUP_OF_FILE = 0o060;
const READER_OF_FOLDER = 0o050;
const READER_OF_FILE = 0o040;

/** Gives everything in a folder to a group, and keeps new files in it. */
export async function giveToGroup(
  path: string,
  { group, onRootMismatch, isReadOnly = false }: FsGroup,
): Promise<void> {
  if (onRootMismatch && (await isRight(path, group, isReadOnly))) return;
  await give(path, group, isReadOnly);
}

async function isRight(path: string, group: number, isReadOnly: boolean): Promise<boolean> {
  const { gid, mode } = await lstat(path);
  const wanted = SET_GID | (isReadOnly ? READER_OF_FOLDER : GROUP_OF_FOLDER);
  return gid === group && (mode & wanted) === wanted;
}

async function give(path: string, group: number, isReadOnly: boolean): Promise<void> {
  const stat = await lstat(path);
  // The folder itself last: while it is wrong, a next try does not take the rest for right.
  if (stat.isDirectory())
    for (const name of await readdir(path)) await give(join(path, name), group, isReadOnly);
  await lchown(path, stat.uid, group);
  if (stat.isSymbolicLink()) return;
  const ofFolder = SET_GID | (isReadOnly ? READER_OF_FOLDER : GROUP_OF_FOLDER);
  const more = stat.isDirectory() ? ofFolder : isReadOnly ? READER_OF_FILE : GROUP_OF_FILE;
  await chmod(path, (stat.mode & 0o7777) | more);
}
