import { readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Released, releaseKernelState } from '../storage/release.ts';
import { shortLinkTo } from '../storage/short-link.ts';
import { NODE_FOLDERS } from './entries.ts';

/**
 * Removes entries of the data directory of a cluster that does not run, after the kernel has let go of what is in them.
 * @throws ForeignMountError, KernelStateLeftError; then nothing was removed
 */
export async function removeEntries(dataDir: string, names: readonly string[]): Promise<Released> {
  const isDoomed = (folder: string): boolean => names.some((name) => folder.split('/')[0] === name);
  const folders = NODE_FOLDERS.filter(isDoomed);
  const released = await releaseKernelState(dataDir, names, folders);
  for (const folder of folders) await removeShortLink(join(dataDir, folder));
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true });
  return released;
}

async function removeShortLink(folder: string): Promise<void> {
  const link = shortLinkTo(folder);
  if ((await readlink(link).catch(() => undefined)) === folder) await rm(link, { force: true });
}
