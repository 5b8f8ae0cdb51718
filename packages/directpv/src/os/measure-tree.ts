import { lstat, readdir } from 'node:fs/promises';
import { throwIfAborted } from '@windlass/base';
import { isNoEntry } from './errors.ts';

const BLOCK_BYTES = 512;

/**
 * What a directory takes, itself included: blocks as the disk has them, each file once however many names it has.
 * Files that go away meanwhile count for nothing. It reads every entry, so its cost is that of the tree.
 */
export async function measureTree(
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly bytes: number; readonly inodes: number }> {
  const seen = new Set<bigint>();
  let bytes = 0;
  let inodes = 0;
  const pending = [path];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    throwIfAborted(signal);
    try {
      const stats = await lstat(at, { bigint: true });
      if (stats.nlink > 1n && !stats.isDirectory()) {
        if (seen.has(stats.ino)) continue;
        seen.add(stats.ino);
      }
      bytes += Number(stats.blocks) * BLOCK_BYTES;
      inodes += 1;
      if (stats.isDirectory()) for (const name of await readdir(at)) pending.push(`${at}/${name}`);
    } catch (error) {
      if (!isNoEntry(error) || at === path) throw error;
    }
  }
  return { bytes, inodes };
}
