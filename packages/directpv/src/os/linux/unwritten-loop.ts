import { constants, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@windlass/base';
import type { RunProgram } from '../run-program.ts';
import type { SystemPaths } from './sysfs.ts';

export interface LoopOptions {
  readonly paths: SystemPaths;
  readonly run: RunProgram;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether a loop device shows a file into which nothing was ever written: then it is all zeros, and reading a gibibyte
 * of them would only take time. In doubt it is not: the file must be the very one that the kernel has behind the device,
 * which a path of another mount namespace need not be, and have no block at all.
 */
export async function isUnwrittenLoop(name: string, options: LoopOptions): Promise<boolean> {
  if (!/^loop\d+$/.test(name)) return false;
  const { paths, run, clock, signal } = options;
  const device = join(paths.dev, name);
  try {
    const path = await readFile(join(paths.sys, 'class/block', name, 'loop/backing_file'), 'utf8');
    const columns = ['--noheadings', '--output', 'BACK-INO,BACK-MAJ:MIN'];
    const behind = await run('losetup', ['--list', ...columns, device], { clock, signal });
    const [ino, majorMinor] = behind.trim().split(/\s+/);
    await flush(device);
    const file = await stat(path.trimEnd());
    const isIt = ino === String(file.ino) && majorMinor === majorMinorOf(file.dev);
    return isIt && file.isFile() && file.blocks === 0;
  } catch {
    return false;
  }
}

/** What was written to the device and waits in memory gets its place in the file. */
async function flush(device: string): Promise<void> {
  const file = await open(device, constants.O_RDONLY);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** As glibc packs it: twelve bits of the major number above the low eight of the minor one, then the rest of the minor. */
export function majorMinorOf(dev: number): string {
  return `${(dev >>> 8) & 0xfff}:${(dev & 0xff) | ((dev >>> 12) & 0xfff00)}`;
}
