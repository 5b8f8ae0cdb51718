import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { mountsBelow } from '../volume-manager/files/mount-table.ts';
import { errorCode } from '../volume-manager/files/node-files.ts';

const run = promisify(execFile);
const NEW_FOLDER = 0o750;

/**
 * Mounts a part of a volume by itself, and returns where: whoever may write into the volume cannot make it another place
 * afterwards, by a link for example.
 * @param target where; it is made
 * @throws when the part is outside the volume, or goes through something that is no folder
 */
export async function mountSubPath(volume: string, subPath: string, target: string): Promise<string> {
  const part = await partOf(volume, subPath);
  const handle = await openPart(await realpath(volume), part);
  try {
    const isFolder = (await handle.stat()).isDirectory();
    await unmountAll(target);
    if (isFolder) await mkdir(target, { recursive: true, mode: NEW_FOLDER });
    else {
      await mkdir(join(target, '..'), { recursive: true, mode: NEW_FOLDER });
      await writeFile(target, '');
    }
    // The open file itself, and not its name, which others could give to something else meanwhile.
    await run('mount', ['--no-canonicalize', '--bind', `/proc/${process.pid}/fd/${handle.fd}`, target]);
    return target;
  } finally {
    await handle.close();
  }
}

/** Takes down everything that is mounted at a path and below it, and removes what it was mounted on. */
export async function unmountAll(path: string): Promise<void> {
  await unmountBelow(path);
  // Nothing is mounted there any more; what it was mounted on is empty.
  await rm(path, { recursive: true, force: true });
}

/** Takes down everything that is mounted at a path and below it. @throws when something cannot be */
export async function unmountBelow(path: string): Promise<void> {
  // The kernel names mounts by where links lead to.
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return;
  const table = await readFile('/proc/self/mountinfo', 'utf8');
  for (const mount of mountsBelow(table, real)) await run('umount', [mount]);
}

/** The part without links, relative to the volume; what is missing of it is made. */
async function partOf(volume: string, subPath: string): Promise<string> {
  const root = await realpath(volume);
  const whole = join(root, subPath);
  const found = await realpath(whole).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return whole;
    throw error;
  });
  const part = relative(root, found);
  if (part === '..' || part.startsWith('../'))
    throw new Error(`subpath "${subPath}" leads out of its volume`);
  return part;
}

/** Goes down folder by folder, each by the one above it, and never through a link. */
async function openPart(root: string, part: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY, O_NONBLOCK } = constants;
  let handle = await open(root, O_RDONLY | O_DIRECTORY);
  const names = part.split('/').filter((name) => name !== '');
  for (const name of names) {
    const path = `/proc/self/fd/${handle.fd}/${name}`;
    try {
      const next = await openOrMake(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      await handle.close();
      handle = next;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  return handle;
}

async function openOrMake(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await mkdir(path, { mode: NEW_FOLDER });
    return open(path, flags);
  }
}
