import { chmod, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Payload } from '../pod-local/payload.ts';
import { errorCode } from './node-files.ts';

const DATA = '..data';

/**
 * Writes files so that a reader never sees some of the old and some of the new: they stand in a folder of
 * their own, `..data` points to it, and the names that people know point through `..data`.
 * @param version names the new folder; one that was not used before
 * @returns whether anything was new
 */
export async function writePayload(directory: string, payload: Payload, version: string): Promise<boolean> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const current = await currentFolder(directory);
  if (current !== undefined && (await isSame(join(directory, current), payload))) return false;
  const folder = `..${version}`;
  for (const [path, { data, mode }] of payload) {
    const file = join(directory, folder, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await writeFile(file, data);
    // Not when it is made: the process's mask would take bits away.
    await chmod(file, mode);
  }
  await mkdir(join(directory, folder), { recursive: true, mode: 0o755 });
  await rm(join(directory, `${DATA}_tmp`), { force: true });
  await symlink(folder, join(directory, `${DATA}_tmp`));
  await rename(join(directory, `${DATA}_tmp`), join(directory, DATA));
  await showNames(directory, payload);
  for (const name of await readdir(directory))
    if (name.startsWith('..') && name !== DATA && name !== folder)
      await rm(join(directory, name), { recursive: true });
  return true;
}

async function currentFolder(directory: string): Promise<string | undefined> {
  try {
    return await readlink(join(directory, DATA));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function showNames(directory: string, payload: Payload): Promise<void> {
  const names = new Set([...payload.keys()].map((path) => path.split('/')[0] ?? path));
  const there = new Set((await readdir(directory)).filter((name) => !name.startsWith('..')));
  for (const name of names) if (!there.has(name)) await symlink(join(DATA, name), join(directory, name));
  for (const name of there) if (!names.has(name)) await rm(join(directory, name));
}

async function isSame(folder: string, payload: Payload): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.filter((entry) => entry.isFile()).length !== payload.size) return false;
  for (const [path, { data }] of payload) {
    const now = await readFile(join(folder, path)).catch(() => undefined);
    if (now === undefined || !now.equals(data)) return false;
  }
  return true;
}
